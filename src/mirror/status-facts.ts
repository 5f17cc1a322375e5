/** Pure pieces of taking over what a message or a read says about events and markets. */
import type { MarketStatusChange, NewMarket } from '../domain/inputs.js';
import type { EventDescription, MarketDescription } from '../domain/market.js';
import type { Micros } from '../domain/units.js';
import { EVENT_STATUSES, MARKET_STATUSES } from '../domain/vocabulary.js';
import type { EventRecord, MarketRecord } from './catalogue.js';

/** @returns whether the field had another value */
export function assign<R extends object, K extends keyof R>(record: R, field: K, value: R[K]): boolean {
  if (record[field] === value) return false;
  record[field] = value;
  return true;
}

/** @returns whether the bet window was another; what the message does not say stays */
export function assignWindow(record: EventRecord | MarketRecord, input: MarketStatusChange): boolean {
  const start = input.betStart !== undefined && assign(record, 'betStart', input.betStart);
  return (input.betEnd !== undefined && assign(record, 'betEnd', input.betEnd)) || start;
}

/** Whether the status is one that its subject, a market or a whole event, can have. */
export function hasFittingStatus(input: MarketStatusChange): boolean {
  if (input.status === undefined) return true;
  const words: readonly string[] = input.marketId === null ? EVENT_STATUSES : MARKET_STATUSES;
  return words.includes(input.status);
}

/** A message without a time is never older. */
export const isOlder = (told: Micros | null, applied: Micros | null): boolean =>
  told !== null && applied !== null && told < applied;

/** What a read says about an event; bet and event times it leaves open stay as they were. */
export function takeOverEvent(event: EventRecord, told: EventDescription): void {
  event.title = told.title;
  event.status = told.status;
  event.resolutionMode = told.resolutionMode;
  event.isLive = told.isLive;
  event.wagerable = null;
  event.betStart = told.betStart ?? event.betStart;
  event.betEnd = told.betEnd ?? event.betEnd;
  event.eventStart = told.eventStart ?? event.eventStart;
  event.eventEnd = told.eventEnd ?? event.eventEnd;
}

export function takeOverMarket(market: MarketRecord, told: MarketDescription): void {
  market.title = told.title;
  market.status = told.status;
  market.disabled = told.disabled;
  market.resolution = told.resolution;
  market.betStart = told.betStart ?? market.betStart;
  market.betEnd = told.betEnd ?? market.betEnd;
}

/** The default grid of the venue (facts, "Trading rules"). */
const DEFAULT_TICK_UNITS = 100;

/** A market that configuration does not name is taken to have the grid of its siblings. */
export const tickUnitsAmong = (event: EventRecord): number =>
  event.markets[0]?.tickUnits ?? DEFAULT_TICK_UNITS;

export const describeNew = (input: NewMarket, event: EventRecord): MarketDescription => ({
  id: input.marketId,
  eventId: event.id,
  title: input.title,
  tickUnits: tickUnitsAmong(event),
  status: input.status,
  disabled: false,
  betStart: input.betStart,
  betEnd: input.betEnd,
  resolution: null,
  longLabel: '',
  shortLabel: '',
});
