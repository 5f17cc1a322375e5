/** Orders as the venue writes them (specification 2.3), and as we ask for them. */
import { eventId, marketId, orderId } from '../../../src/domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../src/domain/orders.js';
import { priceUnits, shares } from '../../../src/domain/units.js';

export const limitOrder: LimitOrder = {
  eventId: eventId(873),
  marketId: marketId(2231),
  side: 'bid',
  position: 'long',
  currency: 'OOM',
  price: priceUnits(5_200),
  shares: shares(1_300),
  expiresAt: null,
};

export const replacement = (id: number): OrderReplacement => ({
  orderId: orderId(id),
  place: limitOrder,
  price: priceUnits(5_100),
  shares: shares(1_000),
  expiresAt: null,
  says: 'all',
});

export const listedOrder = (id: number, status = 'open') => ({
  id,
  market: 2231,
  side: 'bid',
  currency: 'OOM',
  price: 0.52,
  shares: 13,
  amount: 6.76,
  position: 'long',
  status,
  expired_at: null,
  created_at: '2026-01-31T09:30:00Z',
});

export const batchOrder = (id: number) => ({
  id,
  event: '873',
  market: '2231',
  price: 0.52,
  shares: 13,
  shares_requested: 13,
  shares_filled: '0',
  currency: 'OOM',
  side: 'bid',
  position: 'long',
  expired_at: null,
  status: 'open',
  created: '2026-01-31T09:30:00Z',
});

/** One page that is the whole listing. */
export const wholePage = (results: readonly unknown[]) => ({
  pagination: { total: results.length, next: null, previous: null, page_size: 100, offset: 0 },
  results,
});

export const createdBatch = (...ids: number[]) => ({
  results: ids.map((id, index) => ({ index, success: true, order: batchOrder(id) })),
  cancelled_existing_order_ids: [],
});
