import type { MarketId, OrderId } from '../../domain/ids.js';
import type { CancelScope } from '../../domain/orders.js';
import type { OwnOrder } from './orders/own-order.js';
import type { PlannedRequest } from './sending/packing.js';

/** Cancels by id. @param orders at most 20; those without an id are left out */
export function cancelOf(orders: readonly OwnOrder[]): PlannedRequest {
  const orderIds = orders.map((order) => order.orderId).filter((id): id is OrderId => id !== null);
  const markets = [...new Set(orders.map((order) => order.marketId))];
  return { request: { kind: 'cancel-orders', orderIds }, markets, requestId: null, urgency: 0 };
}

/** Cancels orders of which nothing but the id is known. @param orderIds at most 20 */
export const cancelOfIds = (orderIds: readonly OrderId[]): PlannedRequest => ({
  request: { kind: 'cancel-orders', orderIds },
  markets: [],
  requestId: null,
  urgency: 0,
});

/** Cancels everything in a scope that is ours alone. @param markets those of the scope that we trade */
export const cancelOfScope = (scope: CancelScope, markets: readonly MarketId[]): PlannedRequest => ({
  request: { kind: 'cancel-scope', scope },
  markets,
  requestId: null,
  urgency: 0,
});
