/**
 * Which part of what left a book was traded. Frames carry no prints; what they carry is how much the volume of an event
 * grew, and what of our own traded. Assumed, and said where figures made from it are shown:
 * - a taker meets the best price first: what left a level while a better one of its side stood was cancelled;
 * - others' trades fit into the growth of the event's volume less what our own fills account for, a share counted by
 *   the cheaper of its two positions; what does not fit was cancelled;
 * - of two sides that lost shares in one frame, the taker met the one whose shares the volume can pay.
 */
import { PRICE_ONE, type PriceUnits, type Shares } from '../../../domain/units.js';
import { oppositeSide, type Side } from '../../../domain/vocabulary.js';

/** A level of others before and after a frame. */
export interface LevelStep {
  readonly price: PriceUnits;
  readonly before: Shares;
  readonly after: Shares;
}

/** Money units that trades may still account for; spent by whoever finds trades. */
export interface VolumeGrowth {
  left: number;
}

/** What happened on one side between two frames. */
export interface SideChange {
  readonly side: Side;
  /** Best first; others' shares. */
  readonly steps: readonly LevelStep[];
  /** Shares of ours that were filled while resting here, by price. */
  readonly ownFilled: ReadonlyMap<number, number>;
  /** Shares of ours that still stand here, by price. */
  readonly ownLeft: ReadonlyMap<number, number>;
  /** Shares that we took from this side, by price. */
  readonly ownTook: ReadonlyMap<number, number>;
}

/** A print as it can be known: a taker met the resting side at this price. */
export interface InferredPrint {
  readonly takerSide: Side;
  readonly price: PriceUnits;
  /** All that traded, and the part of it that was not ours. */
  readonly shares: Shares;
  readonly others: Shares;
}

/**
 * @param growth of the event's volume; what the prints account for is taken off it
 * @returns best price first
 */
export function inferPrints(
  changes: readonly [SideChange, SideChange],
  growth: VolumeGrowth,
): readonly InferredPrint[] {
  const reached = changes.map(reachedLevels) as [readonly Reached[], readonly Reached[]];
  const took = changes.flatMap(({ ownTook }) => [...ownTook].map(([price, own]) => ({ price, own })));
  payForOwn([...reached.flat(), ...took], growth);
  const met = metSides(reached, growth.left);
  return changes.flatMap(({ side }, at) => prints(reached[at]!, side, met[at]! ? growth : SPENT));
}

const SPENT: VolumeGrowth = Object.freeze({ left: 0 });

interface OwnTraded {
  readonly price: number;
  readonly own: number;
}

interface Reached extends OwnTraded {
  readonly price: PriceUnits;
  readonly others: number;
}

/** Levels that a taker can have met: those that are empty now and the first that is not; and wherever ours traded. */
function reachedLevels({ side, steps, ownFilled, ownLeft }: SideChange): readonly Reached[] {
  const sizes = new Map(steps.map((step) => [step.price as number, step]));
  const prices = [...new Set([...sizes.keys(), ...ownFilled.keys(), ...ownLeft.keys()])];
  const found: Reached[] = [];
  let isBlocked = false;
  for (const price of prices.sort((a, b) => (side === 'bid' ? b - a : a - b))) {
    const { before = 0, after = 0 } = sizes.get(price) ?? {};
    const own = ownFilled.get(price) ?? 0;
    const others = isBlocked ? 0 : Math.max(0, before - after);
    if (own + others > 0) found.push({ price: price as PriceUnits, others, own });
    isBlocked ||= after > 0 || (ownLeft.get(price) ?? 0) > 0;
  }
  return found;
}

/**
 * Takes our own fills off the growth. Buyers pay the price of their position, so a trade accounts for the whole share
 * when both sides bought, else for the price of one of them: where one of these explains all of the growth, it does.
 */
function payForOwn(levels: readonly OwnTraded[], growth: VolumeGrowth): void {
  const paid = (price: (long: number) => number): number =>
    levels.reduce((sum, level) => sum + level.own * price(level.price), 0);
  const ways = [paid(() => PRICE_ONE), paid((long) => long), paid((long) => PRICE_ONE - long)];
  growth.left = ways.includes(growth.left) ? 0 : growth.left - paid(cheaper);
}

/** Of each side whether a taker met it. */
function metSides(
  [bids, asks]: readonly [readonly Reached[], readonly Reached[]],
  left: number,
): readonly [boolean, boolean] {
  const [metOurBids, metOurAsks] = [hasOwn(bids), hasOwn(asks)];
  if (metOurBids || metOurAsks || left <= 0) return [metOurBids, metOurAsks];
  const isBid = missBy(bids, left) < missBy(asks, left);
  return [isBid, !isBid];
}

const hasOwn = (levels: readonly Reached[]): boolean => levels.some(({ own }) => own > 0);

/** Money by which a side that lost its shares to takers would miss the growth of the volume. */
function missBy(levels: readonly Reached[], left: number): number {
  if (levels.length === 0) return Infinity;
  const least = levels.reduce((sum, { price, others }) => sum + others * cheaper(price), 0);
  const most = levels.reduce((sum, { others }) => sum + others * PRICE_ONE, 0);
  return Math.max(0, least - left, left - most);
}

const cheaper = (price: number): number => Math.min(price, PRICE_ONE - price);

function prints(levels: readonly Reached[], side: Side, growth: VolumeGrowth): readonly InferredPrint[] {
  const found: InferredPrint[] = [];
  for (const { price, others: gone, own } of levels) {
    const payable = Math.max(0, Math.floor(growth.left / cheaper(price)));
    const others = Math.min(gone, payable);
    if (others > 0) growth.left -= others * cheaper(price);
    if (own + others === 0) continue;
    const shares = (own + others) as Shares;
    found.push({ takerSide: oppositeSide(side), price, shares, others: others as Shares });
  }
  return found;
}
