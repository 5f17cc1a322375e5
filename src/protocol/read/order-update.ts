import type { OrderUpdate } from '../../domain/inputs.js';
import type { OrderReport } from '../../domain/orders.js';
import type { Shares } from '../../domain/units.js';

/** What a frame tells of an order. */
export interface ToldOrder
  extends Omit<OrderReport, 'filledNow' | 'createdAt'>, Omit<OrderUpdate, 'kind' | 'report'> {
  /** null where the frame does not say. */
  readonly filledNow: Shares | null;
}

/** The input for it. One place makes it however the frame was read: code that reads objects of one shape is fast. */
export const orderUpdateOf = (told: ToldOrder): OrderUpdate => ({
  kind: 'order-update',
  report: told.filledNow === null ? reportOf(told) : fillReportOf(told, told.filledNow),
  cancelReason: told.cancelReason,
  systemInitiated: told.systemInitiated,
  venueTime: told.venueTime,
});

const reportOf = (told: ToldOrder): OrderReport => ({
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
  createdAt: null,
  expiresAt: told.expiresAt,
});

const fillReportOf = (told: ToldOrder, filledNow: Shares): OrderReport => ({
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
  filledNow,
  averageFillPrice: told.averageFillPrice,
  createdAt: null,
  expiresAt: told.expiresAt,
});
