/**
 * The contract between a strategy and the engine. Numbers here are floats in the units a trader thinks in:
 * probabilities of the long side, whole shares, currency units, milliseconds. The way back to ticks is the
 * engine's and names its rounding: bids down, asks up, shares down, so that no rounding makes a quote more aggressive.
 */
import type { Observable, SchedulerLike } from 'rxjs';
import type { EventId, MarketId } from '../../domain/ids.js';
import type { Step } from '../../domain/intent.js';
import type { Currency, EventStatus, ResolutionMode } from '../../domain/vocabulary.js';
import type { Random } from '../ports/random.js';
import type { ParameterDeclarations, ParameterValues } from './parameters.js';
import type { PlainJson } from './plain-json.js';

export type { PlainJson } from './plain-json.js';

/** One foreign level: our own orders are already subtracted. */
export interface BookLevelView {
  /** Probability of the long side. */
  readonly price: number;
  /** Whole shares. */
  readonly shares: number;
}

/** The market's book without our own orders, in long-side probability, best first. */
export interface BookView {
  /** Levels that somebody else bids; of a hidden side as seen last. */
  readonly bids: readonly BookLevelView[];
  /** Levels that somebody else asks. */
  readonly asks: readonly BookLevelView[];
  /** Best prices; null when the side shows nothing foreign. */
  readonly bid: number | null;
  /** The same of the asks. */
  readonly ask: number | null;
  /** (bid + ask) / 2; null on a one-sided book. */
  readonly mid: number | null;
  /** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) at the touch; null on a one-sided book. */
  readonly weightedMid: number | null;
  /**
   * A side on which only our own orders are visible within the top N: what lies behind is unseen, not empty. Levels
   * shown there are from the last signed read.
   */
  readonly hidden: { readonly bids: boolean; readonly asks: boolean };
  /** Milliseconds since the venue told it. */
  readonly ageMs: number;
}

/** What the instance holds in this market, in whole shares. */
export interface InventoryView {
  /** Held long; each pays one unit when the outcome comes true. */
  readonly long: number;
  /** Held short; each pays one unit when it does not. */
  readonly short: number;
  /** long - short. */
  readonly net: number;
  /** min(long, short): dead capital worth one unit each until resolution. */
  readonly paired: number;
  /** Average cost of a share held long; null when none is. */
  readonly averageLong: number | null;
  /** The same of short shares, by the price of a share of short. */
  readonly averageShort: number | null;
  /** Cash that no order has locked, in currency units. */
  readonly cashFree: number;
}

/** One of our own orders in long-side terms. */
export interface WorkingQuote {
  /** Of the market in long-side terms: a purchase of short is an ask. */
  readonly side: 'bid' | 'ask';
  /** Probability of the long side. */
  readonly price: number;
  /** Whole shares still to be filled. */
  readonly shares: number;
  /** `unknown`: the venue has not answered, and it counts as standing. */
  readonly state: 'creating' | 'live' | 'updating' | 'cancelling' | 'unknown';
}

/** What the outcome is worth. */
export interface FairValue {
  /** Probability of the long side, 0 to 1. */
  readonly p: number;
  /** Milliseconds since its source told it. */
  readonly ageMs: number;
  /** 0 to 1, as the source states it; 1 for the weighted mid. */
  readonly confidence: number;
}

/** The market that is to be quoted. */
export interface MarketView {
  /** Number of the market at the venue. */
  readonly id: MarketId;
  /** Name of the outcome. */
  readonly title: string;
  /** Smallest price step, as probability. */
  readonly tick: number;
  /** Of all amounts. */
  readonly currency: Currency;
  /** Currency units per share taken and made; a negative maker fee is a rebate. */
  readonly takerFee: number;
  /** The same of what rested before it was traded. */
  readonly makerFee: number;
  /** Least price x shares of one order in currency units. */
  readonly minAmount: number;
}

/** The question that the market belongs to. */
export interface EventView {
  /** Number of the event at the venue. */
  readonly id: EventId;
  /** The question. */
  readonly title: string;
  /** As the venue states it. */
  readonly status: EventStatus;
  /** `exclusive`: at most one of its markets comes true; the worse of the configuration's word and the venue's. */
  readonly resolutionMode: ResolutionMode;
  /** What it is about is being played. */
  readonly isLive: boolean;
  /** Milliseconds until betting closes; null when no end is known. */
  readonly msToClose: number | null;
  /** The event's markets that this instance quotes, in the order of the configuration, this one included. */
  readonly markets: readonly {
    readonly id: MarketId;
    readonly weightedMid: number | null;
    /** Net long whole shares. */
    readonly inventory: number;
  }[];
}

/** Everything a strategy may look at, true at this moment. It must not keep or change any of it. */
export interface StrategyContext<P extends ParameterDeclarations, S extends PlainJson> {
  /** The market that is to be quoted. */
  readonly market: MarketView;
  /** The question that it belongs to. */
  readonly event: EventView;
  /** Its book without our own orders. */
  readonly book: BookView;
  /** What the instance holds in it. */
  readonly inventory: InventoryView;
  /** Our own orders that stand in it or may stand. */
  readonly working: readonly WorkingQuote[];
  /** Of the configured source; by default the weighted mid. Null: nobody knows, quote nothing. */
  readonly fair: FairValue | null;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** As configured; the same until the bot ends. */
  readonly params: ParameterValues<P>;
  /** What the last ladder for this market left, else the strategy's `initialState`; frozen. */
  readonly state: S;
  /** Seeded; a stream of its own for every instance and market. */
  readonly random: Random;
}

/** One desired quote. Steps explain the price and are printed by `oddsmith explain`. */
export interface Quote {
  /** Probability of the long side, strictly inside (0, 1). */
  readonly price: number;
  /** Whole shares, rounded down to 0.01; what is less than that is not quoted. */
  readonly shares: number;
  /** How the price came about, in order; the rounding to the tick follows by itself. */
  readonly reason: readonly Step[];
}

/**
 * What should stand in the market from now on, every bid below every ask. An empty side withdraws it. The engine
 * sorts the levels and joins those that round to one tick.
 */
export interface Ladder<S extends PlainJson = PlainJson> {
  readonly bids: readonly Quote[];
  readonly asks: readonly Quote[];
  /** The memory for the next call; left out, it stays as it is. */
  readonly state?: S;
}

/** What a stream strategy emits: the newest ladder of a market replaces the one before. */
export interface StreamedIntent {
  readonly marketId: MarketId;
  readonly ladder: Ladder;
}

interface StrategyBase<P extends ParameterDeclarations> {
  /** Kebab-case; configuration names it. */
  readonly name: string;
  readonly params: P;
  /**
   * Levels a side that it quotes at most with these parameters. A configuration whose quotes could not all be moved
   * within the request budget is refused at the start; left out, one level a side is counted.
   */
  readonly depth?: (params: ParameterValues<P>) => number;
}

/** A pure function of its context, asked whenever something that it looked at may have changed. */
export interface QuoteStrategy<
  P extends ParameterDeclarations = ParameterDeclarations,
  S extends PlainJson = PlainJson,
> extends StrategyBase<P> {
  /** The memory of a market before its first ladder; left out, it is null. */
  readonly initialState?: S;
  readonly quote: (context: StrategyContext<P, S>) => Ladder<S>;
}

/** What a stream strategy is made from. */
export interface StreamContext<P extends ParameterDeclarations = ParameterDeclarations> {
  /** A context whenever something in it may have changed, of all markets of the instance in turn. */
  readonly contexts: Observable<StrategyContext<P, PlainJson>>;
  /** The engine's clock; every time operator takes it. */
  readonly scheduler: SchedulerLike;
}

/**
 * For those who think in streams. The stream is subscribed once and run synchronously: what it emits while a
 * context is pushed or time passes belongs to that step. It must neither complete nor emit at any other time.
 */
export interface StreamStrategy<
  P extends ParameterDeclarations = ParameterDeclarations,
> extends StrategyBase<P> {
  readonly streams: (context: StreamContext<P>) => Observable<StreamedIntent>;
}

export type Strategy<
  P extends ParameterDeclarations = ParameterDeclarations,
  S extends PlainJson = PlainJson,
> = QuoteStrategy<P, S> | StreamStrategy<P>;
