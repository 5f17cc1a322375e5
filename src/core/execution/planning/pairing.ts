import type { LimitOrder } from '../../../domain/orders.js';
import type { Micros } from '../../../domain/units.js';
import { lastsLongEnough } from './expiry.js';
import type { OwnOrder } from '../orders/own-order.js';
import { type DesiredRows, NOBODY, type WorkingRows } from './order-rows.js';

/** How far a working order may be from the desired one and still be left alone. */
export interface Tolerance {
  /** Price units less bold than desired (a lower bid, a higher ask). */
  readonly shyUnits: number;
  /** Price units bolder than desired. Zero unless somebody wants to be picked off. */
  readonly boldUnits: number;
  /** Shares missing. */
  readonly missingShares: number;
  /** Shares too many; risk approved the desired size. */
  readonly excessShares: number;
}

/** One moment by both clocks. */
interface Moment {
  readonly now: Micros;
  /** Orders expire by this one. */
  readonly venueNow: Micros;
}

/**
 * A frame that tells how much was filled may be behind the listing that told that something was. When it does not
 * come the order goes: nothing but its end makes it known again what stands.
 */
const FILLS_GRACE = 2_000_000;

/** May it stand for a desired order as it is? A doubtful one may: asking for another could make two. */
export const canStand = ({ ownership, state, fillsUnknownSince }: OwnOrder, now: Micros): boolean =>
  ownership === 'ours' &&
  (state === 'live' || state === 'creating' || state === 'unknown') &&
  (fillsUnknownSince === null || now - fillsUnknownSince < FILLS_GRACE);

/** Makes partners of what is exactly as desired, then of what is near enough. */
export function pair(desired: DesiredRows, working: WorkingRows, tolerance: Tolerance, at: Moment): void {
  pairExactly(desired, working, at);
  if (desired.open > 0 && !isExact(tolerance)) pairWithin(desired, working, tolerance, at);
}

const isExact = ({ shyUnits, boldUnits, missingShares, excessShares }: Tolerance): boolean =>
  shyUnits === 0 && boldUnits === 0 && missingShares === 0 && excessShares === 0;

function pairExactly(desired: DesiredRows, working: WorkingRows, at: Moment): void {
  for (let w = 0; w < working.orders.length; w += 1) {
    const d = firstAsIs(desired, working, w, at);
    if (d !== NOBODY) join(desired, d, working, w);
  }
}

function join(desired: DesiredRows, d: number, working: WorkingRows, w: number): void {
  desired.take(d, w);
  working.at(w).partner = d;
}

/** Searched for among the desired orders, which stand in the order of their prices. */
function firstAsIs(desired: DesiredRows, working: WorkingRows, w: number, at: Moment): number {
  const row = working.at(w);
  const { boldness, shares } = row;
  const end = desired.end(row);
  for (let d = desired.firstNotBetter(row); d < end && desired.at(d).boldness === boldness; d += 1) {
    if (desired.at(d).shares !== shares || !desired.isOpen(d, row)) continue;
    if (lasts(working.orders[w]!, desired.orders[d]!, at)) return d;
  }
  return NOBODY;
}

const lasts = (order: OwnOrder, { expiresAt }: LimitOrder, { now, venueNow }: Moment): boolean =>
  canStand(order, now) && lastsLongEnough(order, expiresAt, venueNow);

function pairWithin(desired: DesiredRows, working: WorkingRows, tolerance: Tolerance, at: Moment): void {
  for (let d = 0; d < desired.orders.length; d += 1) {
    if (desired.at(d).partner !== NOBODY) continue;
    const w = firstNear(desired, d, working, tolerance, at);
    if (w !== NOBODY) join(desired, d, working, w);
  }
}

function firstNear(
  desired: DesiredRows,
  d: number,
  working: WorkingRows,
  { boldUnits, shyUnits, missingShares, excessShares }: Tolerance,
  at: Moment,
): number {
  const wanted = desired.at(d);
  for (let w = 0; w < working.orders.length; w += 1) {
    const { boldness, shares, place, partner } = working.at(w);
    if (place !== wanted.place || partner !== NOBODY) continue;
    const bold = boldness - wanted.boldness;
    const excess = shares - wanted.shares;
    if (bold > boldUnits || -bold > shyUnits || excess > excessShares || -excess > missingShares) continue;
    if (lasts(working.orders[w]!, desired.orders[d]!, at)) return w;
  }
  return NOBODY;
}
