/** Statuses and bet windows of events and markets, and what their changes do to working orders. */
import type { Micros } from '../../domain/units.js';
import type { EventStatus } from '../../domain/vocabulary.js';
import { sayEventStatus, sayLiveData } from './announcements.js';
import type { Book } from '../books/books.js';
import type { CancelReason } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Market, VenueEvent } from './markets.js';
import { closeOrder } from '../orders/closing.js';
import { applyForeignLine } from '../orders/foreign-trading.js';
import { PROCESSING } from '../orders/order-rows.js';
import { workingOrders } from '../orders/own-orders.js';
import { openOrder } from '../orders/placing.js';
import { isTradable, keepsOrders } from './tradability.js';

/** Cancels every working order of a market, those in processing included. */
export function cancelOrders(floor: Floor, market: Market, reason: CancelReason): void {
  for (const book of floor.markets.both(market)) {
    for (const stake of floor.stakes.ofBook(book)) {
      for (const row of workingOrders(floor.orders, stake)) closeOrder(floor, row, reason);
    }
    book.waiting = [];
    book.foreign.clear();
    floor.outbox.touchBook(book);
  }
}

/** Brings a market's orders in line with its present tradability. */
export function settleTradability(floor: Floor, market: Market): void {
  if (!keepsOrders(market, floor.now)) cancelOrders(floor, market, 'market-closed');
  for (const book of floor.markets.both(market)) floor.outbox.touchBook(book);
  if (isTradable(market, floor.now)) for (const book of floor.markets.both(market)) resume(floor, book);
}

/** Lets in what waited for trading to go on: others' latest line, then orders whose processing is over. */
function resume(floor: Floor, book: Book): void {
  const { waiting, foreign } = book;
  book.waiting = [];
  if (foreign.waiting !== null) applyForeignLine(floor, book, foreign.waiting);
  for (const id of waiting) {
    const row = floor.orders.row(id);
    if (row !== 0 && floor.orders.status(row) === PROCESSING) openOrder(floor, row);
  }
}

/** Changes an event's status, tells it, and does to its orders what the new status demands. */
export function changeEventStatus(floor: Floor, event: VenueEvent, status: EventStatus): void {
  const previous = event.status;
  event.status = status;
  for (const market of event.markets) settleTradability(floor, market);
  sayEventStatus(floor, event, previous);
  sayLiveData(floor, event);
}

/** Schedules both edges of an event's bet window. */
export function scheduleEventWindow(floor: Floor, { config }: VenueEvent): void {
  for (const at of [config.betStart, config.betEnd]) {
    if (at !== null && at > floor.now) floor.due.schedule({ at, kind: 'event-window', id: config.id });
  }
}

/** Schedules the end of a market's own bet window. */
export function scheduleMarketWindow(floor: Floor, market: Market, at: Micros): void {
  if (at > floor.now) floor.due.schedule({ at, kind: 'market-window', id: market.id });
}
