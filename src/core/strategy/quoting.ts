/** Small pure pieces that most strategies need; exported through the sdk. */
import * as rx from 'rxjs';
import type { MonoTypeOperatorFunction, Observable, SchedulerLike } from 'rxjs';
import type { Step } from '../../domain/intent.js';
import type {
  BookView,
  EventStrategy,
  MarketView,
  Quote,
  WorkingQuote,
  PlainJson,
  QuoteStrategy,
  StreamStrategy,
} from './contract.js';
import type { ParameterDeclarations } from './parameters.js';

/** The part of a context that says what others may trade against. */
export interface TouchView {
  readonly book: BookView;
  readonly working: readonly WorkingQuote[];
  readonly market: MarketView;
}

/** Differences of probabilities below this are the error of float arithmetic. */
const FLOAT_NOISE = 1e-9;

/** Nothing on either side: withdraw. */
export const NO_QUOTES = { bids: [], asks: [] } as const;

/**
 * Keeps a bid at least one tick below every ask that is known, because the venue has no post-only orders. While only
 * our own asks are visible, what stands behind them is unseen, and the best of ours bounds the bid: a hidden side
 * never makes it more aggressive.
 * @param price where the bid would like to stand
 * @returns the price, or null when no bid can stand passively; a NaN stays one, so that the fault is seen
 */
export function passiveBid(price: number, { book, working, market }: TouchView): number | null {
  const own = book.hidden.asks ? bestOf(working, 'ask') : null;
  if (book.hidden.asks && own === null && book.ask === null) return null;
  const ask = Math.min(book.ask ?? 1, own ?? 1);
  const passive = Math.min(price, ask - market.tick);
  return passive < market.tick - FLOAT_NOISE ? null : passive;
}

/** Mirror image of {@link passiveBid}. */
export function passiveAsk(price: number, { book, working, market }: TouchView): number | null {
  const own = book.hidden.bids ? bestOf(working, 'bid') : null;
  if (book.hidden.bids && own === null && book.bid === null) return null;
  const bid = Math.max(book.bid ?? 0, own ?? 0);
  const passive = Math.max(price, bid + market.tick);
  return passive > 1 - market.tick + FLOAT_NOISE ? null : passive;
}

function bestOf(working: readonly WorkingQuote[], side: WorkingQuote['side']): number | null {
  let best: number | null = null;
  for (const quote of working) {
    if (quote.side !== side) continue;
    if (best === null || (side === 'ask' ? quote.price < best : quote.price > best)) best = quote.price;
  }
  return best;
}

/**
 * Whether an order of this size would reach the venue's least amount however it is routed: buying the position
 * costs p a share, or 1 - p through the complement. A NaN passes, so that the fault is seen.
 */
export const reachesMinimum = (price: number, shares: number, market: MarketView): boolean =>
  !(shares <= 0 || Math.min(price, 1 - price) * shares < market.minAmount - FLOAT_NOISE);

/**
 * Builds a quote with its reason.
 * @param steps named parts of the price that add up to it, in order; a difference is what keeping the quote passive
 *   took and is named so. As a list they are the reason itself, which is the cheapest for strategies asked often
 */
export function quoteAt(
  price: number,
  shares: number,
  steps: Readonly<Record<string, number>> | readonly Step[],
): Quote {
  const reason = isList(steps) ? steps : stepsOf(steps);
  let sum = 0;
  for (let step = 0; step < reason.length; step++) sum += reason[step]!.value;
  if (Math.abs(price - sum) <= FLOAT_NOISE) return { price, shares, reason };
  return { price, shares, reason: [...reason, { label: 'passive', value: price - sum }] };
}

const isList = (steps: Readonly<Record<string, number>> | readonly Step[]): steps is readonly Step[] =>
  Array.isArray(steps);

const stepsOf = (steps: Readonly<Record<string, number>>): Step[] =>
  Object.keys(steps).map((label) => ({ label, value: steps[label]! }));

/** One side as a strategy wishes it, before it is made passive. No shares: nothing on this side. */
export interface Wish {
  /** Probability of the long side. */
  readonly price: number;
  readonly shares: number;
  /** See {@link quoteAt}. */
  readonly steps: Readonly<Record<string, number>>;
}

/** One quote a side, kept passive. A side that cannot stand, or is below the venue's least amount, is left out. */
export function twoSided(
  context: TouchView,
  bid: Wish,
  ask: Wish,
): { readonly bids: readonly Quote[]; readonly asks: readonly Quote[] } {
  return {
    bids: wished(passiveBid(bid.price, context), bid, context.market),
    asks: wished(passiveAsk(ask.price, context), ask, context.market),
  };
}

const wished = (price: number | null, { shares, steps }: Wish, market: MarketView): readonly Quote[] =>
  price !== null && reachesMinimum(price, shares, market) ? [quoteAt(price, shares, steps)] : [];

/**
 * Declares a strategy. Types of `context.params` follow from `params`, the type of `context.state` from
 * `initialState`, the names of `context.signals` from `signals`, which stands before `quote`. Without an initial state the
 * state is null.
 */
export function defineStrategy<
  const P extends ParameterDeclarations,
  S extends PlainJson = null,
  const N extends string = never,
>(strategy: QuoteStrategy<P, S, N>): QuoteStrategy<P, S, N> {
  return strategy;
}

/** Declares a strategy that quotes all outcomes of an event together. */
export function defineEventStrategy<const P extends ParameterDeclarations, S extends PlainJson = null>(
  strategy: Omit<EventStrategy<P, S>, 'scope'>,
): EventStrategy<P, S> {
  return { ...strategy, scope: 'event' };
}

/** Declares a strategy that maps a stream of contexts to a stream of intents. */
export function defineStreamStrategy<const P extends ParameterDeclarations>(
  strategy: StreamStrategy<P>,
): StreamStrategy<P> {
  return strategy;
}

/*
 * The Rx operators that wait, as strategies get them. The scheduler is not optional, because the default scheduler of Rx
 * is the machine's clock. They are not beside the runner of streams, so that `oddsmith/sdk` needs no types of Node.
 */

/** The newest value once so many milliseconds have passed since the first that was held back. */
export const auditTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.auditTime(ms, scheduler);

/** A value once so many milliseconds have passed without another. */
export const debounceTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.debounceTime(ms, scheduler);

/** Every value so many milliseconds later. */
export const delay = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.delay(ms, scheduler);

/** 0, 1, 2 and so on, one every so many milliseconds. */
export const interval = (ms: number, scheduler: SchedulerLike): Observable<number> =>
  rx.interval(ms, scheduler);

/** The newest value every so many milliseconds, when there is a new one. */
export const sampleTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.sampleTime(ms, scheduler);

/** A value and then none for so many milliseconds. */
export const throttleTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.throttleTime(ms, scheduler);

/** 0 after so many milliseconds. */
export const timer = (ms: number, scheduler: SchedulerLike): Observable<0> => rx.timer(ms, scheduler);
