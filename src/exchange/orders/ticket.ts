import type { Micros, Money, PriceUnits, Shares, Ticks } from '../../domain/units.js';
import type { Book } from '../books/books.js';
import type { BookSide } from '../matching/index.js';
import type { Stake } from '../money/stakes.js';
import { RowList } from './row-list.js';

/**
 * The order that is being admitted, in the terms of the house; codes as in `codes.ts`. There is one, which is filled
 * in anew for each order and good until the next, so that orders leave no garbage behind.
 */
export class Ticket {
  declare stake: Stake;
  declare book: Book;
  side = 0;
  position = 0;
  currency = 0;
  bookSide: BookSide = 0;
  /** Of the named position; null: a market order. */
  price: PriceUnits | null = null;
  /** Long-side limit; of a market order the worst price of the book. */
  tick = 0 as Ticks;
  /** 0: a market order by amount alone. */
  shares = 0 as Shares;
  /** Price x shares; of a market order what it may cost, 0 when it names shares alone. */
  amount = 0 as Money;
  /** Cash a bid needs, fees included: what a limit order locks, what a market order will pay at most. */
  cost = 0 as Money;
  expiresAt: Micros | null = null;
  /** Row of the order it is to replace; 0: none. */
  replacing = 0;
  /** Own orders to cancel before it is placed, oldest first. */
  readonly conflicting = new RowList();
}
