import type { VenueProfile } from '../port.js';
import { BATCH_MOST, DUPLICATE_WINDOW_MS, IDEMPOTENCY_KEPT_MS } from './protocol/limits.js';

/** Futuur as data (specification and facts). */
export const FUTUUR: VenueProfile = {
  name: 'futuur',
  orders: {
    namedBy: 'venue',
    retriedBy: 'request-key',
    retriedWithinMs: IDEMPOTENCY_KEPT_MS,
    copiesRefusedMs: DUPLICATE_WINDOW_MS,
    postOnly: false,
    timesInForce: ['until-cancelled', 'until-date'],
    change: { id: 'new', of: ['price', 'size', 'expiry'], whenPartlyFilled: false, keepsQueue: false },
  },
  batches: { create: BATCH_MOST, replace: BATCH_MOST, cancel: BATCH_MOST },
  // A listing reads `processing`, `open` and `partial_filled`. The ends are in `filled` and `canceled`, which grow with
  // the history of the account: a page of each at least, and no more than ten of each.
  calls: { listing: 3, endsLeast: 2, endsMost: 20 },
  cancelScopes: ['market', 'event', 'account'],
  deadMan: false,
  book: { form: 'top', gapsSeenBy: 'reads' },
  grid: 'step',
  fees: 'per-share',
  legs: 'both',
  collateral: 'full',
  settlements: ['long', 'short', 'void', 'reversal'],
  limits: { requestsPerMinute: 2_000, requestsPerDay: 1_000_000, clockWindowMs: 60_000 },
};
