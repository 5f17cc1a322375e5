import { InvariantError } from '../../../domain/errors.js';
import type { MarketId } from '../../../domain/ids.js';
import type { OrderReplacement } from '../../../domain/orders.js';
import type { OrderBlotter } from './order-blotter.js';
import type { TrackedOrder } from './tracked-order.js';

/**
 * The orders that an update is to replace. Whoever planned it has just looked at the orders of the market, mostly in the
 * same order, while every look at the table of all ids waits for memory.
 * @throws InvariantError when one is not known
 */
export function replacedOrders(
  blotter: OrderBlotter,
  replacements: readonly OrderReplacement[],
): readonly TrackedOrder[] {
  let market: MarketId | null = null;
  let working: readonly TrackedOrder[] = [];
  let turn = 0;
  return replacements.map(({ orderId, place }) => {
    if (place.marketId !== market) {
      market = place.marketId;
      working = blotter.working(market);
      turn = 0;
    }
    for (let looked = 0; looked < working.length; looked++) {
      const order = working[turn]!;
      turn = turn + 1 === working.length ? 0 : turn + 1;
      if (order.orderId === orderId) return order;
    }
    const ended = blotter.byId(orderId);
    if (ended === undefined) throw new InvariantError(`update of an unknown order: ${orderId}`);
    return ended;
  });
}
