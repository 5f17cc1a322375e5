/** Orders as the wire spells them: two shapes, one for listings, one for batches (specification 2.3). */
import type { Micros } from '../../domain/units.js';
import { currencyUnits, wholeShares } from '../../domain/units.js';
import type { OrderView } from '../../exchange/contract.js';
import { formatShares } from '../../venues/futuur/protocol/decimals.js';
import type { ListedOrder } from '../../venues/futuur/protocol/rest/orders.js';
import { formatMicroseconds } from '../../venues/futuur/protocol/timestamps.js';
import { optionalPrice, optionalTime, timeText } from './numbers.js';

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

/**
 * Second table: results of batch create and batch update, as JSON text. Batches carry most orders, and writing
 * their text at once takes a third of the time of building an object for `JSON.stringify`. All texts in it are of
 * closed lists or made of digits, so none needs escaping.
 */
export function batchOrderText(order: OrderView): string {
  const shares = wholeShares(order.shares);
  return (
    `{"id":${order.id},"event":"${order.eventId}","market":"${order.marketId}",` +
    `"price":${optionalPrice(order.price)},"shares":${shares},"shares_requested":${shares},` +
    `"shares_filled":"${formatShares(order.filled)}","currency":"${order.currency}","side":"${order.side}",` +
    `"position":"${order.position}","expired_at":${quotedTime(order.expiresAt)},` +
    `"status":"${order.status}","created":"${timeText(order.createdAt)}"}`
  );
}

const quotedTime = (time: Micros | null): string =>
  time === null ? 'null' : `"${formatMicroseconds(time)}"`;
