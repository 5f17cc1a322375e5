import type { QuoteLevel } from '../../../domain/intent.js';
import { lockAt } from '../../../domain/locks.js';
import { type Money, type PriceUnits, type Shares, complement } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { MarketTerms } from './market-terms.js';
import type { OwnOrder } from '../orders/own-order.js';
import { sharesOf, type StandingSide } from './standing.js';
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

/**
 * What is wanted at one price on its way to orders: what stands already, what is to be sold from holdings and what to be
 * bought.
 */
export interface Leg {
  readonly side: Side;
  readonly longPrice: PriceUnits;
  /** Price of the position that is sold, and of the one that is bought instead. */
  readonly sellPrice: PriceUnits;
  readonly buyPrice: PriceUnits;
  wanted: Shares;
  /** The largest of the levels that are wanted here: no order is larger. */
  largest: Shares;
  /** What it keeps of the orders that stand at its price. */
  kept: readonly OwnOrder[];
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
  readonly standing: StandingSide;
  /** Levels that would take from it are moved just behind it. */
  readonly touch: Touch | null;
}

const NONE: readonly OwnOrder[] = [];

/**
 * Splits levels into sales and purchases, nearest first. Levels that were moved to one price are one leg: an order that
 * stands there is kept once.
 * @param unrouted takes what is too large for one order
 */
export function legsOf(source: LegSource, terms: MarketTerms, unrouted: Unrouted[]): Leg[] {
  let held: number = source.held;
  const legs: Leg[] = [];
  let last: Leg | null = null;
  for (const level of source.levels) {
    const longPrice = priceOf(level, source, terms, unrouted);
    if (longPrice === null) continue;
    const wanted = withinMaximum(level, source.side, longPrice, terms, unrouted);
    if (last !== null && last.longPrice === longPrice) {
      held += sharesOf(last.kept, 'sales');
      widen(last, wanted);
    } else legs.push((last = legOf(source.side, longPrice, wanted)));
    keep(last, held, source.standing);
    held -= sharesOf(last.kept, 'sales');
  }
  if (source.sellFirst) for (const leg of legs) held -= sellFirst(leg, held, terms);
  return legs;
}

/** Where the level can rest; null: nowhere. */
function priceOf(
  level: QuoteLevel,
  { side, touch }: LegSource,
  { tickUnits }: MarketTerms,
  unrouted: Unrouted[],
): PriceUnits | null {
  const wish = (level.price * tickUnits) as PriceUnits;
  const longPrice = touch === null ? wish : restingPrice(side, wish, touch, tickUnits);
  if (longPrice === null) unrouted.push({ side, price: wish, shares: level.shares, reason: 'no-room' });
  return longPrice;
}

function legOf(side: Side, longPrice: PriceUnits, wanted: Shares): Leg {
  const shortPrice = complement(longPrice);
  return {
    side,
    longPrice,
    sellPrice: side === 'ask' ? longPrice : shortPrice,
    buyPrice: side === 'ask' ? shortPrice : longPrice,
    wanted,
    largest: wanted,
    kept: NONE,
    sell: 0 as Shares,
    buy: wanted,
  };
}

function widen(leg: Leg, wanted: Shares): void {
  leg.wanted = (leg.wanted + wanted) as Shares;
  leg.largest = Math.max(leg.largest, wanted) as Shares;
}

/** Keeps what stands and fits: the rest is to be bought. @param held shares that may be sold */
function keep(leg: Leg, held: number, standing: StandingSide): void {
  const { wanted } = leg;
  leg.kept = standing.keptAt(leg.longPrice, wanted, held);
  const missing = wanted - sharesOf(leg.kept, 'all');
  const isNearEnough = missing < wanted && missing <= standing.missingShares;
  leg.buy = (isNearEnough ? 0 : missing) as Shares;
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

/** Of shares that leave in orders of which none is larger than that: as many as in each of the others, but for the rounding. */
export const nextPiece = (left: number, largest: number): Shares =>
  (left <= largest ? left : Math.ceil(left / Math.ceil(left / largest))) as Shares;

/** What the purchase of so many shares locks in as many orders as it takes. @param fee the dearer of both */
export function lockOfPurchase({ buyPrice, largest }: Leg, shares: number, fee: number): Money {
  let lock = 0;
  for (let left = shares; left > 0;) {
    const piece = nextPiece(left, largest);
    lock += lockAt(buyPrice, piece, fee);
    left -= piece;
  }
  return lock as Money;
}
