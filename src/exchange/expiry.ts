/** What time alone does. */
import type { EventId, MarketId, OrderId } from '../domain/ids.js';
import type { Micros } from '../domain/units.js';
import type { DueItem } from './due.js';
import type { Floor } from './floor.js';
import { sayEventStatus, sayMarketStatus } from './markets/announcements.js';
import { settleTradability } from './markets/lifecycle.js';
import { closeOrder } from './orders/closing.js';
import { FILLED, PROCESSING } from './orders/order-rows.js';
import { openOrder } from './orders/placing.js';

type Handlers = Readonly<Record<DueItem['kind'], (floor: Floor, id: number) => void>>;

const HANDLERS: Handlers = {
  'expire-order': expireOrder,
  'open-order': endProcessing,
  'event-window': crossEventWindow,
  'market-window': crossMarketWindow,
  comment: publishComment,
};

/** Does everything that is due up to a time, each at its own time. */
export function catchUp(floor: Floor, to: Micros): void {
  for (let item = floor.due.take(to); item !== null; item = floor.due.take(to)) {
    if (item.at > floor.now) floor.now = item.at;
    HANDLERS[item.kind](floor, item.id);
  }
}

/** When something is due next; null: nothing is pending. */
export function nextDue(floor: Floor): Micros | null {
  floor.due.drop(floor, isStale);
  return floor.due.next();
}

function expireOrder(floor: Floor, id: number): void {
  const row = floor.orders.row(id as OrderId);
  if (isWorking(floor, row)) closeOrder(floor, row, 'expired');
}

function endProcessing(floor: Floor, id: number): void {
  const row = floor.orders.row(id as OrderId);
  if (row !== 0 && floor.orders.status(row) === PROCESSING) openOrder(floor, row);
}

function crossEventWindow(floor: Floor, id: number): void {
  const event = floor.markets.event(id as EventId);
  if (event === null) return;
  for (const market of event.markets) settleTradability(floor, market);
  sayEventStatus(floor, event, event.status);
}

function crossMarketWindow(floor: Floor, id: number): void {
  const market = floor.markets.market(id as MarketId);
  if (market === null || market.betEnd !== floor.now) return;
  settleTradability(floor, market);
  sayMarketStatus(floor, market, market.status);
}

function publishComment(floor: Floor, id: number): void {
  const comment = floor.comments.take(id);
  if (comment === null) return;
  const { eventId, account, content, postedAt } = comment;
  floor.outbox.say({ kind: 'market-comment', commentId: id, eventId, account, content, postedAt });
}

/** An order that has ended need not expire or open. */
function isStale(floor: Floor, { kind, id }: DueItem): boolean {
  if (kind !== 'expire-order' && kind !== 'open-order') return false;
  return !isWorking(floor, floor.orders.row(id as OrderId));
}

const isWorking = (floor: Floor, row: number): boolean => row !== 0 && floor.orders.status(row) < FILLED;
