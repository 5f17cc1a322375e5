import type { QuoteLevel } from '../domain/intent.js';
import { type PriceUnits, type Shares, complement } from '../domain/units.js';
import type { Side } from '../domain/vocabulary.js';
import type { MarketTerms } from './market-terms.js';

/** A part of the intent that no order expresses; it is not retried before the intent or the funds change. */
export interface Unrouted {
  readonly side: Side;
  /** Long-side price. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  /** `dust`: below the least amount; `cash`: neither cash nor shares for it; `over-maximum`: above the most amount. */
  readonly reason: 'dust' | 'cash' | 'over-maximum';
}

/** One level on its way to orders: what is to be sold from holdings and what is to be bought. */
export interface Leg {
  readonly side: Side;
  readonly longPrice: PriceUnits;
  /** Price of the position that is sold, and of the one that is bought instead. */
  readonly sellPrice: PriceUnits;
  readonly buyPrice: PriceUnits;
  sell: Shares;
  buy: Shares;
}

/**
 * Splits levels into sales and purchases, nearest first.
 * @param held      shares that may be sold on this side of the book
 * @param unrouted  takes what is too large for one order
 */
export function legsOf(
  levels: readonly QuoteLevel[],
  side: Side,
  held: Shares,
  terms: MarketTerms,
  unrouted: Unrouted[],
): Leg[] {
  let left: number = held;
  return levels.map((level) => {
    const leg = purchaseOf(level, side, terms, unrouted);
    move(leg, Math.min(left, leg.buy));
    evenOut(leg, left, terms);
    left -= leg.sell;
    return leg;
  });
}

function purchaseOf(level: QuoteLevel, side: Side, terms: MarketTerms, unrouted: Unrouted[]): Leg {
  const longPrice = (level.price * terms.tickUnits) as PriceUnits;
  const shortPrice = complement(longPrice);
  const most = Math.floor(terms.maxAmount / Math.max(longPrice, shortPrice));
  const shares = Math.min(level.shares, most) as Shares;
  const excess = (level.shares - shares) as Shares;
  if (excess > 0) unrouted.push({ side, price: longPrice, shares: excess, reason: 'over-maximum' });
  const [sellPrice, buyPrice] = side === 'ask' ? [longPrice, shortPrice] : [shortPrice, longPrice];
  return { side, longPrice, sellPrice, buyPrice, sell: 0 as Shares, buy: shares };
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
