/**
 * Order requests as wire bodies. On this wire a missing or null price is a market order, `NaN` becomes null in
 * JSON, and an empty cancel-all reaches the whole account; so each request has an encoder of its own, and every
 * encoder refuses what it would otherwise turn into another request.
 */
import { InvariantError } from '../../../../domain/errors.js';
import type { OrderId } from '../../../../domain/ids.js';
import {
  type AccountWideCancel,
  type CancelScope,
  type LimitOrder,
  type OrderReplacement,
  saysExpiry,
  saysShares,
} from '../../../../domain/orders.js';
import { PRICE_ONE, type Micros, type PriceUnits, type Shares } from '../../../../domain/units.js';
import { formatPrice, formatShares, priceNumber } from '../decimals.js';
import { BATCH_MOST, CANCEL_IDS_MOST } from '../limits.js';
import type {
  BatchCancel,
  BatchCreate,
  BatchOrderCreation,
  BatchUpdate,
  CancelAll,
  OrderUpdateItem,
} from '../rest/order-batches.js';
import { formatMicroseconds } from '../timestamps.js';

/** A limit order as a body of `POST /orders/` or an item of a batch. @throws InvariantError */
export const encodeLimitOrder = (order: LimitOrder): BatchOrderCreation => ({
  market: wireId(order.marketId, 'market'),
  event: wireId(order.eventId, 'event'),
  side: order.side,
  currency: order.currency,
  position: order.position,
  price: priceNumber(wirePrice(order.price)),
  shares: formatShares(wireShares(order.shares)),
  expired_at: wireExpiry(order.expiresAt),
});

/** 1 to 20 limit orders (specification 4.7). @throws InvariantError */
export const encodeBatchCreate = (orders: readonly LimitOrder[]): BatchCreate => ({
  orders: batch(orders).map(encodeLimitOrder),
});

/** 1 to 20 replacements (specification 4.8), of which only what changes is said. @throws InvariantError */
export const encodeBatchUpdate = (replacements: readonly OrderReplacement[]): BatchUpdate => ({
  orders: batch(replacements).map(encodeReplacement),
});

/** At least one id (specification 4.9). @throws InvariantError when the list is empty or too long */
export const encodeBatchCancel = (orderIds: readonly OrderId[]): BatchCancel => ({
  order_ids: batch(orderIds, CANCEL_IDS_MOST).map((id) => wireId(id, 'order')),
});

/** Cancel-all within a market or an event (specification 4.10). @throws InvariantError when the scope is empty */
export function encodeScopedCancel(scope: CancelScope): CancelAll {
  const event = wireId(scope.eventId, 'event');
  return scope.kind === 'market' ? { event, market: wireId(scope.marketId, 'market') } : { event };
}

/** Cancel-all of the whole account: an empty body, and a type that no engine effect carries. */
export function encodeAccountWideCancel(cancel: AccountWideCancel): Record<string, never> {
  if (cancel.confirmedBy === 'operator') return {};
  return refuse('an account-wide cancel that no operator confirmed');
}

function encodeReplacement({ orderId, shares, price, expiresAt, says }: OrderReplacement): OrderUpdateItem {
  const [size, expiry] = [formatShares(wireShares(shares)), wireExpiry(expiresAt)];
  return {
    id: wireId(orderId, 'order'),
    ...(saysShares(says) && { shares: size }),
    price: formatPrice(wirePrice(price)),
    ...(saysExpiry(says) && { expired_at: expiry }),
  };
}

/** Ids are whole numbers on this wire. @throws InvariantError for any other text */
export function wireId(id: string, what: string): number {
  const number = Number(id);
  if (Number.isSafeInteger(number) && number >= 0 && String(number) === id) return number;
  return refuse(`${what} without an id: ${id}`);
}

/** @throws InvariantError unless it is strictly between 0 and 1 */
function wirePrice(price: PriceUnits): PriceUnits {
  if (Number.isSafeInteger(price) && price > 0 && price < PRICE_ONE) return price;
  return refuse(`order at price ${price}`);
}

/** @throws InvariantError unless it is a positive integer */
export function wireShares(shares: Shares): Shares {
  if (Number.isSafeInteger(shares) && shares > 0) return shares;
  return refuse(`order of ${shares} shares`);
}

/** @throws InvariantError when it is neither a time nor null */
function wireExpiry(time: Micros | null): string | null {
  if (time === null) return null;
  return Number.isSafeInteger(time) && time > 0
    ? formatMicroseconds(time)
    : refuse(`order that expires at ${time}`);
}

/** @throws InvariantError unless there are 1 to `most` items */
function batch<Item>(items: readonly Item[], most = BATCH_MOST): readonly Item[] {
  if (items.length > 0 && items.length <= most) return items;
  return refuse(`batch of ${items.length}`);
}

function refuse(text: string): never {
  throw new InvariantError(`refused to encode: ${text}`);
}
