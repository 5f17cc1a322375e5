import type { LimitOrder } from '../../domain/orders.js';
import { complement, PRICE_ONE, type PriceUnits } from '../../domain/units.js';
import { takes, type Touch } from '../../execution/planning/touch.js';

/** An order as it is asked for: what it is about, and its price there. */
interface Placed {
  readonly place: Pick<LimitOrder, 'side' | 'position'>;
  readonly price: PriceUnits;
}

const NOTHING = 0 as PriceUnits;

/**
 * The outermost long-side prices of orders of one market on each side of the book: no other of them takes from the book, or
 * is too far from a price, where these do not and are not. The object lasts from one list to the next.
 */
export class PriceSpan {
  #highestBid = NOTHING;
  #lowestAsk = PRICE_ONE;
  /** Of both sides together. */
  lowest = PRICE_ONE;
  highest = NOTHING;

  /** @returns itself, about these orders */
  of(orders: readonly Placed[]): this {
    let highestBid = NOTHING;
    let lowestAsk = PRICE_ONE;
    let lowest = PRICE_ONE;
    let highest = NOTHING;
    for (let at = 0; at < orders.length; at += 1) {
      const { place, price } = orders[at]!;
      const isLong = place.position === 'long';
      const longPrice = isLong ? price : complement(price);
      if (longPrice < lowest) lowest = longPrice;
      if (longPrice > highest) highest = longPrice;
      if ((place.side === 'bid') === isLong) {
        if (longPrice > highestBid) highestBid = longPrice;
      } else if (longPrice < lowestAsk) lowestAsk = longPrice;
    }
    this.#highestBid = highestBid;
    this.#lowestAsk = lowestAsk;
    this.lowest = lowest;
    this.highest = highest;
    return this;
  }

  /** Would any of the orders trade at once instead of resting? */
  takesFrom(touch: Touch): boolean {
    return takes('bid', this.#highestBid, touch) || takes('ask', this.#lowestAsk, touch);
  }
}
