/** Single orders: `POST /orders/`, `GET /orders/` (specification 2.3, 2.4, 4.4, 4.5). */
import { Type, type Static } from 'typebox';
import { CURRENCY_MODES, SIDES } from '../../../../domain/vocabulary.js';
import { CURRENCY_FILTER_LENGTH, SEARCH_LENGTH } from '../limits.js';
import { choice, integer, integers, text, texts } from '../query.js';
import { shape } from '../shape.js';
import {
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
} from '../wire-types.js';
import { PAGE_QUERY, pageOf } from './pagination.js';

/** Statuses that REST lists and filters by; realtime has two more (specification 3.1). */
export const LISTED_ORDER_STATUSES = ['open', 'partial_filled', 'filled', 'canceled', 'processing'] as const;
export type ListedOrderStatus = (typeof LISTED_ORDER_STATUSES)[number];

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

export const ORDERS_QUERY = {
  status: choice(LISTED_ORDER_STATUSES),
  side: choice(SIDES),
  market: integer(),
  event: integer(),
  currency: text(CURRENCY_FILTER_LENGTH),
  currency_mode: choice(CURRENCY_MODES),
  currencies: texts(CURRENCY_FILTER_LENGTH),
  categories: integers(),
  search: text(SEARCH_LENGTH),
  ordering: text(SEARCH_LENGTH),
  ...PAGE_QUERY,
};

export const OrderPage = pageOf(ListedOrder);
export type OrderPage = Static<typeof OrderPage>;

export const listedOrder = shape(ListedOrder);
export const orderPage = shape(OrderPage);
export const orderCreation = shape(OrderCreation);
