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
import type { SignalDeclarations } from './signals/kinds.js';

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
  /** Bids of others, best first; on a hidden side the levels seen last. */
  readonly bids: readonly BookLevelView[];
  /** Asks of others, best first; on a hidden side the levels seen last. */
  readonly asks: readonly BookLevelView[];
  /** Best bid of others; null when there is none. */
  readonly bid: number | null;
  /** Best ask of others; null when there is none. */
  readonly ask: number | null;
  /** (bid + ask) / 2; null on a one-sided book. */
  readonly mid: number | null;
  /** I ask + (1 - I) bid with I = bid shares / (bid + ask shares) at the touch; null on a one-sided book. */
  readonly weightedMid: number | null;
  /**
   * True for a side that shows only our own orders. Levels of others behind them are unseen, not absent. The levels
   * given here are then from the last signed read.
   */
  readonly hidden: { readonly bids: boolean; readonly asks: boolean };
  /** Milliseconds since the last update or agreeing read. A quiet book grows old and is still the venue's. */
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
  /** Average cost of a share held short, in the price of short; null when none is. */
  readonly averageShort: number | null;
  /** Cash that no order has locked, in currency units. */
  readonly cashFree: number;
}

/** One of our own orders in long-side terms. */
export interface WorkingQuote {
  /** Side in long-side terms: a purchase of short is an ask. */
  readonly side: 'bid' | 'ask';
  /** Probability of the long side. */
  readonly price: number;
  /** Whole shares still to be filled. */
  readonly shares: number;
  /** `unknown`: the venue has not answered; the order counts as open. */
  readonly state: 'creating' | 'live' | 'updating' | 'cancelling' | 'unknown';
}

/** A signal of the market: what was measured, and how far to trust it. */
export interface SignalView {
  /** In the unit of its kind. */
  readonly value: number;
  /** Milliseconds since its source was last good; 0 while it is. */
  readonly ageMs: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Observations behind the value. */
  readonly count: number;
}

/** Shares of one of our orders that traded. */
export interface FillView {
  /** Side in long-side terms: a purchase of short is an ask. */
  readonly side: 'bid' | 'ask';
  /** Probability of the long side, before fees. */
  readonly price: number;
  /** Whole shares. */
  readonly shares: number;
  /** Whether our order rested or met one that did; `unknown` where no source tells. */
  readonly liquidity: 'maker' | 'taker' | 'unknown';
  /** Mid of others at the last look before it; null on a one-sided book. */
  readonly midBefore: number | null;
}

/** A trade in the market, ours or not, as the venue told of it. */
export interface TradeView {
  /** Probability of the long side. */
  readonly price: number;
  /** Whole shares. */
  readonly shares: number;
  /** `bid`: the taker bought long; null where the venue does not say. */
  readonly takerSide: 'bid' | 'ask' | null;
}

/** What the outcome is worth. */
export interface FairValue {
  /** Probability of the long side, 0 to 1. */
  readonly p: number;
  /** Milliseconds since the time that its source stated, else since it came. Of the weighted mid: since both sides were seen last, 0 while they are. */
  readonly ageMs: number;
  /** 0 to 1, as the source states it; 1 for the weighted mid. */
  readonly confidence: number;
  /** Name of the source; left out for the weighted mid. */
  readonly source?: string;
}

/** The market that is to be quoted. */
export interface MarketView {
  /** Id of the market at the venue, as text. */
  readonly id: MarketId;
  /** Name of the outcome. */
  readonly title: string;
  /** Smallest price step, as probability. */
  readonly tick: number;
  /** Currency of all amounts. */
  readonly currency: Currency;
  /** Taker fee in currency units per share. */
  readonly takerFee: number;
  /** Maker fee in currency units per share; a negative fee is a rebate. */
  readonly makerFee: number;
  /** Least price x shares of one order in currency units. */
  readonly minAmount: number;
}

/** One way in which an event can end. */
export interface ScenarioView {
  /** `wins`: the market resolves long. `none`: no market does. `void`: any ending in which markets may be void. */
  readonly ending: 'wins' | 'none' | 'void';
  /** The winner; null where there is none. */
  readonly market: MarketId | null;
  /** Least profit then in currency units: shares held, and every open or leaving order filled that costs. */
  readonly profit: number;
}

/** What the limits of the instance leave to a new ladder in this market, its own open orders not counted. */
export interface RoomView {
  /** Whole shares that all bids may reach before the net position is at its limit. */
  readonly bidShares: number;
  /** The same of all asks. */
  readonly askShares: number;
  /** Most whole shares of one order. */
  readonly orderShares: number;
  /** Greatest price x shares of one order, in currency units. */
  readonly orderAmount: number;
  /** Currency units by which the worst case of the event may grow. */
  readonly eventLoss: number;
  /** The same of all events of its category together; null: no such limit. */
  readonly categoryLoss: number | null;
  /** The same of all events of the run together; null: no such limit. */
  readonly accountLoss: number | null;
  /** Currency units that open orders may lock besides; null: as much as there is. */
  readonly locked: number | null;
  /** Currency units that may be taken now, of what `limits.taking` allows within an hour; 0 where it allows nothing. */
  readonly taking: number;
}

/** The question that the market belongs to. */
export interface EventView {
  /** Id of the event at the venue, as text. */
  readonly id: EventId;
  /** The question. */
  readonly title: string;
  /** As the venue states it. */
  readonly status: EventStatus;
  /** `exclusive`: at most one market wins. If configuration and venue disagree, the stricter applies. */
  readonly resolutionMode: ResolutionMode;
  /** True while the game or match is being played. */
  readonly isLive: boolean;
  /** Least and most markets of the event that resolve long. */
  readonly winners: { readonly least: number; readonly most: number };
  /** True where it is certain how many markets resolve long: one of these outcomes happens. */
  readonly exhaustive: boolean;
  /** Every way in which the event can end, over all its markets. Whoever reads it is woken as by {@link markets}. */
  readonly scenarios: readonly ScenarioView[];
  /** Milliseconds until betting closes; null when no end is known. */
  readonly msToClose: number | null;
  /** Who says when betting closes; null when nobody does. */
  readonly closesFrom: 'venue' | 'file' | 'recording' | null;
  /** Markets of the event that this instance quotes, this market included, in the order of the configuration. */
  readonly markets: readonly {
    readonly id: MarketId;
    readonly weightedMid: number | null;
    /** Fair value as a probability of the long side; null while nobody knows. */
    readonly fair: number | null;
    /** Net long whole shares. */
    readonly inventory: number;
    /** True while the engine quotes nothing there. */
    readonly halted: boolean;
  }[];
}

/** Everything a strategy may look at, true at this moment. It may keep a context, but must not change it. */
export interface StrategyContext<
  P extends ParameterDeclarations,
  S extends PlainJson,
  N extends string = string,
> {
  /** The market that is to be quoted. */
  readonly market: MarketView;
  /** The event that the market belongs to. */
  readonly event: EventView;
  /** Book of the market without our own orders. */
  readonly book: BookView;
  /** What the instance holds in the market. */
  readonly inventory: InventoryView;
  /** What the limits leave. Whoever reads it is woken as by `event.markets`. */
  readonly room: RoomView;
  /** Our own orders in the market that are open or may be open. */
  readonly working: readonly WorkingQuote[];
  /** Fair value of the configured source, by default the weighted mid. Null: unknown, so quote nothing. */
  readonly fair: FairValue | null;
  /** The declared signals by name; null: no value yet, or older than `maxAgeMs`. */
  readonly signals: Readonly<Record<N, SignalView | null>>;
  /** Own fills since the last call for this market, oldest first, at most 100. */
  readonly fills: readonly FillView[];
  /** Trades since the last call for this market, oldest first, at most 100; none where the venue tells of none. */
  readonly trades: readonly TradeView[];
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Values of the configuration; `oddsmith reload` may change them while the bot runs. */
  readonly params: ParameterValues<P>;
  /** State that the last ladder for this market left, else `initialState`; frozen. */
  readonly state: S;
  /** Seeded random numbers; every instance and market has its own stream. */
  readonly random: Random;
  /**
   * Says something in the log of the bot, with instance and market; ten different lines in ten seconds for each market, the
   * next one says how many were left out. Nothing is said in a replay.
   * @param details written as JSON behind the message
   */
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
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
  /** Ask again after so many milliseconds, though nothing comes in. Left out: when something changes. */
  readonly wakeInMs?: number;
}

/** What a stream strategy emits: the newest ladder of a market replaces the one before. */
export interface StreamedIntent {
  readonly marketId: MarketId;
  readonly ladder: Ladder;
}

/** Signals by name, or a function of the parameters that gives them. A file may change and add to them. */
export type DeclaresSignals<P extends ParameterDeclarations, N extends string = string> =
  SignalDeclarations<N> | ((params: ParameterValues<P>) => SignalDeclarations<N>);

interface StrategyBase<P extends ParameterDeclarations, N extends string = string> {
  /** Kebab-case; configuration names it. */
  readonly name: string;
  readonly params: P;
  /** What is to be measured for it; `context.signals` has the values. */
  readonly signals?: DeclaresSignals<P, N>;
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
  N extends string = string,
> extends StrategyBase<P, N> {
  /** One market at a time; left out, it means the same. */
  readonly scope?: 'market';
  /** The memory of a market before its first ladder; left out, it is null. */
  readonly initialState?: S;
  /**
   * Names the form of the state. A state is kept across restarts, and taken over while the name of the strategy and this
   * version are the same; left out, every start begins anew.
   */
  readonly stateVersion?: number | string;
  readonly quote: (context: StrategyContext<P, S, N>) => Ladder<S>;
}

/** One outcome as an event strategy sees it: what a strategy of one market sees, but for parameters and state. */
export type OutcomeContext = Omit<StrategyContext<ParameterDeclarations, PlainJson>, 'params' | 'state'>;

/** Everything that a strategy of a whole event may look at. */
export interface EventContext<P extends ParameterDeclarations, S extends PlainJson> {
  /** With all its markets that the instance quotes in `event.markets`, those that may not be quoted now among them. */
  readonly event: EventView;
  /** The outcomes that may be quoted now, in the order of the configuration; at least one. */
  readonly markets: readonly OutcomeContext[];
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly params: ParameterValues<P>;
  /** State that the last answer for this event left, else `initialState`; frozen. */
  readonly state: S;
  readonly random: Random;
  /** See `StrategyContext.log`; the line names the first of the markets. */
  readonly log: StrategyContext<P, S>['log'];
}

/** What should stand in the event from now on. */
export interface EventLadders<S extends PlainJson = PlainJson> {
  /** By id of the market. In a market that is left out nothing is quoted. */
  readonly ladders:
    | Readonly<Record<string, Pick<Ladder, 'bids' | 'asks'>>>
    | ReadonlyMap<string, Pick<Ladder, 'bids' | 'asks'>>;
  /**
   * Shares to trade at once, at most one take for each market; its side has no quotes meanwhile. All of them are left out
   * together where `limits.taking` does not cover them at their worst prices. What is not filled rests until the next answer.
   */
  readonly takes?: readonly Take[];
  /** The memory for the next call; left out, it stays as it is. */
  readonly state?: S;
  /** Ask again after so many milliseconds, though nothing comes in. */
  readonly wakeInMs?: number;
}

/** An order that is to meet the quotes of others. */
export interface Take {
  readonly marketId: MarketId;
  /** `bid` buys long. */
  readonly side: 'bid' | 'ask';
  /** The worst price, as probability of the long side. */
  readonly price: number;
  /** Whole shares. */
  readonly shares: number;
}

/** Asked once a step for all outcomes of an event that the instance quotes, whenever one of them may have changed. */
export interface EventStrategy<
  P extends ParameterDeclarations = ParameterDeclarations,
  S extends PlainJson = PlainJson,
> extends StrategyBase<P> {
  readonly scope: 'event';
  /** The memory of an event before its first ladders; left out, it is null. */
  readonly initialState?: S;
  /** See {@link QuoteStrategy.stateVersion}. */
  readonly stateVersion?: number | string;
  readonly quote: (context: EventContext<P, S>) => EventLadders<S>;
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
> = QuoteStrategy<P, S> | EventStrategy<P, S> | StreamStrategy<P>;
