/** Events and their markets (facts, "Events and markets"). */
import type { EventView, MarketView } from '../../exchange/contract.js';
import type { ListedEvent, ListedMarket } from '../../venues/futuur/protocol/rest/events.js';
import { priceByCurrency } from './prices.js';
import { optionalTime } from './numbers.js';

export const listedEvent = (event: EventView): ListedEvent => ({
  id: event.id,
  title: event.title,
  slug: event.slug,
  status: event.status,
  category: [event.category],
  markets: event.markets.map(listedMarket),
  bet_start_date: optionalTime(event.betStart),
  bet_end_date: optionalTime(event.betEnd),
  event_start_date: optionalTime(event.eventStart),
  event_end_date: optionalTime(event.eventEnd),
  resolve_date: optionalTime(event.resolvedAt),
  resolution_mode: event.resolutionMode,
  description: event.description,
  is_binary: event.isBinary,
  is_live: event.isLive,
});

/** A market of an event by itself, with the id of the event. @param id of a market that the event has */
export const marketOf = (event: EventView, id: number): object => ({
  event: event.id,
  ...event.markets.filter((market) => market.id === id).map(listedMarket)[0],
});

const listedMarket = (market: MarketView): ListedMarket => ({
  id: market.id,
  title: market.title,
  price: priceByCurrency(market),
  status: market.status,
  long_label: market.longLabel,
  short_label: market.shortLabel,
  resolution: market.resolution,
  order: market.order,
  disabled: market.disabled,
  bet_start_date: optionalTime(market.betStart),
  bet_end_date: optionalTime(market.betEnd),
});
