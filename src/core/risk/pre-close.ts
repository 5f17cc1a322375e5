import type { Micros } from '../../domain/units.js';
import { AT_EASE, outFor, type Stance, stricter } from './quote-restriction.js';

/** What can end quoting in a market at a time known beforehand. */
export interface Closing {
  readonly at: Micros;
  /** When it is over; null: never. */
  readonly until: Micros | null;
  /** Halt from then on, kebab-case. */
  readonly reason: string;
}

/** Steps on the way out of a market, each so long before its closing; 0 leaves a step out. */
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

/** The stance that all closings together ask for; the earliest decides, for it is the furthest along its steps. */
export function preCloseStance(closings: readonly Closing[], policy: PreClosePolicy, now: Micros): Stance {
  let stance = AT_EASE;
  for (const closing of closings)
    if (!isOver(closing, now)) stance = stricter(stance, stanceBefore(closing, policy, now));
  return stance;
}

/** When time alone changes {@link preCloseStance} next; null when it does not. */
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

function stanceBefore({ at, reason }: Closing, policy: PreClosePolicy, now: Micros): Stance {
  if (now >= at) return outFor(reason);
  const within = (beforeMs: number): boolean => beforeMs > 0 && now >= at - beforeMs * US_PER_MS;
  if (within(policy.outMs)) return outFor(CLOSING_SOON);
  const [widens, shrinks, reduces] = [policy.widenMs, policy.shrinkMs, policy.reduceOnlyMs].map(within);
  if (!widens && !shrinks && !reduces) return AT_EASE;
  return {
    out: null,
    reduceOnly: reduces === true,
    widenTicks: widens ? policy.widenTicks : 0,
    size: shrinks ? policy.shrinkTo : 1,
  };
}
