/** Events, markets and their price histories (specification 2.8, 4.15, facts "Events and markets"). */
import type { EventId } from '../contract/ids.js';
import type { Money } from '../../domain/units.js';
import type { CurrencyMode, TimeInterval } from '../../domain/vocabulary.js';
import type {
  EventOrdering,
  EventQuery,
  EventView,
  MarketView,
  Page,
  PriceHistoryView,
  PricePoint,
} from '../contract.js';
import { isOver, isTradable, type Market, type VenueEvent, type PriceSample } from '../markets/markets.js';
import type { State } from '../state.js';
import { byKey, matchesSearch, pageOf } from './listing.js';

/** In the order of their creation unless ordered otherwise. */
export function listEvents(state: State, query: EventQuery): Page<EventView> {
  const events = state.markets.events.filter((event) => matches(state, event, query));
  if (query.ordering !== undefined) events.sort(by(query, query.ordering));
  return pageOf(events, query, (event) => eventView(state, event));
}

/** The event with its markets as they are now. */
export function eventView(state: State, event: VenueEvent): EventView {
  const { markets: _, ...described } = event.config;
  const markets = event.markets.map((market) => marketView(state, market));
  return {
    ...described,
    status: event.status,
    isLive: event.isLive,
    extraData: event.extraData,
    wagerable: markets.some(({ tradable }) => tradable),
    resolvedAt: event.resolvedAt,
    wagersPlayMoney: event.wagers.play_money,
    wagersRealMoney: event.wagers.real_money,
    volumePlayMoney: event.volume.play_money as Money,
    volumeRealMoney: event.volume.real_money as Money,
    markets,
  };
}

export const marketView = (state: State, market: Market): MarketView => ({
  ...market.config,
  eventId: market.event.id,
  status: market.status,
  tradable: isTradable(market, state.now),
  disabled: market.disabled,
  betStart: market.event.config.betStart,
  betEnd: market.betEnd,
  resolution: market.resolution,
  order: market.order,
  playMoney: market.prices.play_money,
  realMoney: market.prices.real_money,
});

function matches(state: State, event: VenueEvent, query: EventQuery): boolean {
  const { config } = event;
  const tag = query.tag?.toLowerCase();
  return (
    (query.categories?.includes(config.category.id) ?? true) &&
    (query.live ?? event.isLive) === event.isLive &&
    (tag ?? config.category.name.toLowerCase()) === config.category.name.toLowerCase() &&
    (query.resolvedOnly !== true || event.status === 'resolved') &&
    (query.pendingResolution !== true || isPending(state, event)) &&
    matchesSearch(query.search, [config.title, ...event.markets.map((market) => market.config.title)])
  );
}

/** Trading is over and the answer is not known. */
function isPending(state: State, event: VenueEvent): boolean {
  if (event.status === 'resolved' || event.status === 'cancelled') return false;
  return event.status === 'stopped' || event.markets.every((market) => isOver(market, state.now));
}

function by({ mode }: EventQuery, { field, descending }: NonNullable<EventQuery['ordering']>) {
  const keys: Readonly<Record<EventOrdering, (event: VenueEvent) => number | string>> = {
    id: ({ id }) => id,
    title: ({ config }) => config.title.toLowerCase(),
    bet_end_date: ({ config }) => config.betEnd ?? Number.POSITIVE_INFINITY,
    volume: ({ volume }) => volume[mode ?? 'play_money'],
  };
  return byKey(keys[field], descending);
}

/** Points of the interval that ends now; null: unknown event. */
export function readPriceHistory(
  state: State,
  id: EventId,
  mode: CurrencyMode,
  interval: TimeInterval = 'all_time',
): PriceHistoryView | null {
  const event = state.markets.event(id);
  if (event === null) return null;
  const samples = event.histories[mode].within(interval, state.now);
  return { mode, interval, points: samples.map((sample) => pointOf(event, sample)) };
}

function pointOf(event: VenueEvent, { at, prices }: PriceSample): PricePoint {
  const outcomes = event.markets.flatMap(({ id, config, order }) => {
    const price = prices[order] ?? 0;
    return price === 0 ? [] : [{ marketId: id, title: config.title, price }];
  });
  return { at, outcomes };
}
