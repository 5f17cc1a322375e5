import type { EventId, MarketId } from '../../domain/ids.js';
import type { EventDescription, TradingTerms } from '../../domain/market.js';
import type { Micros } from '../../domain/units.js';
import type { BudgetLimits, Spending } from '../execution/sending/budget.js';
import type { MarketOwnership } from '../../domain/vocabulary.js';
import type { DeskOptions } from '../execution/desk.js';
import type { SchedulerPolicy } from '../execution/sending/scheduler.js';
import type { MirrorSettings } from '../mirror/settings.js';
import type { JournalRecord } from '../ports/journal.js';
import type { VenueProfile } from '../../venues/port.js';
import type { Random } from '../ports/random.js';
import type { RiskState } from '../risk/risk-state.js';
import type { RiskLimits, Windows } from '../risk/index.js';
import type { PreClosePolicy } from '../risk/quote-restriction.js';
import type { EndedMarket } from './guarding/reversals.js';
import type { StrategyInstance } from '../strategy/instance.js';

/** One strategy instance with the markets it quotes and the limits it has to keep. */
export interface QuotingInstance {
  readonly instance: StrategyInstance;
  /** In the order of the configuration; no market belongs to two instances. */
  readonly markets: readonly MarketId[];
  readonly limits: RiskLimits;
}

/** Steps on the way out of a market, and what counts as its close besides the end of betting. */
export interface PreClosing extends PreClosePolicy {
  readonly atEventStart: boolean;
  readonly whenLive: boolean;
}

/** When betting on an event closes, and who says so. */
export interface StatedClose {
  readonly at: Micros;
  readonly from: 'file' | 'recording';
}

/** A time of news in which an event is not quoted. */
export interface InformationWindow {
  readonly from: Micros;
  readonly to: Micros;
}

export interface QuotingPolicy {
  readonly toleranceTicks: number;
  /** Share units (0.01). */
  readonly toleranceShares: number;
  /** What was filled of a quote is put back once it is this share of the quote; 0: at once. */
  readonly refillShare: number;
  readonly minRestMs: number;
  readonly preClose: PreClosing;
  /** Orders are to be cancelled by the venue so long after they were last stated; null: never. At least 120 s. */
  readonly expiryMs: number | null;
  /** Every quote is to be able to move this often, or the run does not begin; null: as often as requests allow. */
  readonly requoteEveryMs: number | null;
  readonly heldFirst: boolean;
  /** How long books may know less of our orders than answers told, unless a private frame tells. */
  readonly graceMs: number;
}

/** Where the fair value of a market comes from, instead of its book. */
export interface FairSource {
  /** As the configuration names it. */
  readonly name: string;
  /** A value that is older is not used. */
  readonly maxAgeMs: number;
  /** Without a value that is young enough the market is not quoted, or the strategy is asked without a fair value. */
  readonly whenStale: 'halt' | 'unknown';
}

/** Options of a running engine: the command `configure` changes these. */
export interface RunningOptions extends EngineOptions {
  events: readonly EventDescription[];
  readonly ownership: Map<MarketId, MarketOwnership>;
  instances: readonly RunningInstance[];
  readonly winners: Map<EventId, number>;
  readonly closings: Map<EventId, StatedClose>;
  readonly categories: Map<EventId, string>;
  readonly underlyings: Map<EventId, string>;
  readonly informationWindows: Map<EventId, readonly InformationWindow[]>;
}

interface RunningInstance extends QuotingInstance {
  markets: readonly MarketId[];
  limits: RiskLimits;
}

/** A copy of what may change, so that two engines of the same options share nothing. */
export const runningOptions = (options: EngineOptions): RunningOptions => ({
  ...options,
  ownership: new Map(options.ownership),
  instances: options.instances.map((one) => ({ ...one })),
  winners: new Map(options.winners),
  closings: new Map(options.closings),
  categories: new Map(options.categories),
  underlyings: new Map(options.underlyings),
  informationWindows: new Map(options.informationWindows),
});

/** Everything a run is made of; together with the inputs it determines every decision. */
export interface EngineOptions {
  /** Letters, digits, dashes. */
  readonly runId: string;
  /** What the venue can do. */
  readonly venue: VenueProfile;
  readonly terms: TradingTerms;
  /** As configured; the venue's word replaces statuses and dates. */
  readonly events: readonly EventDescription[];
  /** Markets not named here are not ours to touch. */
  readonly ownership: ReadonlyMap<MarketId, MarketOwnership>;
  readonly instances: readonly QuotingInstance[];
  readonly quoting: QuotingPolicy;
  /** Markets whose tick the book and refusals teach; that of others is as configured. */
  readonly learnedGrids: readonly MarketId[];
  /** How many markets resolve long, of events of which that is certain. */
  readonly winners: ReadonlyMap<EventId, number>;
  /** When betting on events closes by another word than the venue's, which counts before it. */
  readonly closings: ReadonlyMap<EventId, StatedClose>;
  /** Of events that share a limit with others of their category. */
  readonly categories: ReadonlyMap<EventId, string>;
  /** By event; an event without any is left out. */
  readonly informationWindows: ReadonlyMap<EventId, readonly InformationWindow[]>;
  /** By market; a market that is not named here is worth the weighted mid of its book. */
  readonly fairSources: ReadonlyMap<MarketId, FairSource>;
  /** What events are about, as configured, for who compares runs; no decision rests on it. Of an event not named nobody said. */
  readonly underlyings: ReadonlyMap<EventId, string>;
  /** What to do with own orders that already rest at the start. */
  readonly startOrders: 'cancel' | 'adopt';
  /** What the journal knows that runs before left open. */
  readonly recovered: readonly JournalRecord[];
  /** What guards latched in runs before. */
  readonly riskState: RiskState;
  /** What of runs before still counts in the windows of guards. */
  readonly windows: Windows;
  /** Markets that the run before knew to have ended. */
  readonly ended: readonly EndedMarket[];
  readonly mirror: MirrorSettings;
  readonly budget: BudgetLimits;
  /**
   * How many runs trade the account at the same time, each of them other events. Each uses its share of the cash and looks
   * at its own markets alone. Left out: this one has the account to itself.
   */
  readonly accountParts?: number;
  /** What the run before used of the budget; null: nothing, or nobody knows. */
  readonly spending: Spending | null;
  /** Calls that it took to learn whose keys these are: one, or two when the clock of the machine was wrong. */
  readonly callsBefore: number;
  /** Microseconds that the venue's clock was ahead of ours by their answers; 0 where it is not worth mentioning. */
  readonly venueAhead: number;
  readonly scheduler: SchedulerPolicy;
  readonly clockWindowMs: number;
  readonly settlement: DeskOptions['settlement'];
  readonly withdrawal: DeskOptions['withdrawal'];
  readonly random: Random;
}
