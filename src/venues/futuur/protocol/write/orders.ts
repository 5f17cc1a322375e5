/** Market orders: a type and an encoder of their own, so that no limit order can become one by accident. */
import { InvariantError } from '../../../../domain/errors.js';
import type { EventId, MarketId, OrderId } from '../../../../domain/ids.js';
import {
  type Money,
  type Shares,
  PRICE_ONE,
  type Micros,
  type PriceUnits,
} from '../../../../domain/units.js';
import type { Currency, Position, Side } from '../../../../domain/vocabulary.js';
import { formatMoney, formatShares, formatPrice, priceNumber } from '../decimals.js';
import type {
  BatchOrderCreation,
  BatchCancel,
  BatchCreate,
  BatchUpdate,
  CancelAll,
  OrderUpdateItem,
} from '../rest/orders.js';
import {
  type AccountWideCancel,
  type CancelScope,
  type LimitOrder,
  type OrderReplacement,
  saysExpiry,
  saysShares,
} from '../../../../domain/orders.js';
import { BATCH_MOST, CANCEL_IDS_MOST } from '../profile.js';
import { formatMicroseconds } from '../timestamps.js';

/** Executes at the best available prices; what it cannot fill is canceled, never rests (facts, "Trading rules"). */
export interface MarketOrder {
  readonly kind: 'market-order';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Fills at most these shares, or spends at most this amount. */
  readonly limit: { readonly shares: Shares } | { readonly amount: Money };
}

/** The price is null, and says so. @throws InvariantError when the limit is not positive */
export function encodeMarketOrder(order: MarketOrder): BatchOrderCreation {
  return {
    market: wireId(order.marketId, 'market'),
    event: wireId(order.eventId, 'event'),
    side: order.side,
    currency: order.currency,
    position: order.position,
    price: null,
    ...limitMembers(order.limit),
  };
}

function limitMembers(limit: MarketOrder['limit']): { shares: string } | { amount: string } {
  if ('shares' in limit) return { shares: formatShares(wireShares(limit.shares)) };
  if (!Number.isSafeInteger(limit.amount) || limit.amount <= 0) {
    throw new InvariantError(`refused to encode: market order for ${limit.amount}`);
  }
  return { amount: formatMoney(limit.amount) };
}

/**
 * Order requests as wire bodies. On this wire a missing or null price is a market order, `NaN` becomes null in
 * JSON, and an empty cancel-all reaches the whole account; so each request has an encoder of its own, and every
 * encoder refuses what it would otherwise turn into another request.
 */

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
function wireId(id: string, what: string): number {
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
function wireShares(shares: Shares): Shares {
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
