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
  now: Micros,
): void {
  const open = pairWithin(desired, working, EXACT, now);
  if (open > 0 && !isExact(tolerance)) pairWithin(desired, working, tolerance, now);
}

const EXACT: Tolerance = { shyUnits: 0, boldUnits: 0, missingShares: 0, excessShares: 0 };

const isExact = ({ shyUnits, boldUnits, missingShares, excessShares }: Tolerance): boolean =>
  shyUnits === 0 && boldUnits === 0 && missingShares === 0 && excessShares === 0;

/** @returns how many desired orders are still without a working one */
function pairWithin(
  desired: DesiredColumns,
  working: WorkingColumns,
  tolerance: Tolerance,
  now: Micros,
): number {
  let open = 0;
  for (let d = 0; d < desired.orders.length; d += 1) {
    if (desired.partners[d] !== NOBODY) continue;
    const w = firstNear(desired, d, working, tolerance, now);
    if (w === NOBODY) open += 1;
    else {
      desired.partners[d] = w;
      working.partners[w] = d;
    }
  }
  return open;
}

/** Price first: of the many orders that are looked at it tells most apart. */
function firstNear(
  desired: DesiredColumns,
  d: number,
  { orders, longPrices, shares, places, partners }: WorkingColumns,
  { boldUnits, shyUnits, missingShares, excessShares }: Tolerance,
  now: Micros,
): number {
  const place = desired.places[d]!;
  const isBid = isBidOfBook(place);
  const longPrice = desired.longPrices[d]!;
  const lowest = longPrice - (isBid ? shyUnits : boldUnits);
  const highest = longPrice + (isBid ? boldUnits : shyUnits);
  const { expiresAt } = desired.orders[d]!;
  for (let w = 0; w < orders.length; w += 1) {
    const price = longPrices[w]!;
    if (price < lowest || price > highest || places[w] !== place || partners[w] !== NOBODY) continue;
    const excess = shares[w]! - desired.shares[d]!;
    if (excess > excessShares || -excess > missingShares) continue;
    if (canStand(orders[w]!, now) && lastsLongEnough(orders[w]!, expiresAt, now)) return w;
  }
  return NOBODY;
}
