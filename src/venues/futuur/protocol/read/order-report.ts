import type { OrderReport } from '../../../../domain/orders.js';

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
