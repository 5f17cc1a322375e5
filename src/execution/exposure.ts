import { type Money, type Shares } from '../domain/units.js';
import type { MarketOrders } from './order-index.js';
import { type MarketTerms, lockOf } from './market-terms.js';

/**
 * What the working orders of one market may still do, foreign ones included. Everything that is not done counts in
 * full: an update under way with the old remainder and with the whole replacement, an unknown order as if it stood.
 */
export interface MarketExposure {
  /** Shares that may still be bought and sold, per position. */
  readonly buyLong: Shares;
  readonly sellLong: Shares;
  readonly buyShort: Shares;
  readonly sellShort: Shares;
  /** Cash that the purchases lock, larger fee included. */
  readonly lockedCash: Money;
}

/** @returns the exposure at this moment */
export function exposureOf(orders: MarketOrders, terms: MarketTerms): MarketExposure {
  const sum = { buyLong: 0, sellLong: 0, buyShort: 0, sellShort: 0, lockedCash: 0 };
  for (const order of orders.working) {
    if (order.side === 'bid') {
      sum[order.position === 'long' ? 'buyLong' : 'buyShort'] += order.remaining;
      sum.lockedCash += lockOf(order.price, order.remaining, terms);
    } else sum[order.position === 'long' ? 'sellLong' : 'sellShort'] += order.remaining;
  }
  return sum as unknown as MarketExposure;
}
