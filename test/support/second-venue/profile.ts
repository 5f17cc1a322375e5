import type { VenueProfile } from '../../../src/venues/port.js';
import { BATCH, STAMP_WINDOW_US } from './service.js';

/** Harbour as data. */
export const HARBOUR: VenueProfile = {
  name: 'harbour',
  orders: {
    // The client's own name of an order stays taken for good.
    retriedWithinMs: 86_400_000,
    copiesRefusedMs: 0,
    expire: true,
    change: null,
  },
  batches: { create: BATCH, replace: BATCH, cancel: BATCH },
  calls: { listing: 1, ordersAPage: 1_000, endsLeast: 1, endsMost: 1 },
  cancelScopes: ['market', 'account'],
  legs: 'net',
  prints: true,
  voids: true,
  limits: { requestsPerMinute: 600, requestsPerDay: 1_000_000, clockWindowMs: STAMP_WINDOW_US / 1_000 },
};
