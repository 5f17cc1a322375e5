import type { LimitOrder } from '../../../domain/orders.js';
import { complement, type Money, PRICE_ONE, type PriceUnits } from '../../../domain/units.js';
import type { Currency, Position } from '../../../domain/vocabulary.js';
import type { CommonTraits } from '../orders/own-order.js';
import type { Tolerance } from './pairing.js';
import type { Plan, PlannedReplacement } from './plan.js';
import type { DraftSource } from './plan-draft.js';

const NONE: readonly never[] = [];
const NOTHING = 0 as PriceUnits;

/**
 * Purchases of one position that are desired: one side of the book, which moves as a whole. Prices are those of the
 * position, so that the dearer one is the bolder one on either side. The memory lasts.
 */
class ShiftingSide {
  dearest = NOTHING;
  /** What stands has to lie between these, all of it beyond reach of what is desired. */
  #above = 0;
  #below = 0;
  #cheapest = NOTHING;
  #desired: readonly LimitOrder[] = NONE;
  /** The place to be given out next, and the way from it to the one after it; no way yet: nobody has asked. */
  #next = 0;
  #step = 0;
  #left = 0;

  constructor(private readonly position: Position) {}

  /** Takes up those from there on, best first. @returns behind which they end */
  begin(desired: readonly LimitOrder[], first: number): number {
    const { position } = this;
    let end = first;
    let last = PRICE_ONE;
    for (; end < desired.length; end += 1) {
      const order = desired[end]!;
      const { price } = order;
      if (order.position !== position || order.side !== 'bid' || price >= last) break;
      last = price;
    }
    this.dearest = end === first ? NOTHING : desired[first]!.price;
    this.#cheapest = last;
    this.#desired = desired;
    this.#next = first;
    this.#left = end - first;
    this.#step = 0;
    return end;
  }

  /**
   * The nearest place for an order that stands at the price: the first one asked about tells which way the side moves, and
   * of what is left the outermost one is always at the end that faces what stands.
   * @returns null: none is left, or the side does not move as a whole
   */
  placeOf(price: PriceUnits, opposite: ShiftingSide, tolerance: Tolerance): LimitOrder | null {
    if (this.#step === 0) this.#aim(price, opposite, tolerance);
    if (price <= this.#above || price >= this.#below || this.#left === 0) return null;
    const place = this.#next;
    this.#next = place + this.#step;
    this.#left -= 1;
    return this.#desired[place]!;
  }

  #aim(price: PriceUnits, opposite: ShiftingSide, { shyUnits, boldUnits }: Tolerance): void {
    // What stands there would meet a quote of the other side before it has moved itself.
    const meeting = PRICE_ONE - opposite.dearest;
    const isRising = price < this.#cheapest;
    this.#step = isRising ? -1 : 1;
    if (isRising) this.#next += this.#left - 1;
    this.#above = isRising ? -1 : this.dearest + boldUnits;
    this.#below = isRising ? Math.min(meeting, this.#cheapest - shyUnits) : meeting;
  }
}

const BIDS = new ShiftingSide('long');
const ASKS = new ShiftingSide('short');

/**
 * The plan of a quote that jumps, as most do that change at all: purchases alone, and on each side of the book as many
 * desired as stand, all of them beyond all that stand there and of the size of the order that they follow. Then nothing
 * stands for what is desired, each order moves to the nearest place left, and nothing is to be searched for.
 * @returns what is to be done, as `PlanDraft` would find it; null where that has to be asked, because anything is less plain
 */
export function shiftSides({ desired, working, market, policy }: DraftSource): Plan | null {
  const { length } = working;
  if (!policy.update || length === 0 || length !== desired.length) return null;
  if (ASKS.begin(desired, BIDS.begin(desired, 0)) < length) return null;
  // What was born since then rests still, where it is in no hurry.
  const restedSince = market.now - policy.minRestMs * 1_000;
  const replacements: PlannedReplacement[] = [];
  let traits: CommonTraits | null = null;
  let urgency = 0;
  let lock = 0;
  for (let w = 0; w < length; w += 1) {
    const order = working[w]!;
    if (order.traits !== traits) {
      traits = order.traits;
      if (!arePlain(traits, market.terms.currency)) return null;
    }
    const isBid = traits.position === 'long';
    const price = isBid ? order.longPrice : complement(order.longPrice);
    const side = isBid ? BIDS : ASKS;
    const to = side.placeOf(price, isBid ? ASKS : BIDS, policy);
    if (to === null || to.shares !== order.remaining || order.filled !== 0) return null;
    const dearer = to.price - price;
    if (dearer > 0 && policy.minRestMs > 0 && order.bornAt > restedSince) return null;
    // What a dearer one locks besides; twice what a cheaper one frees: see Plan.urgency.
    const cost = (dearer > 0 ? dearer : -2 * dearer) * to.shares;
    urgency += cost;
    if (dearer > 0) lock += cost;
    replacements.push({ order, to });
  }
  if (lock > 0 && lock > market.free.cash) return null;
  return planOf(replacements, urgency as Money);
}

/** Are they purchases of ours that an update can move? */
const arePlain = ({ state, stage, side, ownership, currency }: CommonTraits, wanted: Currency): boolean =>
  state === 'live' && stage === 'open' && side === 'bid' && ownership === 'ours' && currency === wanted;

const planOf = (replacements: readonly PlannedReplacement[], urgency: Money): Plan => ({
  cancels: NONE,
  replacements,
  creates: NONE,
  waiting: NONE,
  unwanted: NONE,
  urgency,
  restsUntil: null,
});
