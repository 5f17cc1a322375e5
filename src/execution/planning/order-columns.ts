import type { LimitOrder } from '../../domain/orders.js';
import { complement, type PriceUnits } from '../../domain/units.js';
import { bookSide, type Currency, type Side } from '../../domain/vocabulary.js';
import type { OwnOrder } from '../orders/own-order.js';

/** In {@link OrderColumns.partners}: none. */
export const NOBODY = -1;

/**
 * A list of orders as it is compared with another list: each order is read once, and then its price, size and place are
 * looked at many times. The memory lasts, and takes up the list of the next plan.
 */
abstract class OrderColumns<Order> {
  orders: readonly Order[] = [];
  /** Price units of the long side. */
  readonly longPrices: number[] = [];
  readonly shares: number[] = [];
  /** Orders of one place are ours and change the same holding in the same direction: one can stand for the other. */
  readonly places: number[] = [];
  /** The order of the other list that each one belongs to, as an index there. */
  readonly partners: number[] = [];

  protected set(row: number, longPrice: PriceUnits, shares: number, place: number): void {
    this.longPrices[row] = longPrice;
    this.shares[row] = shares;
    this.places[row] = place;
    this.partners[row] = NOBODY;
  }
}

/** Orders that should stand, with their shares: bids of the book before asks, best first. */
export class DesiredColumns extends OrderColumns<LimitOrder> {
  /** How many of them are bids of the book. */
  #bids = 0;

  /** @param currency the market's: only what is in the same has the same place */
  read(orders: readonly LimitOrder[], currency: Currency): void {
    this.orders = orders;
    this.#bids = 0;
    for (let d = 0; d < orders.length; d += 1) {
      const order = orders[d]!;
      const side = bookSideOf(order);
      if (side === 'bid') this.#bids += 1;
      this.set(d, longPriceOf(order), order.shares, placeOf(order, side, currency));
    }
  }

  /** The best order of a side of the book. */
  first(isBid: boolean): number {
    return isBid ? 0 : this.#bids;
  }

  /** Behind the last order of a side of the book. */
  end(isBid: boolean): number {
    return isBid ? this.#bids : this.orders.length;
  }

  /** The first order of a side of the book that is not better than this price; its {@link end} when all are. */
  firstNotBetter(isBid: boolean, longPrice: number): number {
    const { longPrices } = this;
    let low = this.first(isBid);
    let high = this.end(isBid);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const price = longPrices[middle]!;
      if (isBid ? price > longPrice : price < longPrice) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Orders that stand, or may, with the shares that can still be filled. */
export class WorkingColumns extends OrderColumns<OwnOrder> {
  /** @param currency the market's: only what is in the same has the same place */
  read(orders: readonly OwnOrder[], currency: Currency): void {
    this.orders = orders;
    for (let w = 0; w < orders.length; w += 1) {
      const order = orders[w]!;
      const place = placeOf(order, order.bookSide, currency) + (order.ownership === 'ours' ? 0 : FOREIGN);
      this.set(w, order.longPrice, order.remaining, place);
    }
  }
}

const ASK_OF_BOOK = 1;
const SALE = 2;
const OTHER_CURRENCY = 4;
const FOREIGN = 8;

const placeOf = (order: Pick<LimitOrder, 'side' | 'currency'>, side: Side, currency: Currency): number =>
  (side === 'ask' ? ASK_OF_BOOK : 0) +
  (order.side === 'ask' ? SALE : 0) +
  (order.currency === currency ? 0 : OTHER_CURRENCY);

/** Does an order of that place stand on the bid side of the one book? */
export const isBidOfBook = (place: number): boolean => (place & ASK_OF_BOOK) === 0;

/** Is an order of that place not ours to touch? */
export const isForeign = (place: number): boolean => (place & FOREIGN) !== 0;

type Priced = Pick<LimitOrder, 'side' | 'position' | 'price'>;

export const longPriceOf = ({ position, price }: Priced): PriceUnits =>
  position === 'long' ? price : complement(price);

export const bookSideOf = (order: Priced): Side => bookSide(order.side, order.position);
