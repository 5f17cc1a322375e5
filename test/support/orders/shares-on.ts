import type { OrderReport } from '../../../src/domain/orders.js';
import { bookSide, type Side } from '../../../src/domain/vocabulary.js';

/** Shares that orders on one side of the long-side book may still trade, in share units. */
export function sharesOn(
  side: Side,
  orders: readonly Pick<OrderReport, 'side' | 'position' | 'requested' | 'filled'>[],
): number {
  let shares = 0;
  for (const order of orders)
    if (bookSide(order.side, order.position) === side) shares += order.requested - (order.filled ?? 0);
  return shares;
}
