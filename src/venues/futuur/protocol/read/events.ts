/** Descriptions of events and markets, from `GET /events/{id}/` and its listing. */
import { type EventId, eventId, type MarketId, marketId } from '../../../../domain/ids.js';
import type { EventDescription, MarketDescription } from '../../../../domain/market.js';
import type { CurrencyMode } from '../../../../domain/vocabulary.js';
import { eventPage, listedEvent, type ListedEvent, type ListedMarket } from '../rest/events.js';
import { nextOffset } from '../rest/pagination.js';
import { readOptionalTimestamp } from '../timestamps.js';
import { place, type Placed } from './placed.js';
import { readEventStatus, readMarketStatus, readResolution, readResolutionMode } from './words.js';

/** Price units per tick of a market: the venue does not state it, configuration does. */
export type TickUnitsOf = (marketId: MarketId) => number;

export const readEvent = (received: unknown, tickUnitsOf: TickUnitsOf): Placed<EventDescription> =>
  place(listedEvent, received, (wire) => describeEvent(wire, tickUnitsOf));

/** What the listing says of an event beside what a bot trades by. */
export interface ListedDescription extends EventDescription {
  /** Names, or ids where the venue tells no name. */
  readonly categories: readonly string[];
  /** Currency units that were traded; null where the venue does not say. */
  readonly volume: Readonly<Record<CurrencyMode, number | null>>;
}

/** One page of `GET /events/` and where the next begins. */
export interface EventListing {
  readonly events: readonly ListedDescription[];
  readonly total: number;
  readonly nextOffset: number | null;
}

export const readEventPage = (received: unknown, tickUnitsOf: TickUnitsOf): Placed<EventListing> =>
  place(eventPage, received, (page) => ({
    events: page.results.map((wire) => ({
      ...describeEvent(wire, tickUnitsOf),
      categories: categoriesOf(wire.category),
      volume: { play_money: wire.volume_play_money ?? null, real_money: wire.volume_real_money ?? null },
    })),
    total: page.pagination.total,
    nextOffset: nextOffset(page.pagination),
  }));

/** No document says what a category is: an object, a list of them, a name or an id. */
function categoriesOf(told: unknown): readonly string[] {
  if (Array.isArray(told)) return told.flatMap(categoriesOf);
  if (typeof told === 'string' || typeof told === 'number') return [String(told)];
  if (typeof told !== 'object' || told === null) return [];
  const { name, title, id } = told as { readonly [key: string]: unknown };
  return categoriesOf(name ?? title ?? id);
}

const describeEvent = (wire: ListedEvent, tickUnitsOf: TickUnitsOf): EventDescription => ({
  id: eventId(wire.id),
  title: wire.title,
  slug: wire.slug ?? '',
  status: readEventStatus(wire.status, 'status'),
  resolutionMode: readResolutionMode(wire.resolution_mode),
  isLive: wire.is_live ?? null,
  betStart: readOptionalTimestamp(wire.bet_start_date, 'bet_start_date'),
  betEnd: readOptionalTimestamp(wire.bet_end_date, 'bet_end_date'),
  eventStart: readOptionalTimestamp(wire.event_start_date, 'event_start_date'),
  eventEnd: readOptionalTimestamp(wire.event_end_date, 'event_end_date'),
  markets: wire.markets.map((market) => describeMarket(market, eventId(wire.id), tickUnitsOf)),
});

const describeMarket = (
  wire: ListedMarket,
  eventId: EventId,
  tickUnitsOf: TickUnitsOf,
): MarketDescription => ({
  id: marketId(wire.id),
  eventId,
  title: wire.title,
  tickUnits: tickUnitsOf(marketId(wire.id)),
  status: readMarketStatus(wire.status, 'markets.status'),
  disabled: wire.disabled ?? null,
  betStart: readOptionalTimestamp(wire.bet_start_date, 'markets.bet_start_date'),
  betEnd: readOptionalTimestamp(wire.bet_end_date, 'markets.bet_end_date'),
  resolution: readResolution(wire.resolution, 'markets.resolution'),
  longLabel: wire.long_label ?? '',
  shortLabel: wire.short_label ?? '',
});
