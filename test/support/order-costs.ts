/** Open orders with all that their costs are computed from. */
import type { Money, Shares } from '../../src/domain/units.js';
import type { Position } from '../../src/domain/vocabulary.js';
import { contribution, type OpenOrder, OrderCosts } from '../../src/portfolio/order-costs.js';

export interface PricedOrder extends OpenOrder {
  readonly shares: Shares;
  readonly fee: Money;
}

export function costsOf(...orders: readonly PricedOrder[]): OrderCosts {
  const costs = new OrderCosts();
  for (const order of orders) costs.add(order, order.shares, order.fee);
  return costs;
}

export const contributionOf = (order: PricedOrder, resolution: Position): number =>
  contribution(order, order.shares, order.fee, resolution);
