/** Statuses and bet windows of events and markets, and what their changes do to working orders. */
import type { Micros } from '../domain/units.js';
import type { EventStatus, MarketStatus } from '../domain/vocabulary.js';
import type { CancelReason } from './contract.js';
import type { Floor } from './floor.js';
import type { Market, VenueEvent } from './markets.js';
import type { Book } from './books.js';
import { closeOrder } from './orders/closing.js';
import { applyForeignLine } from './orders/foreign-trading.js';
import { PROCESSING } from './orders/order-rows.js';
import { openOrder } from './orders/placing.js';
import { workingOrders } from './orders/own-orders.js';
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

/** `market-status-change` of the whole event. */
export function sayEventStatus(floor: Floor, event: VenueEvent, previousStatus: EventStatus): void {
  floor.outbox.say({
    kind: 'market-status-change',
    eventId: event.id,
    marketId: null,
    status: event.status,
    previousStatus,
    betStart: event.config.betStart,
    betEnd: event.config.betEnd,
    disabled: false,
    at: floor.now,
  });
}

/** `market-status-change` of one market. */
export function sayMarketStatus(floor: Floor, market: Market, previousStatus: MarketStatus): void {
  floor.outbox.say({
    kind: 'market-status-change',
    eventId: market.event.id,
    marketId: market.id,
    status: market.status,
    previousStatus,
    betStart: market.event.config.betStart,
    betEnd: market.betEnd,
    disabled: market.disabled,
    at: floor.now,
  });
}

/** `live-data-update`. */
export function sayLiveData(floor: Floor, event: VenueEvent): void {
  const { config } = event;
  floor.outbox.say({
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

/** Titles of the markets that won; of an event with one market the position that did; null: nothing resolved. */
function resolutionOf({ markets }: VenueEvent): string | null {
  const [only] = markets;
  if (markets.length === 1 && only !== undefined) return only.resolution;
  const winners = markets.filter(({ resolution }) => resolution === 'long');
  return winners.length === 0 ? null : winners.map(({ config }) => config.title).join(', ');
}

/** Schedules both edges of an event's bet window. */
export function scheduleEventWindow(floor: Floor, { config }: VenueEvent): void {
  for (const at of [config.betStart, config.betEnd]) {
    if (at !== null && at > floor.now) floor.due.schedule({ at, kind: 'event-window', id: config.id });
  }
}

export function scheduleMarketWindow(floor: Floor, market: Market, at: Micros): void {
  floor.due.schedule({ at, kind: 'market-window', id: market.id });
}
