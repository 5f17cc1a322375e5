import { PRICE_ONE, type Money, type Shares } from '../../domain/units.js';
import type { Book } from './books.js';
import { LONG } from '../codes.js';
import { ASK, BID, opposite, type BookSide } from '../matching/index.js';

/** What taking shares from a book would trade and cost (or bring), without fees. */
export interface Sweep {
  readonly shares: Shares;
  readonly amount: Money;
}

const NOBODYS: ReadonlyMap<number, number> = new Map();

/** Price of a position at a long-side price. */
export const ownPrice = (longPrice: number, position: number): number =>
  position === LONG ? longPrice : PRICE_ONE - longPrice;

/**
 * @param side   book side of the taker
 * @param shares most to take
 * @param own    shares by tick that are not there for it: those of the taker's own orders
 * @returns what the book holds for it, up to `shares`, valued in the position's price
 */
export function sweep(
  book: Book,
  side: BookSide,
  position: number,
  shares: number,
  own: ReadonlyMap<number, number> = NOBODYS,
): Sweep {
  let left = shares;
  let amount = 0;
  for (const level of book.matching.levels(opposite(side))) {
    const taken = Math.min(left, level.shares - (own.get(level.tick) ?? 0));
    left -= taken;
    amount += taken * ownPrice(book.price(level.tick), position);
    if (left === 0) break;
  }
  return { shares: (shares - left) as Shares, amount: amount as Money };
}

/** Book side on which shares of a position are sold. */
export const sellingSide = (position: number): BookSide => (position === LONG ? ASK : BID);
