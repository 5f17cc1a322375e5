/**
 * The contract between a strategy and the engine. Numbers here are floats in the units a trader thinks in:
 * probabilities of the long side, whole shares, currency units, milliseconds. The way back to ticks is the
 * engine's and names its rounding: bids down, asks up, shares down, so that no rounding makes a quote more aggressive.
 */
import type { Observable, SchedulerLike } from 'rxjs';
import type { EventId, MarketId } from '../domain/ids.js';
import type { Step } from '../domain/intent.js';
import type { Currency, EventStatus, ResolutionMode } from '../domain/vocabulary.js';
import type { Random } from '../ports/random.js';
import type { ParameterDeclarations, ParameterValues } from './parameters.js';

/** JSON without functions, dates or cycles: what a strategy may remember from one call to the next. */
export type PlainJson =
  null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

/** One foreign level: our own orders are already subtracted. */
export interface BookLevelView {
  /** Probability of the long side. */
  readonly price: number;
  /** Whole shares. */
  readonly shares: number;
}

/** The market's book without our own orders, in long-side probability, best first. */
export interface BookView {
  readonly bids: readonly BookLevelView[];
  readonly asks: readonly BookLevelView[];
  /** Best prices; null when the side shows nothing foreign. */
  readonly bid: number | null;
  readonly ask: number | null;
  /** (bid + ask) / 2; null on a one-sided book. */
  readonly mid: number | null;
  /** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) at the touch; null on a one-sided book. */
  readonly weightedMid: number | null;
  /** A side on which only our own orders are visible within the top N: what lies behind is unknown, not empty. */
  readonly hidden: { readonly bids: boolean; readonly asks: boolean };
  readonly ageMs: number;
}

/** What the instance holds in this market, in whole shares. */
export interface InventoryView {
  readonly long: number;
  readonly short: number;
  /** long - short. */
  readonly net: number;
  /** min(long, short): dead capital worth one unit each until resolution. */
  readonly paired: number;
  /** Average cost of what is held per position, null when nothing is. */
  readonly averageLong: number | null;
  readonly averageShort: number | null;
  /** Cash that no order has locked, in currency units. */
  readonly cashFree: number;
}

/** One of our own orders in long-side terms. */
export interface WorkingQuote {
  readonly side: 'bid' | 'ask';
  readonly price: number;
  /** Whole shares still to be filled. */
  readonly shares: number;
  readonly state: 'creating' | 'live' | 'updating' | 'cancelling' | 'unknown';
}

export interface FairValue {
  readonly p: number;
  readonly ageMs: number;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface MarketView {
  readonly id: MarketId;
  readonly title: string;
  /** Smallest price step, as probability. */
  readonly tick: number;
  readonly currency: Currency;
  /** Currency units per share taken and made; a negative maker fee is a rebate. */
  readonly takerFee: number;
  readonly makerFee: number;
  /** Least price x shares of one order in currency units. */
  readonly minAmount: number;
}

export interface EventView {
  readonly id: EventId;
  readonly title: string;
  readonly status: EventStatus;
  readonly resolutionMode: ResolutionMode;
  readonly isLive: boolean;
  /** Milliseconds until betting closes; null when no end is known. */
  readonly msToClose: number | null;
  /** The event's markets that this instance quotes, in the order of the configuration, this one included. */
  readonly markets: readonly {
    readonly id: MarketId;
    readonly weightedMid: number | null;
    readonly inventory: number;
  }[];
}

/** Everything a strategy may look at. It must not keep or change any of it. */
export interface StrategyContext<P extends ParameterDeclarations, S extends PlainJson> {
  readonly market: MarketView;
  readonly event: EventView;
  readonly book: BookView;
  readonly inventory: InventoryView;
  readonly working: readonly WorkingQuote[];
  /** Of the configured source; by default the weighted mid. Null: nobody knows, quote nothing. */
  readonly fair: FairValue | null;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly params: ParameterValues<P>;
  readonly state: S;
  readonly random: Random;
}

/** One desired quote. Steps explain the price and are printed by `oddsmith explain`. */
export interface Quote {
  /** Probability of the long side, strictly inside (0, 1). */
  readonly price: number;
  /** Whole shares, positive. */
  readonly shares: number;
  readonly reason: readonly Step[];
}

/** What should stand in the market from now on; best first. Empty sides withdraw. */
export interface Ladder<S extends PlainJson = PlainJson> {
  readonly bids: readonly Quote[];
  readonly asks: readonly Quote[];
  /** The memory for the next call; left out, it stays as it is. */
  readonly state?: S;
}

/** What a stream strategy emits, per market. */
export interface StreamedIntent {
  readonly marketId: MarketId;
  readonly ladder: Ladder;
}

interface StrategyBase<P extends ParameterDeclarations> {
  /** Kebab-case; configuration names it. */
  readonly name: string;
  readonly params: P;
}

/** A pure function of its context. */
export interface QuoteStrategy<
  P extends ParameterDeclarations = ParameterDeclarations,
  S extends PlainJson = PlainJson,
> extends StrategyBase<P> {
  readonly initialState?: S;
  readonly quote: (context: StrategyContext<P, S>) => Ladder<S>;
}

/**
 * For those who think in streams. The stream is subscribed once and run synchronously: what it emits while a
 * context is being pushed belongs to that step; time operators take `scheduler`, which is the engine's clock.
 */
export interface StreamStrategy<
  P extends ParameterDeclarations = ParameterDeclarations,
> extends StrategyBase<P> {
  readonly streams: (
    contexts: Observable<StrategyContext<P, PlainJson>>,
    scheduler: SchedulerLike,
  ) => Observable<StreamedIntent>;
}

export type Strategy<
  P extends ParameterDeclarations = ParameterDeclarations,
  S extends PlainJson = PlainJson,
> = QuoteStrategy<P, S> | StreamStrategy<P>;
