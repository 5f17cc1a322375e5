import type { LimitOrder } from '../../domain/orders.js';
import { complement, type Money, PRICE_ONE, type PriceUnits } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { OwnOrder } from '../orders/own-order.js';
import type { Tolerance } from './pairing.js';
import type { Plan, PlannedReplacement } from './plan.js';
import type { DraftSource } from './plan-draft.js';

const NONE: readonly never[] = [];
const NOTHING = 0 as PriceUnits;

/**
 * Purchases of one position that are desired: one side of the book, which moves as a whole. Prices are those of the
 * position, so that the dearer one is the bolder one on either side. The memory lasts.
 */
class Side {
  dearest = NOTHING;
  /** Does it move to where it is bolder? */
  isRising = false;
  #cheapest = NOTHING;
  #desired: readonly LimitOrder[] = NONE;
  /** The place to be given out next, how many are left, and the way to the one after it. */
  #next = 0;
  #left = 0;
  #step = 0;

  constructor(private readonly position: Position) {}

  /** Takes up those from there on, best first. @returns behind which they end */
  begin(desired: readonly LimitOrder[], first: number): number {
    let end = first;
    let last = PRICE_ONE;
    for (; end < desired.length; end += 1) {
      const { side, position, price } = desired[end]!;
      if (side !== 'bid' || position !== this.position || price >= last) break;
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
   * @returns null: none is left, or they do not all lie beyond it
   */
  placeOf(price: PriceUnits, { shyUnits, boldUnits }: Tolerance): LimitOrder | null {
    if (this.#step === 0) this.#aim(price);
    const isBeyond = this.isRising ? this.#cheapest - price > shyUnits : price - this.dearest > boldUnits;
    if (!isBeyond || this.#left === 0) return null;
    const place = this.#desired[this.#next]!;
    this.#next += this.#step;
    this.#left -= 1;
    return place;
  }

  #aim(price: PriceUnits): void {
    this.isRising = price < this.#cheapest;
    this.#step = this.isRising ? -1 : 1;
    if (this.isRising) this.#next += this.#left - 1;
  }
}

const BIDS = new Side('long');
const ASKS = new Side('short');

/**
 * The plan of a quote that jumps, as most do that change at all: purchases alone, and on each side of the book as many
 * desired as stand, all of them beyond all that stand there and of the size of the order that they follow. Then nothing
 * stands for what is desired, each order moves to the nearest place left, and nothing is to be searched for.
 * @returns what is to be done, as `PlanDraft` would find it; null where that has to be asked, because anything is less plain
 */
export function shiftSides(source: DraftSource): Plan | null {
  const { desired, working, market, policy } = source;
  if (!policy.update || working.length === 0 || working.length !== desired.length) return null;
  if (ASKS.begin(desired, BIDS.begin(desired, 0)) < desired.length) return null;
  const replacements: PlannedReplacement[] = [];
  let urgency = 0;
  let lock = 0;
  for (let w = 0; w < working.length; w += 1) {
    const order = working[w]!;
    const isBid = order.bookSide === 'bid';
    const side = isBid ? BIDS : ASKS;
    const move = moveOf(order, side, isBid ? ASKS : BIDS, source);
    if (move === null) return null;
    replacements.push(move);
    urgency += move.urgency;
    if (side.isRising) lock += move.urgency;
  }
  if (lock > market.free.cash && lock > 0) return null;
  return planOf(replacements, urgency as Money);
}

/** @returns null when the order cannot simply be put in the next place */
function moveOf(
  order: OwnOrder,
  side: Side,
  opposite: Side,
  { market, policy }: DraftSource,
): PlannedReplacement | null {
  if (!isPlain(order)) return null;
  const price = order.bookSide === 'bid' ? order.longPrice : complement(order.longPrice);
  // It would meet a quote of the other side before it has moved itself.
  if (price + opposite.dearest >= PRICE_ONE) return null;
  const to = side.placeOf(price, policy);
  if (to === null || to.shares !== order.remaining || to.currency !== order.currency) return null;
  const { isRising } = side;
  const { minRestMs } = policy;
  if (isRising && minRestMs > 0 && order.bornAt + minRestMs * 1_000 > market.now) return null;
  // What a dearer one locks besides; twice what a cheaper one frees: see Plan.urgency.
  const urgency = (isRising ? to.price - price : 2 * (price - to.price)) * to.shares;
  return { order, to, urgency: urgency as Money };
}

/** Is it a purchase of ours that an update can move? */
const isPlain = ({ ownership, state, stage, side, filled }: OwnOrder): boolean =>
  state === 'live' && stage === 'open' && side === 'bid' && ownership === 'ours' && filled === 0;

const planOf = (replacements: readonly PlannedReplacement[], urgency: Money): Plan => ({
  cancels: NONE,
  replacements,
  creates: NONE,
  waiting: NONE,
  unwanted: NONE,
  urgency,
  restsUntil: null,
});
