import type { VenueProfile } from '../../port.js';
import { BATCH_MOST, CANCEL_IDS_MOST, DUPLICATE_WINDOW_MS, IDEMPOTENCY_KEPT_MS } from './limits.js';

/** Futuur as data (specification and facts). */
export const FUTUUR: VenueProfile = {
  name: 'futuur',
  orders: {
    // Under its idempotency key, section 5.5.
    retriedWithinMs: IDEMPOTENCY_KEPT_MS,
    copiesRefusedMs: DUPLICATE_WINDOW_MS,
    expire: true,
    change: { of: ['price', 'size', 'expiry'] },
  },
  batches: { create: BATCH_MOST, replace: BATCH_MOST, cancel: CANCEL_IDS_MOST },
  // A listing reads `processing`, `open` and `partial_filled`. The ends are in `filled` and `canceled`, which grow with
  // the history of the account: a page of each at least, and no more than ten of each.
  calls: { listing: 3, endsLeast: 2, endsMost: 20 },
  cancelScopes: ['market', 'event', 'account'],
  legs: 'both',
  prints: false,
  voids: true,
  limits: { requestsPerMinute: 2_000, requestsPerDay: 1_000_000, clockWindowMs: 60_000 },
};
