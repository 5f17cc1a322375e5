/** Open orders with all that their costs are computed from. */
import { type Money, PRICE_ONE, SHARE_ONE, type Shares } from '../../../src/domain/units.js';
import type { Position } from '../../../src/domain/vocabulary.js';
import { type OpenOrder, OrderCosts } from '../../../src/core/portfolio/worst-case.js';

export interface PricedOrder extends OpenOrder {
  readonly shares: Shares;
  readonly fee: Money;
}

export function costsOf(...orders: readonly PricedOrder[]): OrderCosts {
  const costs = new OrderCosts();
  for (const order of orders) costs.add(order, order.shares, order.fee);
  return costs;
}

/** What a fill of all its shares brings if the market resolves so; the fee is rounded up. */
export function contributionOf(order: PricedOrder, resolution: Position): number {
  const { side, position, price, shares, fee } = order;
  const payout = position === resolution ? PRICE_ONE : 0;
  const sign = side === 'bid' ? 1 : -1;
  return sign * (payout - price) * shares - Math.ceil((fee * shares) / SHARE_ONE);
}
