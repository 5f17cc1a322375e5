import type { ListedOrderStatus, OrderView, RealtimeOrderStatus } from '../contract.js';
import { currencyOf, positionAt, sideAt } from '../codes.js';
import type { Floor } from '../floor.js';
import { KINDS, type OrderRows } from './order-rows.js';

/** By status code: what REST lists (an expired order is `canceled`) and what realtime says. */
const LISTED: readonly ListedOrderStatus[] = [
  'processing',
  'open',
  'partial_filled',
  'filled',
  'canceled',
  'canceled',
];
const REALTIME: readonly RealtimeOrderStatus[] = [
  'pending',
  'open',
  'partial_filled',
  'filled',
  'canceled',
  'expired',
];

export const listedStatus = (status: number): ListedOrderStatus => LISTED[status] as ListedOrderStatus;
export const realtimeStatus = (status: number): RealtimeOrderStatus =>
  REALTIME[status] as RealtimeOrderStatus;

/** What an order trades and in which direction. */
export type OrderKind = Pick<OrderView, 'side' | 'position' | 'currency'>;

const ORDER_KINDS: readonly OrderKind[] = Array.from({ length: KINDS }, (_, kind) => ({
  side: sideAt(kind & 1),
  position: positionAt((kind >> 1) & 1),
  currency: currencyOf(kind >> 2),
}));

/** @param kind side, position and currency in one number, see `OrderRows.kind` */
export const orderKind = (kind: number): OrderKind => ORDER_KINDS[kind] as OrderKind;
export const kindOf = (orders: OrderRows, row: number): OrderKind => orderKind(orders.kind(row));

/** The order of a row as it is now. */
export function orderView(floor: Floor, row: number): OrderView {
  const { orders } = floor;
  const { market } = floor.markets.bookAt(orders.book(row));
  const filled = orders.filled(row);
  const filledAmount = orders.filledAmount(row);
  const { side, position, currency } = kindOf(orders, row);
  return {
    id: orders.id(row),
    account: floor.accounts.at(orders.account(row)).id,
    eventId: market.event.id,
    marketId: market.id,
    side,
    position,
    currency,
    price: orders.price(row),
    shares: orders.requested(row) === 0 ? filled : orders.requested(row),
    filled,
    filledAmount,
    amount: orders.amount(row) === 0 ? filledAmount : orders.amount(row),
    status: listedStatus(orders.status(row)),
    expiresAt: orders.expiresAt(row),
    createdAt: orders.createdAt(row),
  };
}
