import { type Placed, PlacementError, place } from './placed.js';
import type { OrderReport } from '../../../../domain/orders.js';
import { readPrice, readShares } from '../decimals.js';
import { readOptionalTimestamp, readTimestamp } from '../timestamps.js';
import { eventId, marketId, type OrderId, orderId } from '../../../../domain/ids.js';
import type { AnswerBody, ItemOutcome } from '../../../../domain/answers.js';
import { meaningOf, isVenueErrorCode, ITEM_REFUSED, type ItemErrors } from '../errors.js';
import {
  batchCancelResult,
  batchCreateResult,
  batchUpdateResult,
  cancelAllResult,
  type BatchCancelResult,
  type BatchCreateResult,
  type BatchOrder,
  listedOrder,
  orderPage,
  type ListedOrder,
  type OrderPage,
} from '../rest/orders.js';
import { nextOffset } from '../rest/pagination.js';
import { readPosition } from './words.js';

/** What every source tells of an order, with null where it does not say. */
export type ToldOfOrder = Omit<OrderReport, 'filledNow'>;

/** One place makes a report, whoever told it and however that was read: code that reads objects of one shape is fast. */
export const orderReport = (told: ToldOfOrder): OrderReport => ({
  orderId: told.orderId,
  marketId: told.marketId,
  eventId: told.eventId,
  side: told.side,
  position: told.position,
  currency: told.currency,
  price: told.price,
  status: told.status,
  requested: told.requested,
  filled: told.filled,
  averageFillPrice: told.averageFillPrice,
  createdAt: told.createdAt,
  expiresAt: told.expiresAt,
});

/** A reading of something received: a domain value, or why it could not be placed. Never a throw across the border. */

/** Orders and outcomes of order requests, from REST answers. */

type BodyOf<Kind extends AnswerBody['kind']> = Extract<AnswerBody, { readonly kind: Kind }>;

/** One page of `GET /orders/` and where the next begins (null: this was the last). */
export interface OrderListing {
  readonly orders: readonly OrderReport[];
  readonly total: number;
  readonly nextOffset: number | null;
}

export const readOrderPage = (received: unknown): Placed<OrderListing> =>
  place(orderPage, received, (page: OrderPage) => ({
    orders: page.results.map(fromListing),
    total: page.pagination.total,
    nextOffset: nextOffset(page.pagination),
  }));

/** The answer of a single creation. */
export const readCreatedOrder = (received: unknown): Placed<OrderReport> =>
  place(listedOrder, received, fromListing);

/** @param count items sent: a result for another number of items is not an answer to this request */
export const readBatchCreate = (received: unknown, count: number): Placed<BodyOf<'create-orders'>> =>
  place(batchCreateResult, received, (wire) => ({
    kind: 'create-orders',
    items: inRequestOrder(wire.results, count).map(orderOutcome),
    canceledIds: (wire.cancelled_existing_order_ids ?? []).map(orderId),
  }));

/** @param submitted ids of the request, in order */
export const readBatchUpdate = (
  received: unknown,
  submitted: readonly OrderId[],
): Placed<BodyOf<'replace-orders'>> =>
  place(batchUpdateResult, received, (wire) => ({
    kind: 'replace-orders',
    items: withSubmittedIds(inRequestOrder(wire, submitted.length), submitted).map(orderOutcome),
  }));

/** @param submitted ids of the request, in order */
export const readBatchCancel = (
  received: unknown,
  submitted: readonly OrderId[],
): Placed<BodyOf<'cancel-orders'>> =>
  place(batchCancelResult, received, (wire) => ({
    kind: 'cancel-orders',
    items: withSubmittedIds(inRequestOrder(wire, submitted.length), submitted).map(cancelOutcome),
  }));

export const readCancelAll = (received: unknown): Placed<BodyOf<'cancel-scope'>> =>
  place(cancelAllResult, received, (wire) => ({
    kind: 'cancel-scope',
    canceledIds: wire.canceled_order_ids.map(orderId),
    processingIds: wire.processing_order_ids.map(orderId),
  }));

/** Specification 2.3, first table: no event, no fills. */
const fromListing = (wire: ListedOrder): OrderReport =>
  orderReport({
    orderId: orderId(wire.id),
    marketId: marketId(wire.market),
    eventId: null,
    side: wire.side,
    position: readPosition(wire.position, 'position'),
    currency: wire.currency,
    price: wire.price === null ? null : readPrice(wire.price, 'price'),
    status: wire.status,
    requested: readShares(wire.shares, 'shares'),
    filled: null,
    averageFillPrice: null,
    createdAt: readTimestamp(wire.created_at, 'created_at'),
    expiresAt: readOptionalTimestamp(wire.expired_at, 'expired_at'),
  });

/** Specification 2.3, second table: ids as text, fills known. */
const fromBatch = (wire: BatchOrder): OrderReport =>
  orderReport({
    orderId: orderId(wire.id),
    marketId: marketId(Number(wire.market)),
    eventId: eventId(Number(wire.event)),
    side: wire.side,
    position: readPosition(wire.position, 'position'),
    currency: wire.currency,
    price: wire.price === null ? null : readPrice(wire.price, 'price'),
    status: wire.status,
    requested: readShares(wire.shares_requested, 'shares_requested'),
    filled: readShares(wire.shares_filled, 'shares_filled'),
    averageFillPrice: null,
    createdAt: readTimestamp(wire.created, 'created'),
    expiresAt: readOptionalTimestamp(wire.expired_at, 'expired_at'),
  });

type OrderItem = BatchCreateResult['results'][number];

function orderOutcome({ success, order, errors }: OrderItem): ItemOutcome<OrderReport> {
  if (!success) return itemFailure(errors);
  if (order === null || order === undefined) throw new PlacementError('a successful item without its order');
  return { ok: true, value: fromBatch(order) };
}

const cancelOutcome = ({ success, order_id: id, error }: BatchCancelResult[number]): ItemOutcome<OrderId> =>
  success ? { ok: true, value: orderId(id) } : itemFailure(error);

type ItemFailure = Extract<ItemOutcome<never>, { readonly ok: false }>;

/** A code stays as it is, a sentence becomes the detail, and field-level problems are a validation error. */
function itemFailure(errors: ItemErrors | null | undefined): ItemFailure {
  if (errors === null || errors === undefined) return { ok: false, code: ITEM_REFUSED, means: 'unstated' };
  if (typeof errors !== 'string')
    return {
      ok: false,
      code: 'ValidationError',
      means: 'invalid',
      detail: JSON.stringify(errors),
      fields: Object.keys(errors),
    };
  return isVenueErrorCode(errors)
    ? { ok: false, code: errors, means: meaningOf(errors) }
    : { ok: false, code: ITEM_REFUSED, means: 'unstated', detail: errors };
}

/** Results by index, 0 to count - 1 each exactly once: anything else proves nothing about any item. */
function inRequestOrder<Item extends { readonly index: number }>(
  items: readonly Item[],
  count: number,
): readonly Item[] {
  const sorted = isInOrder(items) ? items : items.toSorted((left, right) => left.index - right.index);
  if (sorted.length !== count || !isInOrder(sorted))
    throw new PlacementError(`expected results 0 to ${count - 1}, each once`);
  return sorted;
}

const isInOrder = (items: readonly { readonly index: number }[]): boolean =>
  items.every((item, index) => item.index === index);

function withSubmittedIds<Item extends { readonly order_id: number }>(
  items: readonly Item[],
  submitted: readonly OrderId[],
): readonly Item[] {
  if (items.every((item, index) => orderId(item.order_id) === submitted[index])) return items;
  throw new PlacementError('results of other orders than the submitted ones');
}
