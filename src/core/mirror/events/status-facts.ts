/** Pure pieces of taking over what a message or a read says about events and markets. */
import type { MarketStatusInput, MarketListedInput } from '../../../domain/inputs.js';
import type { EventDescription, MarketDescription } from '../../../domain/market.js';
import type { Micros } from '../../../domain/units.js';
import { EVENT_STATUSES, MARKET_STATUSES } from '../../../domain/vocabulary.js';
import { type EventRecord, type MarketRecord, NEVER_TOLD, type ToldAt } from './catalogue.js';
import type { ResolutionNews } from './resolution-claims.js';

/** @returns whether the field had another value */
export function assign<R extends object, K extends keyof R>(record: R, field: K, value: R[K]): boolean {
  if (record[field] === value) return false;
  record[field] = value;
  return true;
}

/**
 * Takes over what a status message states, unless a newer one stated it before.
 * @param value undefined where the message does not say
 * @param time  venue time of the message; null is newer than everything
 * @returns whether the field had another value
 */
export function tell<K extends keyof ToldAt, R extends { toldAt: ToldAt | null } & Record<K, unknown>>(
  record: R,
  field: K,
  value: R[K] | undefined,
  time: Micros | null,
): boolean {
  if (value === undefined) return false;
  if (time !== null) {
    record.toldAt ??= { ...NEVER_TOLD };
    if (time < record.toldAt[field]) return false;
    record.toldAt[field] = time;
  }
  return assign(record, field, value);
}

/** What became of a statement: it was known, was taken over, or was left to a read to settle. */
export type Told = 'same' | 'taken' | 'left';

/**
 * Takes over what a message without a time states. A newer one may have overtaken it on another channel, so it may
 * halt, but it lifts a halt only where nothing else could.
 * @param lifted the value that halts nothing
 */
export function tellUntimed<R extends object, K extends keyof R>(
  record: R,
  field: K,
  value: R[K],
  lifted: R[K],
  mayLift: boolean,
): Told {
  if (value === lifted && !mayLift) return record[field] === value ? 'same' : 'left';
  return assign(record, field, value) ? 'taken' : 'same';
}

/** @returns whether the bet window was another */
export function tellWindow(record: EventRecord | MarketRecord, input: MarketStatusInput): boolean {
  const startChanged = tell(record, 'betStart', input.betStart, input.venueTime);
  return tell(record, 'betEnd', input.betEnd, input.venueTime) || startChanged;
}

/** Whether the status is one that its subject, a market or a whole event, can have. */
export function hasFittingStatus(input: MarketStatusInput): boolean {
  if (input.status === undefined) return true;
  const statuses: readonly string[] = input.marketId === null ? EVENT_STATUSES : MARKET_STATUSES;
  return statuses.includes(input.status);
}

/**
 * What a read says about an event; what it leaves open stays as it was.
 * @returns what there is to tell of how it resolves
 */
export function takeOverEvent(event: EventRecord, told: EventDescription): ResolutionNews | null {
  const news = event.claims.venueSays(told.resolutionMode);
  event.title = told.title;
  event.status = told.status;
  event.resolutionMode = event.claims.mode;
  event.isLive = told.isLive ?? event.isLive;
  event.wagerable = null;
  event.betStart = told.betStart ?? event.betStart;
  event.betEnd = told.betEnd ?? event.betEnd;
  event.eventStart = told.eventStart ?? event.eventStart;
  event.eventEnd = told.eventEnd ?? event.eventEnd;
  return news;
}

export function takeOverMarket(market: MarketRecord, told: MarketDescription): void {
  market.title = told.title;
  market.status = told.status;
  market.disabled = told.disabled ?? market.disabled;
  market.resolution = told.resolution;
  market.betStart = told.betStart ?? market.betStart;
  market.betEnd = told.betEnd ?? market.betEnd;
}

/** The default grid of the venue (facts, "Trading rules"). */
const DEFAULT_TICK_UNITS = 100;

/** A market that configuration does not name is taken to have the grid of its siblings. */
export const tickUnitsAmong = (event: EventRecord): number =>
  event.markets[0]?.tickUnits ?? DEFAULT_TICK_UNITS;

export const describeNew = (input: MarketListedInput, event: EventRecord): MarketDescription => ({
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
