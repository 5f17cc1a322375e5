import { levelOf, type QuoteIntent, type QuoteLevel } from '../../domain/intent.js';
import { PRICE_ONE, type Shares, type Ticks, type Micros } from '../../domain/units.js';

/** What the guards of a market leave of its quotes. */
export interface Restriction {
  /** Why nothing may be quoted, in kebab-case; null when something may. */
  readonly out: string | null;
  /** Only quotes that lead the position back towards zero. */
  readonly reduceOnly: boolean;
  /** Every quote stands so many ticks further from the other side. */
  readonly widenTicks: number;
  /** Part of every quote's shares that is left: 0 to 1. */
  readonly size: number;
}

/** Nothing speaks against quoting in full. */
export const UNRESTRICTED: Restriction = Object.freeze({
  out: null,
  reduceOnly: false,
  widenTicks: 0,
  size: 1,
});

export const outFor = (reason: string): Restriction => restriction(reason, 1);
export const sized = (size: number): Restriction => restriction(null, size);

const restriction = (out: string | null, size: number): Restriction => ({
  out,
  reduceOnly: false,
  widenTicks: 0,
  size,
});

/** Combines two restrictions: the stricter value of each member; the first reason stays. */
export function stricter(one: Restriction, other: Restriction): Restriction {
  if (one === UNRESTRICTED) return other;
  if (other === UNRESTRICTED) return one;
  return {
    out: one.out ?? other.out,
    reduceOnly: one.reduceOnly || other.reduceOnly,
    widenTicks: Math.max(one.widenTicks, other.widenTicks),
    size: Math.min(one.size, other.size),
  };
}

/** What restricting has to know of the market. */
export interface RestrictedMarket {
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Net long shares held. */
  readonly net: Shares;
}

/**
 * Applies a restriction to an intent: quotes move away, shrink, or only reduce the position. No quote grows or moves
 * towards the other side.
 */
export function restrict(
  intent: QuoteIntent,
  restriction: Restriction,
  market: RestrictedMarket,
): QuoteIntent {
  if (restriction === UNRESTRICTED) return intent;
  const { marketId } = intent;
  if (restriction.out !== null) return { marketId, bids: [], asks: [] };
  const bids = sideOf(intent.bids, -1, restriction, market);
  const asks = sideOf(intent.asks, 1, restriction, market);
  if (!restriction.reduceOnly) return { marketId, bids, asks };
  return { marketId, bids: atMost(bids, -market.net), asks: atMost(asks, market.net) };
}

function sideOf(
  levels: readonly QuoteLevel[],
  away: 1 | -1,
  { widenTicks, size }: Restriction,
  { tickUnits }: RestrictedMarket,
): readonly QuoteLevel[] {
  const lastTick = PRICE_ONE / tickUnits - 1;
  // Subtracted, because -1 * 0 is -0.
  const moved = away === 1 ? widenTicks : 0 - widenTicks;
  const step = { label: 'guard', value: (moved * tickUnits) / PRICE_ONE };
  const left: QuoteLevel[] = [];
  for (const level of levels) {
    const price = (level.price + moved) as Ticks;
    const shares = Math.floor(level.shares * size) as Shares;
    if (price < 1 || price > lastTick || shares === 0) continue;
    left.push(levelOf(moved === 0 ? level.reason : [...level.reason, step], price, shares));
  }
  return left;
}

/** The best levels up to so many shares together. */
function atMost(levels: readonly QuoteLevel[], shares: number): readonly QuoteLevel[] {
  let left = shares;
  const kept: QuoteLevel[] = [];
  for (const level of levels) {
    if (left <= 0) break;
    kept.push(level.shares <= left ? level : levelOf(level.reason, level.price, left as Shares));
    left -= level.shares;
  }
  return kept;
}

/** A known time at which quoting in a market ends. */
export interface Closing {
  readonly at: Micros;
  /** When it is over; null: never. */
  readonly until: Micros | null;
  /** Halt from then on, kebab-case. */
  readonly reason: string;
}

/** Steps on the way out of a market, each so long before its closing; 0 omits a step. */
export interface PreClosePolicy {
  readonly widenMs: number;
  readonly widenTicks: number;
  readonly shrinkMs: number;
  /** Part of the size that is left: 0 to 1. */
  readonly shrinkTo: number;
  readonly reduceOnlyMs: number;
  readonly outMs: number;
}

const CLOSING_SOON = 'closing-soon';

const US_PER_MS = 1_000;

/** The restriction that all closings together ask for. */
export function preCloseRestriction(
  closings: readonly Closing[],
  policy: PreClosePolicy,
  now: Micros,
): Restriction {
  let restriction = UNRESTRICTED;
  for (const closing of closings)
    if (!isOver(closing, now)) restriction = stricter(restriction, restrictionBefore(closing, policy, now));
  return restriction;
}

/** When time alone changes {@link preCloseRestriction} next; null when it does not. */
export function preCloseChangesAt(
  closings: readonly Closing[],
  policy: PreClosePolicy,
  now: Micros,
): Micros | null {
  let next = Infinity;
  for (const closing of closings) {
    const { widenMs, shrinkMs, reduceOnlyMs, outMs } = policy;
    for (const beforeMs of [widenMs, shrinkMs, reduceOnlyMs, outMs, 0]) {
      const edge = closing.at - beforeMs * US_PER_MS;
      if (edge > now) next = Math.min(next, edge);
    }
    if (closing.until !== null && closing.until > now) next = Math.min(next, closing.until);
  }
  return next === Infinity ? null : (next as Micros);
}

const isOver = ({ until }: Closing, now: Micros): boolean => until !== null && now >= until;

function restrictionBefore({ at, reason }: Closing, policy: PreClosePolicy, now: Micros): Restriction {
  if (now >= at) return outFor(reason);
  const within = (beforeMs: number): boolean => beforeMs > 0 && now >= at - beforeMs * US_PER_MS;
  if (within(policy.outMs)) return outFor(CLOSING_SOON);
  const [widens, shrinks, reduces] = [policy.widenMs, policy.shrinkMs, policy.reduceOnlyMs].map(within);
  if (!widens && !shrinks && !reduces) return UNRESTRICTED;
  return {
    out: null,
    reduceOnly: reduces === true,
    widenTicks: widens ? policy.widenTicks : 0,
    size: shrinks ? policy.shrinkTo : 1,
  };
}
