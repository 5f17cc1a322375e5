/** Statuses and bet windows of events and markets, what their changes do to working orders, and who is told. */
import type { EventStatus, MarketStatus } from '../../domain/vocabulary.js';
import type { CancelReason } from '../contract.js';
import { ASK, BID } from '../matching/index.js';
import { closeOrder } from '../orders/closing.js';
import { openOrder } from '../orders/placing.js';
import { settleForeignTaker } from '../orders/trading.js';
import type { State, DueItem } from '../state.js';
import type { Book } from './book.js';
import type { ForeignLine } from './foreign-book.js';
import { isTradable, keepsOrders, type Market, type VenueEvent } from './markets.js';
import type { EventId, MarketId, OrderId } from '../contract/ids.js';
import { type Micros, PRICE_ONE } from '../../domain/units.js';
import { isWorking } from '../orders/orders.js';

/** Cancels every working order of a market, those in processing included. */
export function cancelOrders(state: State, market: Market, reason: CancelReason): void {
  for (const book of state.markets.both(market)) {
    for (const owner of state.accounts.inBook(book))
      for (const order of owner.workingOrders()) closeOrder(state, order, reason);
    book.waiting = [];
    book.foreign.clear();
    state.outbox.touchBook(book);
  }
}

/** Brings a market's orders in line with its present tradability. */
export function settleTradability(state: State, market: Market): void {
  if (!keepsOrders(market, state.now)) cancelOrders(state, market, 'market-closed');
  const books = state.markets.both(market);
  for (const book of books) state.outbox.touchBook(book);
  if (isTradable(market, state.now)) for (const book of books) resume(state, book);
}

/** Lets in what waited for trading to resume: others' latest line, then orders whose processing is over. */
function resume(state: State, book: Book): void {
  const { waiting, foreign } = book;
  book.waiting = [];
  if (foreign.waiting !== null) applyForeignLine(state, book, foreign.waiting);
  for (const id of waiting) {
    const order = state.orders.find(id);
    if (order?.status === 'processing') openOrder(state, order);
  }
}

/** Applies a recorded line; while the market is not tradable the latest line waits. */
export function applyForeignLine(state: State, book: Book, line: ForeignLine): void {
  const { foreign } = book;
  if (!isTradable(book.market, state.now)) return foreign.wait(line);
  foreign.waiting = null;
  foreign.set(line);
  if (book.matching.othersChanged(BID)) state.outbox.touchSide(book, BID);
  if (book.matching.othersChanged(ASK)) state.outbox.touchSide(book, ASK);
  settleForeignTaker(state, book);
}

/** Changes an event's status, publishes the change, and does to its orders what the new status demands. */
export function changeEventStatus(state: State, event: VenueEvent, status: EventStatus): void {
  const previous = event.status;
  event.status = status;
  for (const market of event.markets) settleTradability(state, market);
  sayEventStatus(state, event, previous);
  sayLiveData(state, event);
}

export function changeMarketStatus(state: State, market: Market, status: MarketStatus): void {
  const previous = market.status;
  market.status = status;
  sayMarketStatus(state, market, previous);
}

/** Schedules both edges of an event's bet window. */
export function scheduleEventWindow(state: State, { config }: VenueEvent): void {
  for (const at of [config.betStart, config.betEnd])
    if (at !== null && at > state.now) state.schedule.add({ at, kind: 'event-window', id: config.id });
}

/** `market-status-change` of the whole event. */
export function sayEventStatus(state: State, event: VenueEvent, previousStatus: EventStatus): void {
  state.outbox.say({
    kind: 'market-status-change',
    eventId: event.id,
    marketId: null,
    status: event.status,
    previousStatus,
    betStart: event.config.betStart,
    betEnd: event.config.betEnd,
    disabled: false,
    at: state.now,
  });
}

/** `market-status-change` of one market. */
export function sayMarketStatus(state: State, market: Market, previousStatus: MarketStatus): void {
  state.outbox.say({
    kind: 'market-status-change',
    eventId: market.event.id,
    marketId: market.id,
    status: market.status,
    previousStatus,
    betStart: market.event.config.betStart,
    betEnd: market.betEnd,
    disabled: market.disabled,
    at: state.now,
  });
}

/** `live-data-update`. */
export function sayLiveData(state: State, event: VenueEvent): void {
  const { config } = event;
  state.outbox.say({
    kind: 'live-data-update',
    eventId: event.id,
    status: event.status,
    resolution: resolutionOf(event),
    resolvedAt: event.resolvedAt,
    eventStart: config.eventStart,
    eventEnd: config.eventEnd,
    extraData: event.extraData,
    isLive: event.isLive,
  });
}

/** Titles of the markets that won; of an event with one market its winning position; null: nothing resolved. */
function resolutionOf({ markets }: VenueEvent): string | null {
  const [only] = markets;
  if (markets.length === 1 && only !== undefined)
    return typeof only.resolution === 'number' ? String(only.resolution / PRICE_ONE) : only.resolution;
  const winners = markets.filter(({ resolution }) => resolution === 'long');
  return winners.length === 0 ? null : winners.map(({ config }) => config.title).join(', ');
}

/** What time alone does. */

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
