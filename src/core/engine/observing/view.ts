/** What screens, metrics and health may read of a running engine: a snapshot of plain values, made on demand. */
import type { EventId, MarketId } from '../../../domain/ids.js';
import type { Micros, Money, PriceUnits, Shares } from '../../../domain/units.js';
import type { Currency, CurrencyMode } from '../../../domain/vocabulary.js';
import type { CashShortage } from '../quoting/funds.js';
import type { FailingRequest } from '../guarding/failing-requests.js';
import type { PastNotice } from '../guarding/notices.js';
import type { KeptPause } from '../../risk/risk-state.js';
import type { Restriction } from '../../risk/quote-restriction.js';
import type { FairValue } from '../../strategy/contract.js';
import type { StandingSignal } from '../../strategy/signals/market-signals.js';

export type EnginePhase = 'starting' | 'running' | 'stopping' | 'ended';

/** One of our own quotes in long-side price units. */
export interface OwnQuoteView {
  readonly side: 'bid' | 'ask';
  readonly price: PriceUnits;
  readonly shares: Shares;
  readonly state: string;
}

export interface LevelView {
  readonly price: PriceUnits;
  readonly shares: Shares;
}

export interface MarketStateView {
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly title: string;
  readonly eventTitle: string;
  /** Name of the instance that quotes it; null: observed only. */
  readonly instance: string | null;
  readonly tradability: string;
  /** Why it may not be quoted now; null when it may. */
  readonly halted: string | null;
  /** The rule by which an order that is wanted now is refused, or what the venue said of it; null when none is. */
  readonly refusedBy: string | null;
  /** Part of the strategy's size that guards leave: 1 when nothing speaks against quoting in full, 0 when all does. */
  readonly sizeLeft: number;
  readonly book: {
    readonly freshness: string;
    /** Why it is so fresh, in a stable word. */
    readonly reason: string;
    /** Since the last update or agreeing read. */
    readonly ageMs: number | null;
    /** Since the last read: so long a channel may have been silent unnoticed. */
    readonly readAgeMs: number | null;
    /** Best levels of the venue's book, our own shares included. */
    readonly bid: LevelView | null;
    readonly ask: LevelView | null;
  };
  readonly fair: number | null;
  /** Signals of its strategy that have a value. */
  readonly signals: readonly StandingSignal[];
  readonly quotes: readonly OwnQuoteView[];
  readonly inventory: { readonly long: Shares; readonly short: Shares };
  /** Of the run, in money units of the run's currency, marked at the foreign mid. */
  readonly profit: Money;
  readonly fills: number;
}

/** One market with everything that a person may look at. */
export interface MarketDetailView extends MarketStateView {
  readonly tickUnits: number;
  /** The venue's book, best first, our own shares included. */
  readonly bids: readonly LevelView[];
  readonly asks: readonly LevelView[];
  readonly fairFrom: FairValue | null;
  /** Without our own shares, as probabilities. */
  readonly mid: number | null;
  readonly weightedMid: number | null;
  readonly restriction: Restriction;
}

/** What is left of the requests that the venue allows. */
export interface RequestsView {
  readonly perMinute: number;
  readonly perDay: number;
  /** That could leave at once. */
  readonly leftNow: number;
  readonly leftToday: number;
}

/** An event of which a market is quoted. */
export interface EventStateView {
  readonly eventId: EventId;
  /** What it brings at worst, every open order filled that costs; negative is a loss. Money units of the run's currency. */
  readonly worst: Money;
  /** `maxEventLoss` of who quotes it; the least of several. */
  readonly maxLoss: Money;
}

export interface FillView {
  readonly at: Micros;
  readonly marketId: MarketId;
  readonly side: 'bid' | 'ask';
  readonly position: 'long' | 'short';
  /** Average price of the named position. */
  readonly price: PriceUnits;
  readonly shares: Shares;
}

export interface EngineView {
  readonly phase: EnginePhase;
  readonly runId: string;
  readonly seq: number;
  readonly currency: Currency;
  readonly mode: CurrencyMode;
  /** Whether its orders go to a simulated venue. */
  readonly isPaper: boolean;
  readonly connection: { readonly state: string; readonly reason: string };
  readonly killed: string | null;
  /** What only a person can mend. */
  readonly alarms: readonly { readonly code: string; readonly text: string }[];
  /** Kinds of requests that get no usable answer now. */
  readonly failing: readonly FailingRequest[];
  readonly instances: readonly {
    readonly name: string;
    readonly strategy: string;
    readonly fault: string | null;
  }[];
  readonly markets: readonly MarketStateView[];
  readonly events: readonly EventStateView[];
  readonly requests: RequestsView;
  /** What a person holds back. */
  readonly pauses: readonly KeptPause[];
  readonly balance: { readonly total: Money | null; readonly free: Money | null };
  readonly profit: Money;
  readonly counts: EngineCounts;
  /** Cash that quotes would lock and that is not there: now, and at its worst in the run; null: there was enough. */
  readonly cashShort: { readonly now: CashShortage | null; readonly worst: CashShortage | null };
  /** The latest, newest first, at most 20. */
  readonly recentFills: readonly FillView[];
  /** The latest notices, newest first, at most 20. */
  readonly notices: readonly PastNotice[];
}

/** Monotonic counts since the start of the run. */
export interface EngineCounts {
  readonly inputs: Readonly<Record<string, number>>;
  readonly requests: Readonly<Record<string, number>>;
  readonly ordersCreated: number;
  readonly ordersReplaced: number;
  readonly ordersCancelled: number;
  readonly fills: number;
  readonly sharesFilled: Shares;
  /** Of these, what no order was told to have traded: the venue's holdings alone show them. */
  readonly sharesInferred: Shares;
  readonly amountFilled: Money;
  /** Fills of orders that traded at once although they were to rest. */
  readonly takes: number;
  readonly amountTaken: Money;
  readonly refusals: Readonly<Record<string, number>>;
  /** How long `ordersPerMinute` made quotes move less often than wanted, in milliseconds: of the instance it held most. */
  readonly pacedMs: number;
  /** How often the venue's view was not ours, by what of: book, order, holding, cash. */
  readonly differences: Readonly<Record<string, number>>;
  readonly malformedFrames: number;
  readonly resyncs: number;
  readonly decisions: number;
}
