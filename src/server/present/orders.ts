/** Orders as the wire spells them: two shapes, one for listings, one for batches (specification 2.3). */
import { currencyUnits, probability, wholeShares } from '../../domain/units.js';
import type { OrderView } from '../../exchange/contract.js';
import { formatShares } from '../../protocol/decimals.js';
import type { BatchOrder } from '../../protocol/rest/order-batches.js';
import type { ListedOrder } from '../../protocol/rest/orders.js';
import { formatMicroseconds } from '../../protocol/timestamps.js';
import { optionalPrice, optionalTime } from './numbers.js';

/** First table: listings and the single creation. */
export const listedOrder = (order: OrderView): ListedOrder => ({
  id: order.id,
  market: order.marketId,
  side: order.side,
  currency: order.currency,
  price: optionalPrice(order.price),
  shares: wholeShares(order.shares),
  amount: currencyUnits(order.amount),
  position: order.position,
  status: order.status,
  expired_at: optionalTime(order.expiresAt),
  created_at: formatMicroseconds(order.createdAt),
});

/** Second table: results of batch create and batch update. */
export const batchOrder = (order: OrderView): BatchOrder => ({
  id: order.id,
  event: String(order.eventId),
  market: String(order.marketId),
  price: order.price === null ? null : probability(order.price),
  shares: wholeShares(order.shares),
  shares_requested: wholeShares(order.shares),
  shares_filled: formatShares(order.filled),
  currency: order.currency,
  side: order.side,
  position: order.position,
  expired_at: optionalTime(order.expiresAt),
  status: order.status,
  created: formatMicroseconds(order.createdAt),
});
