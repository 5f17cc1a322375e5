/**
 * Limits of the wire: specification 8 and, where it is silent, the facts. Request rates and the clock window are
 * configuration; their defaults stand in the profile.
 */
import type { VenueProfile } from '../../port.js';

/** Items in one batch create or batch update. */
export const BATCH_LEAST = 1;
export const BATCH_MOST = 20;
/** Ids in one batch cancel: at least one. The venue states no upper bound; what we send is our own figure. */
export const CANCEL_IDS_LEAST = 1;
export const CANCEL_IDS_MOST = 500;
/** Characters of the `currency` filter of `GET /orders/`. */
export const CURRENCY_FILTER_LENGTH = 4;
/** Characters of the `search` filter. */
export const SEARCH_LENGTH = 255;
/** Levels per side of one `order-book-update` unless configured otherwise. */
export const TOP_N_DEFAULT = 5;
/** A comment is published this long after it was posted. */
export const COMMENT_DELAY_MS = 5_000;

/** The same creating POST twice within this window is refused. */
export const DUPLICATE_WINDOW_MS = 1_000;
/** Largest request body the bundled exchange reads. */
export const BODY_BYTES = 1_048_576;
/** Nesting of a JSON body; the deepest legitimate one (a batch) has 3. */
export const JSON_DEPTH = 32;
/** Page size of a listing: ours, the specification states neither. */
export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MOST = 100;
/** Idempotency records: how long, and how much memory for all of them. */
export const IDEMPOTENCY_KEPT_MS = 86_400_000;
export const IDEMPOTENCY_BYTES = 268_435_456;
export const IDEMPOTENCY_KEY_LENGTH = 255;

/**
 * Bytes of one realtime message as it is received (facts, "Limits": at most 10 KB). The specification is silent, and
 * Pusher's own servers count the data alone, before it is quoted for the frame. What is within the limit as a whole is
 * within Pusher's, too; the other way round a client could meet messages beyond 10 KB, which are never sent.
 */
export const MESSAGE_BYTES = 10_240;
export const CHANNEL_NAME_LENGTH = 164;
/** Seconds of silence after which a client pings, and how long it then waits. */
export const ACTIVITY_TIMEOUT_S = 120;
export const PONG_TIMEOUT_S = 30;

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
  calls: { listing: 3, ordersAPage: PAGE_SIZE_MOST, endsLeast: 2, endsMost: 20 },
  cancelScopes: ['market', 'event', 'account'],
  legs: 'both',
  prints: false,
  voids: true,
  limits: { requestsPerMinute: 2_000, requestsPerDay: 1_000_000, clockWindowMs: 60_000 },
};
