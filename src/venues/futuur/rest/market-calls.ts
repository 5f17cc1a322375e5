/** Events, markets and their books (specification 4.14 to 4.16; facts, "Events and markets"). */
import type { EventId, MarketId } from '../../../domain/ids.js';
import type { AnswerBody } from '../../../domain/answers.js';
import type { EventDescription } from '../../../domain/market.js';
import type { CurrencyMode, TimeInterval } from '../../../domain/vocabulary.js';
import type { QueryValues } from '../protocol/query.js';
import { readBook } from '../protocol/read/book.js';
import { readEvent, readEventPage, type EventListing, type TickUnitsOf } from '../protocol/read/events.js';
import { ENDPOINTS, pathOf } from '../protocol/rest/endpoints.js';
import type { EVENTS_QUERY } from '../protocol/rest/events.js';
import { priceHistory as priceHistoryShape, type PriceHistory } from '../protocol/rest/price-history.js';
import { tax as taxShape, type Tax } from '../protocol/rest/tax.js';
import type { Call } from './call.js';
import { asking, asReceived } from './call.js';

/** A book as the domain sees it. */
export type BookReading = Extract<AnswerBody, { readonly kind: 'read-book' }>;

/** 4.14, in long-side prices; own shares stand beside the levels when signed. May be some seconds old. */
export const book = (market: MarketId, mode: CurrencyMode): Call<BookReading> => ({
  ...asking('book', pathOf(ENDPOINTS.book.path, market), { currency_mode: mode, position: 'long' }),
  read: (received) => readBook(received, market, mode),
});

/** 4.15; without an interval all history there is. */
export const priceHistory = (
  event: EventId,
  mode: CurrencyMode,
  interval?: TimeInterval,
): Call<PriceHistory> => ({
  ...asking('priceHistory', pathOf(ENDPOINTS.priceHistory.path, event), {
    currency_mode: mode,
    time_interval: interval,
  }),
  read: asReceived(priceHistoryShape),
});

/** 4.16 */
export const tax = (event: EventId): Call<Tax> => ({
  ...asking('tax', pathOf(ENDPOINTS.tax.path, event), {}),
  read: asReceived(taxShape),
});

/** One page of all events. @param tickUnitsOf price units per tick; the venue does not state them */
export const events = (
  query: QueryValues<typeof EVENTS_QUERY>,
  tickUnitsOf: TickUnitsOf,
): Call<EventListing> => ({
  ...asking('events', pathOf(ENDPOINTS.events.path), query),
  read: (received) => readEventPage(received, tickUnitsOf),
});

/** One event with its markets. */
export const event = (id: EventId, tickUnitsOf: TickUnitsOf): Call<EventDescription> => ({
  ...asking('event', pathOf(ENDPOINTS.event.path, id), {}),
  read: (received) => readEvent(received, tickUnitsOf),
});
