import type { QuoteLevel } from '../../domain/intent.js';
import { type PriceUnits, type Shares, complement } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { MarketTerms } from './market-terms.js';
import type { OwnOrder } from '../orders/own-order.js';
import { type Standing, sharesOf, StandingSide } from './standing.js';
import { type Touch, restingPrice } from './touch.js';

/** A part of the intent that no order expresses; it is not retried before the intent or the funds change. */
export interface Unrouted {
  readonly side: Side;
  /** Long-side price. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  /**
   * `dust`: below the least amount; `cash`: neither cash nor shares for it; `over-maximum`: above the most amount;
   * `no-room`: no price is left at which it would rest.
   */
  readonly reason: 'dust' | 'cash' | 'over-maximum' | 'no-room';
}

/** One level on its way to orders: what stands already, what is to be sold from holdings and what to be bought. */
export interface Leg {
  readonly side: Side;
  readonly longPrice: PriceUnits;
  /** Price of the position that is sold, and of the one that is bought instead. */
  readonly sellPrice: PriceUnits;
  readonly buyPrice: PriceUnits;
  /** What the level keeps of the orders that stand at its price. */
  readonly kept: readonly OwnOrder[];
  sell: Shares;
  buy: Shares;
}

/** One side of an intent and what may be used for it. */
export interface LegSource {
  readonly levels: readonly QuoteLevel[];
  readonly side: Side;
  /** Shares that may be sold on this side of the book, those of standing orders included. */
  readonly held: Shares;
  /** Whether to sell what is held before buying. */
  readonly sellFirst: boolean;
  readonly standing: Standing | null;
  /** Levels that would take from it are moved just behind it. */
  readonly touch: Touch | null;
}

/** Read anew for every side that is split: nothing is left in it but the memory that it took. */
const STANDING = new StandingSide();

/** Splits levels into sales and purchases, nearest first. @param unrouted takes what is too large for one order */
export function legsOf(source: LegSource, terms: MarketTerms, unrouted: Unrouted[]): Leg[] {
  STANDING.read(source.side, terms.currency, source.standing);
  let held: number = source.held;
  const legs: Leg[] = [];
  for (const level of source.levels) {
    const leg = legOf(level, held, source, terms, unrouted);
    if (leg === null) continue;
    held -= sharesOf(leg.kept, 'sales');
    legs.push(leg);
  }
  if (source.sellFirst) for (const leg of legs) held -= sellFirst(leg, held, terms);
  return legs;
}

function legOf(
  level: QuoteLevel,
  held: number,
  { side, standing, touch }: LegSource,
  terms: MarketTerms,
  unrouted: Unrouted[],
): Leg | null {
  const wish = (level.price * terms.tickUnits) as PriceUnits;
  const longPrice = touch === null ? wish : restingPrice(side, wish, touch, terms.tickUnits);
  if (longPrice === null) {
    unrouted.push({ side, price: wish, shares: level.shares, reason: 'no-room' });
    return null;
  }
  const shortPrice = complement(longPrice);
  const wanted = withinMaximum(level, side, longPrice, terms, unrouted);
  const kept = STANDING.keptAt(longPrice, wanted, held);
  const missing = wanted - sharesOf(kept, 'all');
  const isNearEnough = standing !== null && missing < wanted && missing <= standing.missingShares;
  return {
    side,
    longPrice,
    sellPrice: side === 'ask' ? longPrice : shortPrice,
    buyPrice: side === 'ask' ? shortPrice : longPrice,
    kept,
    sell: 0 as Shares,
    buy: (isNearEnough ? 0 : missing) as Shares,
  };
}

/** @returns shares it will sell */
function sellFirst(leg: Leg, held: number, terms: MarketTerms): Shares {
  move(leg, Math.min(held, leg.buy));
  evenOut(leg, held, terms);
  return leg.sell;
}

function withinMaximum(
  level: QuoteLevel,
  side: Side,
  price: PriceUnits,
  terms: MarketTerms,
  unrouted: Unrouted[],
): Shares {
  const dearer = Math.max(price, complement(price));
  if (level.shares * dearer <= terms.maxAmount) return level.shares;
  const most = Math.floor(terms.maxAmount / dearer) as Shares;
  unrouted.push({ side, price, shares: (level.shares - most) as Shares, reason: 'over-maximum' });
  return most;
}

/** A part too small for an order joins the other one where that is possible. @param held shares left to sell */
function evenOut(leg: Leg, held: number, terms: MarketTerms): void {
  if (leg.sell === 0 || leg.buy === 0) return;
  if (leg.sell * leg.sellPrice < terms.minAmount) move(leg, -leg.sell);
  else if (leg.buy * leg.buyPrice < terms.minAmount && leg.sell + leg.buy <= held) move(leg, leg.buy);
}

/** @param shares to sell instead of buying their complement; negative the other way round */
function move(leg: Leg, shares: number): void {
  leg.sell = (leg.sell + shares) as Shares;
  leg.buy = (leg.buy - shares) as Shares;
}
