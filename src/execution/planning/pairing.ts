import type { LimitOrder } from '../../domain/orders.js';
import { complement, type Micros, type PriceUnits } from '../../domain/units.js';
import { bookSide, type Side } from '../../domain/vocabulary.js';
import { lastsLongEnough } from './expiry.js';
import type { OwnOrder } from '../orders/own-order.js';

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

/** Which working order stands for which desired one; indices, -1 for none. */
export interface Pairing {
  readonly workingOf: number[];
  readonly desiredOf: number[];
}

/** Long-side price units by which the working order is bolder than desired; negative when it is shyer. */
export function boldness(working: OwnOrder, desired: LimitOrder): number {
  const longPrice = longPriceOf(desired);
  return working.bookSide === 'bid' ? working.longPrice - longPrice : longPrice - working.longPrice;
}

/** Same holding and same direction: one can take the place of the other. */
export const isSameLeg = (working: OwnOrder, desired: LimitOrder): boolean =>
  working.side === desired.side &&
  working.position === desired.position &&
  working.currency === desired.currency;

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

/** Pairs what is exactly as desired, then what is near enough. Each order is in one pair at most. */
export function pair(
  desired: readonly LimitOrder[],
  working: readonly OwnOrder[],
  tolerance: Tolerance,
  now: Micros,
): Pairing {
  const pairing = { workingOf: unpaired(desired.length), desiredOf: unpaired(working.length) };
  const open = pairWithin(desired, working, EXACT, now, pairing);
  if (open > 0 && !isExact(tolerance)) pairWithin(desired, working, tolerance, now, pairing);
  return pairing;
}

function unpaired(count: number): number[] {
  const indices: number[] = [];
  for (let i = 0; i < count; i += 1) indices.push(-1);
  return indices;
}

const EXACT: Tolerance = { shyUnits: 0, boldUnits: 0, missingShares: 0, excessShares: 0 };

const isExact = ({ shyUnits, boldUnits, missingShares, excessShares }: Tolerance): boolean =>
  shyUnits === 0 && boldUnits === 0 && missingShares === 0 && excessShares === 0;

/** @returns how many desired orders are still without a working one */
function pairWithin(
  desired: readonly LimitOrder[],
  working: readonly OwnOrder[],
  tolerance: Tolerance,
  now: Micros,
  { workingOf, desiredOf }: Pairing,
): number {
  let open = 0;
  for (let d = 0; d < desired.length; d += 1) {
    if (workingOf[d] !== -1) continue;
    const w = firstNear(desired[d]!, working, tolerance, now, desiredOf);
    if (w === -1) open += 1;
    else {
      workingOf[d] = w;
      desiredOf[w] = d;
    }
  }
  return open;
}

/** Price first: of the many orders that are looked at it tells most apart. */
function firstNear(
  wanted: LimitOrder,
  working: readonly OwnOrder[],
  { boldUnits, shyUnits, missingShares, excessShares }: Tolerance,
  now: Micros,
  desiredOf: readonly number[],
): number {
  const longPrice = longPriceOf(wanted);
  const bolder = bookSideOf(wanted) === 'bid' ? 1 : -1;
  for (let w = 0; w < working.length; w += 1) {
    const order = working[w]!;
    const bold = bolder * (order.longPrice - longPrice);
    if (bold > boldUnits || -bold > shyUnits || desiredOf[w] !== -1 || !isSameLeg(order, wanted)) continue;
    const excess = order.remaining - wanted.shares;
    const fits = excess <= excessShares && -excess <= missingShares;
    if (fits && canStand(order, now) && lastsLongEnough(order, wanted.expiresAt, now)) return w;
  }
  return -1;
}

type Priced = Pick<LimitOrder, 'side' | 'position' | 'price'>;

export const longPriceOf = ({ position, price }: Priced): PriceUnits =>
  position === 'long' ? price : complement(price);

export const bookSideOf = (order: Priced): Side => bookSide(order.side, order.position);
