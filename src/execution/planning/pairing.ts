import type { LimitOrder } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import { lastsLongEnough } from './expiry.js';
import type { OwnOrder } from '../orders/own-order.js';
import { type DesiredColumns, isBidOfBook, NOBODY, type WorkingColumns } from './order-columns.js';

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
export function pair(
  desired: DesiredColumns,
  working: WorkingColumns,
  tolerance: Tolerance,
  at: Moment,
): void {
  const open = desired.orders.length - pairExactly(desired, working, at);
  if (open > 0 && !isExact(tolerance)) pairWithin(desired, working, tolerance, at);
}

const isExact = ({ shyUnits, boldUnits, missingShares, excessShares }: Tolerance): boolean =>
  shyUnits === 0 && boldUnits === 0 && missingShares === 0 && excessShares === 0;

/** @returns how many pairs there are */
function pairExactly(desired: DesiredColumns, working: WorkingColumns, at: Moment): number {
  let pairs = 0;
  for (let w = 0; w < working.orders.length; w += 1) {
    const d = firstAsIs(desired, working, w, at);
    if (d === NOBODY) continue;
    desired.partners[d] = w;
    working.partners[w] = d;
    pairs += 1;
  }
  return pairs;
}

/** Searched for among the desired orders, which stand in the order of their prices. */
function firstAsIs(desired: DesiredColumns, working: WorkingColumns, w: number, at: Moment): number {
  const { longPrices, shares, places, partners } = desired;
  const place = working.places[w]!;
  const isBid = isBidOfBook(place);
  const longPrice = working.longPrices[w]!;
  const end = desired.end(isBid);
  for (let d = desired.firstNotBetter(isBid, longPrice); d < end && longPrices[d] === longPrice; d += 1) {
    if (places[d] !== place || partners[d] !== NOBODY) continue;
    if (shares[d] === working.shares[w] && lasts(working.orders[w]!, desired.orders[d]!, at)) return d;
  }
  return NOBODY;
}

const lasts = (order: OwnOrder, { expiresAt }: LimitOrder, { now, venueNow }: Moment): boolean =>
  canStand(order, now) && lastsLongEnough(order, expiresAt, venueNow);

function pairWithin(
  desired: DesiredColumns,
  working: WorkingColumns,
  tolerance: Tolerance,
  at: Moment,
): void {
  for (let d = 0; d < desired.orders.length; d += 1) {
    if (desired.partners[d] !== NOBODY) continue;
    const w = firstNear(desired, d, working, tolerance, at);
    if (w === NOBODY) continue;
    desired.partners[d] = w;
    working.partners[w] = d;
  }
}

function firstNear(
  desired: DesiredColumns,
  d: number,
  { orders, longPrices, shares, places, partners }: WorkingColumns,
  { boldUnits, shyUnits, missingShares, excessShares }: Tolerance,
  at: Moment,
): number {
  const place = desired.places[d]!;
  const isBid = isBidOfBook(place);
  const longPrice = desired.longPrices[d]!;
  const lowest = longPrice - (isBid ? shyUnits : boldUnits);
  const highest = longPrice + (isBid ? boldUnits : shyUnits);
  for (let w = 0; w < orders.length; w += 1) {
    const price = longPrices[w]!;
    if (price < lowest || price > highest || places[w] !== place || partners[w] !== NOBODY) continue;
    const excess = shares[w]! - desired.shares[d]!;
    if (excess > excessShares || -excess > missingShares) continue;
    if (lasts(orders[w]!, desired.orders[d]!, at)) return w;
  }
  return NOBODY;
}
