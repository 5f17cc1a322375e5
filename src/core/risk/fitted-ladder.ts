/** Cuts a ladder down to what the limits leave, so that what fits is quoted and not refused with the rest. */
import { levelOf, type QuoteIntent, type QuoteLevel } from '../../domain/intent.js';
import type { Money, PriceUnits, Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import { OrderCosts } from '../portfolio/worst-case.js';

/** What the limits leave to one market, its own open orders not counted. */
export interface LadderRoom {
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Money units per whole share of a fill. */
  readonly fee: Money;
  /** Shares that a side may reach before the position is at its limit. */
  readonly bids: number;
  readonly asks: number;
  /** Shares of ours that stand on that side at that price of the long side. */
  readonly standing: (side: Side, price: PriceUnits) => number;
  /** What fits besides is asked for once it is this share of the level. */
  readonly refillShare: number;
  /** The rule of losses that speaks against orders with these costs; null when none does. */
  readonly objection: (costs: OrderCosts) => string | null;
}

/** A ladder that fits, and the rule that cut it first; null: none did. */
export interface FittedLadder {
  readonly intent: QuoteIntent;
  readonly cutBy: string | null;
}

/**
 * The best levels as far as they fit, bids before asks; of the level that does not fit whole the part that does. What stands
 * there is left alone while little more would fit: other markets of the event take and leave room all the time.
 */
export function fittedLadder(intent: QuoteIntent, room: LadderRoom): FittedLadder {
  if (fitsWhole(intent, room)) return { intent, cutBy: null };
  const costs = new OrderCosts();
  const bids = fittedSide(intent.bids, 'bid', room, costs);
  const asks = fittedSide(intent.asks, 'ask', room, costs);
  const cutBy = bids.cutBy ?? asks.cutBy;
  if (cutBy === null) return { intent, cutBy };
  return { intent: { marketId: intent.marketId, bids: bids.levels, asks: asks.levels }, cutBy };
}

/** As mostly. */
function fitsWhole({ bids, asks }: QuoteIntent, room: LadderRoom): boolean {
  const costs = new OrderCosts();
  const wanted =
    addSide(bids, 'bid', room, costs) <= room.bids && addSide(asks, 'ask', room, costs) <= room.asks;
  return wanted && room.objection(costs) === null;
}

/** @returns shares of the side together */
function addSide(
  levels: readonly QuoteLevel[],
  side: Side,
  { tickUnits, fee }: LadderRoom,
  costs: OrderCosts,
): number {
  let sum = 0;
  for (const { price, shares } of levels) {
    costs.add({ side, position: 'long', price: (price * tickUnits) as PriceUnits }, shares, fee);
    sum += shares;
  }
  return sum;
}

interface FittedSide {
  readonly levels: readonly QuoteLevel[];
  readonly cutBy: string | null;
}

/** @param costs of what stands already; what fits is added */
function fittedSide(
  levels: readonly QuoteLevel[],
  side: Side,
  room: LadderRoom,
  costs: OrderCosts,
): FittedSide {
  let left = side === 'bid' ? room.bids : room.asks;
  for (const [at, level] of levels.entries()) {
    const price = (level.price * room.tickUnits) as PriceUnits;
    const objectionTo = (shares: number): string | null => {
      const tried = new OrderCosts();
      tried.ifLong = costs.ifLong;
      tried.ifShort = costs.ifShort;
      tried.add({ side, position: 'long', price }, shares as Shares, room.fee);
      return room.objection(tried);
    };
    const within = Math.max(0, Math.min(level.shares, left));
    const objection = objectionTo(within);
    const most = objection === null ? within : mostOf(within, (shares) => objectionTo(shares) === null);
    const stands = most === level.shares ? most : room.standing(side, price);
    const isLittle = stands > 0 && stands <= most && most - stands < room.refillShare * level.shares;
    const fits = isLittle ? stands : most;
    if (fits > 0) costs.add({ side, position: 'long', price }, fits as Shares, room.fee);
    left -= fits;
    if (fits === level.shares) continue;
    const part = fits > 0 ? [levelOf(level.reason, level.price, fits as Shares)] : [];
    return { levels: [...levels.slice(0, at), ...part], cutBy: objection ?? POSITION_LIMIT };
  }
  return { levels, cutBy: null };
}

const POSITION_LIMIT = 'position-limit';

/** The most shares, less than so many, that fit; more of an order never costs less. */
function mostOf(shares: number, fits: (shares: number) => boolean): number {
  let [low, high] = [0, shares];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
