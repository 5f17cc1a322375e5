import type { EventId, MarketId } from '../domain/ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../domain/units.js';
import type { Currency } from '../domain/vocabulary.js';

/** A market of the run. */
export interface DescribedMarket {
  readonly marketId: MarketId;
  readonly title: string;
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Name of the strategy instance that quotes it. */
  readonly strategy: string;
}

/** What an event is about of which nobody said it: all of them may be about one thing, and evidence is not to be flattered. */
export const UNSAID = 'unsaid';

/** An event of the run with the markets that are quoted. */
export interface DescribedEvent {
  readonly eventId: EventId;
  readonly title: string;
  /** What the event is about, where several events are about the same thing: they are no independent evidence. */
  readonly underlying: string;
  /** Time of the last that its recordings tell of it; null in a live run, which hears of it to its end. */
  readonly recordedUntil: Micros | null;
  /** SHA-256 of the recordings that show it, sorted; null or left out in a live run. */
  readonly recordings?: readonly string[] | null;
  /** SHA-256 of what is noted beside them; null or left out: nothing is. */
  readonly notes?: readonly string[] | null;
  readonly markets: readonly DescribedMarket[];
}

/** When a market counts as quoted. */
export interface UptimeRule {
  /** Widest distance of own bid and ask that still counts. */
  readonly maxSpread: PriceUnits;
  /** Least shares of either best quote. */
  readonly minShares: Shares;
}

/** What is known of a run before it begins. */
export interface RunDescription {
  readonly runId: string;
  /** `live`, `pessimistic`, `expected`, `optimistic`, or a name of the caller's. */
  readonly scenario: string;
  readonly currency: Currency;
  readonly startedAt: Micros;
  /** Calls at the venue before there was an engine: whose keys these are. */
  readonly callsBefore: number;
  readonly events: readonly DescribedEvent[];
  readonly uptime: UptimeRule;
  /** What shares sold at the end to mark them at executable depth would cost, per whole share. */
  readonly takerFee: Money;
  /** What the run takes for granted, a sentence each, for those who read the report. */
  readonly assumptions: readonly string[];
}

/** A quote counts when both sides stand within five cents of each other with a share or more. */
export const DEFAULT_UPTIME: UptimeRule = { maxSpread: 500 as PriceUnits, minShares: 100 as Shares };
