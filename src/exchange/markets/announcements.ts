/** What is told of events and markets at once when it happens (specification 6.2, facts "Events and markets"). */
import type { EventStatus, MarketStatus } from '../../domain/vocabulary.js';
import type { Floor } from '../floor.js';
import type { Market, VenueEvent } from './markets.js';

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
