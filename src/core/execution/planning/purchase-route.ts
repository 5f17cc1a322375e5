import type { LimitOrder } from '../../../domain/orders.js';
import { dearerFee, lockAt } from '../../../domain/locks.js';
import { PRICE_ONE, type PriceUnits, type Shares } from '../../../domain/units.js';
import type { Routed, RouteSource } from './leg-route.js';
import type { LegSource } from './legs.js';
import type { MarketTerms } from './market-terms.js';
import { purchaseOf } from './quote-orders.js';
import type { OwnOrder } from '../orders/own-order.js';
import { takes } from './touch.js';

const NONE: readonly never[] = [];

/**
 * Most intents in one pass: nothing held is to be sold, every level rests as it is and is one purchase, which stands
 * already or is to be asked for, and there is cash for all of them. Then nothing is to be split or shared out.
 * @returns null when it is not so
 */
export function routePurchases({ bids, asks, funds }: RouteSource, terms: MarketTerms): Routed | null {
  const purchases = new Purchases(terms);
  if (!purchases.add(bids) || !purchases.add(asks) || purchases.lock > funds.cash) return null;
  const { orders, stand } = purchases;
  return { orders, unrouted: NONE, stands: stand, isScarce: false };
}

class Purchases {
  readonly orders: LimitOrder[] = [];
  /** What all of them lock. */
  lock = 0;
  /** Do all of them stand already? */
  stand = true;
  readonly #fee: number;

  constructor(private readonly terms: MarketTerms) {
    this.#fee = dearerFee(terms);
  }

  /** @returns whether every level is one purchase */
  add({ levels, side, held, sellFirst, standing, touch }: LegSource): boolean {
    if (sellFirst && held !== 0) return false;
    const { tickUnits } = this.terms;
    const isBid = side === 'bid';
    let last: number = PRICE_ONE;
    for (let at = 0; at < levels.length; at += 1) {
      const { price: ticks, shares } = levels[at]!;
      const longPrice = (ticks * tickUnits) as PriceUnits;
      const price = (isBid ? longPrice : PRICE_ONE - longPrice) as PriceUnits;
      // Best first: where the first one takes nothing, none does. Two of one price would share what stands there.
      if (at === 0 && touch !== null && takes(side, longPrice, touch)) return false;
      if (price >= last || !this.#isOneOrder(price, shares)) return false;
      if (!standing.reaches(longPrice)) this.stand = false;
      else if (!this.#mayStand(standing.keptAt(longPrice, shares, held), shares)) return false;
      this.lock += lockAt(price, shares, this.#fee);
      this.orders.push(purchaseOf(side, price, shares, this.terms));
      last = price;
    }
    return true;
  }

  /** Neither dust nor more than one order may surely amount to. */
  #isOneOrder(price: PriceUnits, shares: Shares): boolean {
    const { minAmount, maxAmount } = this.terms;
    return shares > 0 && price * shares >= minAmount && shares * PRICE_ONE <= maxAmount;
  }

  /** Does nothing stand for the level, or a purchase of all of it? Then nothing else does. */
  #mayStand(kept: readonly OwnOrder[], shares: Shares): boolean {
    const [order] = kept;
    if (order === undefined) this.stand = false;
    return order === undefined || (order.side === 'bid' && order.remaining === shares);
  }
}
