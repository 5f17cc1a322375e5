/**
 * Orders (specification 4.4 to 4.10). A limit order, a market order, a cancel within a scope and one of the whole
 * account are calls of their own with types of their own, because on this wire a missing value turns the one into the other.
 */
import type { OrderId } from '../../../domain/ids.js';
import type { AnswerBody } from '../../../domain/answers.js';
import type {
  AccountWideCancel,
  CancelScope,
  LimitOrder,
  OrderReplacement,
  OrderReport,
} from '../../../domain/orders.js';
import type { QueryValues } from '../protocol/query.js';
import type { Placed } from '../protocol/read/placed.js';
import {
  readBatchCancel,
  readBatchCreate,
  readBatchUpdate,
  readCancelAll,
  readCreatedOrder,
  readOrderPage,
  type OrderListing,
} from '../protocol/read/orders.js';
import { ENDPOINTS, pathOf } from '../protocol/rest/endpoints.js';
import type { ORDERS_QUERY } from '../protocol/rest/orders.js';
import { encodeMarketOrder, type MarketOrder } from '../protocol/write/market-orders.js';
import {
  encodeAccountWideCancel,
  encodeBatchCancel,
  encodeBatchCreate,
  encodeBatchUpdate,
  encodeLimitOrder,
  encodeScopedCancel,
} from '../protocol/write/orders.js';
import type { Call, OurTime } from './call.js';
import { asking, telling } from './call.js';

/** What the engine is told of an answered request. */
export type BodyOf<Kind extends AnswerBody['kind']> = Extract<AnswerBody, { readonly kind: Kind }>;

/** 4.4 with a price. @throws InvariantError when the order is not one */
export const createLimitOrder = (order: LimitOrder): Call<OrderReport> => ({
  ...telling('createOrder', pathOf(ENDPOINTS.createOrder.path), { json: encodeLimitOrder(order) }),
  read: readCreatedOrder,
});

/** 4.4 without a price: takes at the best available prices. @throws InvariantError when its limit is not positive */
export const createMarketOrder = (order: MarketOrder): Call<OrderReport> => ({
  ...telling('createOrder', pathOf(ENDPOINTS.createOrder.path), { json: encodeMarketOrder(order) }),
  read: readCreatedOrder,
});

/**
 * 4.5, one page; without a status the open ones alone. When each was created is told by our clock, however wrong that is:
 * it is compared with when we asked for it.
 */
export const orders = (query: QueryValues<typeof ORDERS_QUERY>): Call<OrderListing> => ({
  ...asking('orders', pathOf(ENDPOINTS.orders.path), query),
  read: (received, ourTime) => inOurTime(readOrderPage(received), ourTime),
});

function inOurTime(placed: Placed<OrderListing>, ourTime: OurTime): Placed<OrderListing> {
  if (!placed.ok) return placed;
  const told = placed.value.orders.map((order) => ({
    ...order,
    createdAt: order.createdAt === null ? null : ourTime(order.createdAt),
  }));
  return { ok: true, value: { ...placed.value, orders: told } };
}

/** 4.6; the success has no body, so the id stands for it. */
export const cancelOrder = (id: OrderId): Call<OrderId> => ({
  ...telling('cancelOrder', pathOf(ENDPOINTS.cancelOrder.path, id), null),
  read: () => ({ ok: true, value: id }),
});

/** 4.7. @throws InvariantError unless there are 1 to 20, each with price and shares */
export const batchCreate = (batch: readonly LimitOrder[]): Call<BodyOf<'create-orders'>> => ({
  ...telling('batchCreate', pathOf(ENDPOINTS.batchCreate.path), { json: encodeBatchCreate(batch) }),
  read: (received) => readBatchCreate(received, batch.length),
});

/** 4.8. @throws InvariantError unless there are 1 to 20, each with a price */
export const batchUpdate = (batch: readonly OrderReplacement[]): Call<BodyOf<'replace-orders'>> => ({
  ...telling('batchUpdate', pathOf(ENDPOINTS.batchUpdate.path), { json: encodeBatchUpdate(batch) }),
  read: (received) =>
    readBatchUpdate(
      received,
      batch.map(({ orderId }) => orderId),
    ),
});

/** 4.9. @throws InvariantError when no id is given */
export const batchCancel = (ids: readonly OrderId[]): Call<BodyOf<'cancel-orders'>> => ({
  ...telling('batchCancel', pathOf(ENDPOINTS.batchCancel.path), { json: encodeBatchCancel(ids) }),
  read: (received) => readBatchCancel(received, ids),
});

/** 4.10 within a market or an event. @throws InvariantError when the scope is empty */
export const cancelScope = (scope: CancelScope): Call<BodyOf<'cancel-scope'>> => ({
  ...telling('cancelAll', pathOf(ENDPOINTS.cancelAll.path), { json: encodeScopedCancel(scope) }),
  read: readCancelAll,
});

/** 4.10 with an empty body: every active order of the account, whoever placed it. */
export const cancelWholeAccount = (cancel: AccountWideCancel): Call<BodyOf<'cancel-scope'>> => ({
  ...telling('cancelAll', pathOf(ENDPOINTS.cancelAll.path), { json: encodeAccountWideCancel(cancel) }),
  read: readCancelAll,
});
