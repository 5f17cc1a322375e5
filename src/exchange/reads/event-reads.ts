/** `GET /events/`, `GET /events/{id}/` (facts, "Events and markets"). */
import type { Money } from '../../domain/units.js';
import { modeCode } from '../codes.js';
import type { EventOrdering, EventQuery, EventView, MarketView, Page } from '../contract.js';
import type { Floor } from '../floor.js';
import type { Market, VenueEvent } from '../markets/markets.js';
import { isOver, isTradable } from '../markets/tradability.js';
import { compare } from './order-reads.js';
import { pageOf } from './paging.js';
import { matchesSearch } from './search.js';

/** In the order of their creation unless ordered otherwise. */
export function listEvents(floor: Floor, query: EventQuery): Page<EventView> {
  const events = floor.markets.events.filter((event) => matches(floor, event, query));
  if (query.ordering !== undefined) events.sort(by(query, query.ordering));
  return pageOf(events, query, (event) => eventView(floor, event));
}

/** The event with its markets as they are now. */
export function eventView(floor: Floor, event: VenueEvent): EventView {
  const { markets: _, ...described } = event.config;
  return {
    ...described,
    status: event.status,
    isLive: event.isLive,
    extraData: event.extraData,
    wagerable: event.markets.some((market) => isTradable(market, floor.now)),
    resolvedAt: event.resolvedAt,
    wagersPlayMoney: event.wagers[0] as number,
    wagersRealMoney: event.wagers[1] as number,
    volumePlayMoney: event.volume[0] as Money,
    volumeRealMoney: event.volume[1] as Money,
    markets: event.markets.map(marketView),
  };
}

const marketView = (market: Market): MarketView => ({
  ...market.config,
  eventId: market.event.id,
  status: market.status,
  disabled: market.disabled,
  betStart: market.event.config.betStart,
  betEnd: market.betEnd,
  resolution: market.resolution,
  order: market.order,
  playMoney: market.prices[0],
  realMoney: market.prices[1],
});

function matches(floor: Floor, event: VenueEvent, query: EventQuery): boolean {
  const { config } = event;
  const tag = query.tag?.toLowerCase();
  return (
    (query.categories?.includes(config.category.id) ?? true) &&
    (query.live ?? event.isLive) === event.isLive &&
    (tag ?? config.category.name.toLowerCase()) === config.category.name.toLowerCase() &&
    (query.resolvedOnly !== true || event.status === 'resolved') &&
    (query.pendingResolution !== true || isPending(floor, event)) &&
    matchesSearch(query.search, [config.title, ...event.markets.map((market) => market.config.title)])
  );
}

/** Trading is over and the answer is not known. */
function isPending(floor: Floor, event: VenueEvent): boolean {
  if (event.status === 'resolved' || event.status === 'cancelled') return false;
  return event.status === 'stopped' || event.markets.every((market) => isOver(market, floor.now));
}

function by({ mode }: EventQuery, { field, descending }: NonNullable<EventQuery['ordering']>) {
  const keys: Readonly<Record<EventOrdering, (event: VenueEvent) => number | string>> = {
    id: ({ id }) => id,
    title: ({ config }) => config.title.toLowerCase(),
    bet_end_date: ({ config }) => config.betEnd ?? Number.POSITIVE_INFINITY,
    volume: ({ volume }) => volume[modeCode(mode ?? 'play_money')] as number,
  };
  const key = keys[field];
  return (a: VenueEvent, b: VenueEvent): number => {
    const order = compare(key(a), key(b)) || a.id - b.id;
    return descending ? -order : order;
  };
}
