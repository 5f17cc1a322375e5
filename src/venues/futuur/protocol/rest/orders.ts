/** Single orders: `POST /orders/`, `GET /orders/` (specification 2.3, 2.4, 4.4, 4.5). */
import { Type, type Static } from 'typebox';
import { BATCH_LEAST, BATCH_MOST, CANCEL_IDS_LEAST } from '../profile.js';
import {
  shape,
  Currency,
  Decimal,
  Id,
  maybe,
  nullable,
  OrderStatus,
  PositionWord,
  Probability,
  Side,
  Time,
  Count,
  DecimalText,
  IdText,
} from '../shape.js';
import { pageOf } from './pagination.js';

/** Why an item of a batch failed: `ItemErrors` of `errors.ts`. */
const ItemErrors = Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]);

/** An order as listings and the single creation return it (specification 2.3, first table). No fills are told. */
export const ListedOrder = Type.Object({
  id: Id,
  market: Id,
  side: Side,
  currency: Currency,
  price: nullable(Probability),
  shares: Type.Number(),
  amount: Type.Number(),
  position: PositionWord,
  status: OrderStatus,
  expired_at: maybe(Time),
  created_at: Time,
});
export type ListedOrder = Static<typeof ListedOrder>;

/**
 * An order to create (specification 2.4). A null or missing price is a market order; a client builds this only
 * with the encoders of `write/`.
 */
export const OrderCreation = Type.Object({
  market: Id,
  event: Type.Optional(Id),
  side: Side,
  currency: Currency,
  position: Type.Optional(PositionWord),
  price: maybe(Decimal),
  shares: maybe(Decimal),
  amount: maybe(Decimal),
  expired_at: maybe(Time),
  cancel_conflicting_orders: Type.Optional(Type.Boolean()),
});
export type OrderCreation = Static<typeof OrderCreation>;

/** Position of a single order that names none (specification 2.4 requires it in batches only). */
export const DEFAULT_POSITION = 'long';

export const OrderPage = pageOf(ListedOrder);
export type OrderPage = Static<typeof OrderPage>;

export const listedOrder = shape(ListedOrder);
export const orderPage = shape(OrderPage);
export const orderCreation = shape(OrderCreation);

/** Batch create, batch update, batch cancel and cancel-all (specification 4.6 to 4.10). */

/** An order inside batch results (specification 2.3, second table): ids as text, fills, `created`. */
export const BatchOrder = Type.Object({
  id: Id,
  event: IdText,
  market: IdText,
  price: nullable(Probability),
  shares: Type.Number(),
  shares_requested: Type.Number(),
  shares_filled: DecimalText,
  currency: Currency,
  side: Side,
  position: PositionWord,
  expired_at: maybe(Time),
  status: OrderStatus,
  created: Time,
});
export type BatchOrder = Static<typeof BatchOrder>;

/** An item of a batch create: here position and shares are required (shares unless an amount is given, facts). */
export const BatchOrderCreation = Type.Object({ ...OrderCreation.properties, position: PositionWord });
export type BatchOrderCreation = Static<typeof BatchOrderCreation>;

/** The envelope alone: each item is checked by itself, so that a bad one never fails the batch. */
const envelope = { minItems: BATCH_LEAST, maxItems: BATCH_MOST };
const BatchEnvelope = Type.Object({ orders: Type.Array(Type.Unknown(), envelope) });

export interface BatchCreate {
  readonly orders: readonly BatchOrderCreation[];
}

export const BatchCreateResult = Type.Object({
  results: Type.Array(
    Type.Object({
      index: Count,
      success: Type.Boolean(),
      order: maybe(BatchOrder),
      errors: maybe(ItemErrors),
    }),
  ),
  cancelled_existing_order_ids: Type.Optional(Type.Array(Id)),
});
export type BatchCreateResult = Static<typeof BatchCreateResult>;

/** One update; what is omitted stays (facts, "Trading rules"). The answer carries the replacement's new id. */
export const OrderUpdateItem = Type.Object({
  id: Id,
  shares: Type.Optional(Decimal),
  price: Type.Optional(Decimal),
  expired_at: maybe(Time),
});
export type OrderUpdateItem = Static<typeof OrderUpdateItem>;

export interface BatchUpdate {
  readonly orders: readonly OrderUpdateItem[];
}

/** A bare array in request order; `order_id` is the submitted id. */
const BatchUpdateResult = Type.Array(
  Type.Object({
    index: Count,
    order_id: Id,
    success: Type.Boolean(),
    order: maybe(BatchOrder),
    errors: maybe(ItemErrors),
  }),
);

export const BatchCancel = Type.Object({ order_ids: Type.Array(Id, { minItems: CANCEL_IDS_LEAST }) });
export type BatchCancel = Static<typeof BatchCancel>;

export const BatchCancelResult = Type.Array(
  Type.Object({ index: Count, order_id: Id, success: Type.Boolean(), error: maybe(Type.String()) }),
);
export type BatchCancelResult = Static<typeof BatchCancelResult>;

/** Both missing means every active order of the account: clients use the encoders of `write/`. */
export const CancelAll = Type.Object({ event: Type.Optional(Id), market: Type.Optional(Id) });
export type CancelAll = Static<typeof CancelAll>;

const CancelAllResult = Type.Object({
  canceled_order_ids: Type.Array(Id),
  processing_order_ids: Type.Array(Id),
});

export const batchEnvelope = shape(BatchEnvelope);
export const batchOrderCreation = shape(BatchOrderCreation);
export const batchCreateResult = shape(BatchCreateResult);
export const orderUpdateItem = shape(OrderUpdateItem);
export const batchUpdateResult = shape(BatchUpdateResult);
export const batchCancel = shape(BatchCancel);
export const batchCancelResult = shape(BatchCancelResult);
export const cancelAll = shape(CancelAll);
export const cancelAllResult = shape(CancelAllResult);
