/** What time alone does. */
import type { EventId, MarketId, OrderId } from './contract/ids.js';
import type { Micros } from '../domain/units.js';
import { sayEventStatus, sayMarketStatus, settleTradability } from './markets/lifecycle.js';
import { closeOrder } from './orders/closing.js';
import { isWorking } from './orders/orders.js';
import { openOrder } from './orders/placing.js';
import type { DueItem } from './schedule.js';
import type { State } from './state.js';

const HANDLERS: Readonly<Record<DueItem['kind'], (state: State, id: number) => void>> = {
  'expire-order': expireOrder,
  'open-order': endProcessing,
  'event-window': crossEventWindow,
  'market-window': crossMarketWindow,
  comment: publishComment,
};

/** Does everything that is due up to a time, each item at its own time. The exchange's time is `to` afterwards. */
export function passTime(state: State, to: Micros): void {
  for (let item = state.schedule.take(to); item !== null; item = state.schedule.take(to)) {
    if (item.at > state.now) state.now = item.at;
    HANDLERS[item.kind](state, item.id);
  }
  state.now = to;
}

/** When something is due next; null: nothing is pending. */
export function nextDue(state: State): Micros | null {
  state.schedule.drop((item) => isStale(state, item));
  return state.schedule.next();
}

function expireOrder(state: State, id: number): void {
  const order = state.orders.find(id as OrderId);
  if (order !== null && isWorking(order)) closeOrder(state, order, 'expired');
}

function endProcessing(state: State, id: number): void {
  const order = state.orders.find(id as OrderId);
  if (order?.status === 'processing') openOrder(state, order);
}

function crossEventWindow(state: State, id: number): void {
  const event = state.markets.event(id as EventId);
  if (event === null) return;
  for (const market of event.markets) settleTradability(state, market);
  sayEventStatus(state, event, event.status);
}

function crossMarketWindow(state: State, id: number): void {
  const market = state.markets.market(id as MarketId);
  if (market === null || market.betEnd !== state.now) return;
  settleTradability(state, market);
  sayMarketStatus(state, market, market.status);
}

function publishComment({ comments, outbox }: State, id: number): void {
  const comment = comments.get(id);
  if (comment === undefined) return;
  comments.delete(id);
  outbox.say(comment);
}

/** An order that has ended need not expire or open. */
function isStale({ orders }: State, { kind, id }: DueItem): boolean {
  if (kind !== 'expire-order' && kind !== 'open-order') return false;
  const order = orders.find(id as OrderId);
  return order === null || !isWorking(order);
}
