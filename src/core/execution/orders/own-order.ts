import { type Micros, type Shares, ZERO_SHARES } from '../../../domain/units.js';
import type { TrackedOrder } from './tracked-order.js';
import type { Fill } from '../../../domain/fill.js';
import type { RefusalMeaning } from '../../../domain/answers.js';

/** One order of the account. Only {@link OwnOrders} writes it. */
export type OwnOrder = Readonly<
  Omit<TrackedOrder, 'advance' | 'asked' | 'shrink' | 'show' | 'shownTold' | 'standInFor'>
>;

/** An order with what may have been filled unheard: `requested - filled`. */
export type UnheardOrder = Pick<
  OwnOrder,
  'orderId' | 'marketId' | 'side' | 'position' | 'bookSide' | 'currency' | 'price' | 'requested' | 'filled'
>;

/** Did the order end in a way that proves that no update replaced it? A replaced order ends as canceled. */
export const endedUnreplaced = ({ ending }: OwnOrder): boolean => ending === 'filled' || ending === 'expired';

/** A book of the venue as a look finds it. */
export interface ReceivedBook {
  /** Receive time of the newest one. */
  readonly bookAt: Micros;
  /** How long a book may be older than an answer, in milliseconds. */
  readonly graceMs: number;
  readonly now: Micros;
}

/**
 * The most shares that the order may show in a book. A book from before a fill or the end may show what stood then. A book
 * from before the order cannot show it.
 */
export function mayShow(order: OwnOrder, book: ReceivedBook): Shares {
  if (order.bornAt > book.bookAt) return ZERO_SHARES;
  return order.shownBefore > order.remaining && mayBeOlder(order, book) ? order.shownBefore : order.remaining;
}

/**
 * The fewest shares that the order shows in such a book. Zero while it is not known to be open or is being cancelled,
 * because books and answers come in no mutual order.
 */
export function surelyShows(order: OwnOrder, book: ReceivedBook): Shares {
  if (order.bornAt > book.bookAt || !isSurelyOpen(order)) return ZERO_SHARES;
  return order.shownBefore < order.remaining && mayBeOlder(order, book) ? order.shownBefore : order.remaining;
}

/** Whether the book may be older than what we know of the order. Of what an answer alone told, books may know later. */
function mayBeOlder({ shownSince, shownToldAt }: OwnOrder, { bookAt, graceMs, now }: ReceivedBook): boolean {
  if (shownToldAt !== null) return shownToldAt > bookAt;
  return shownSince > bookAt || now < shownSince + graceMs * 1_000;
}

/** Is the order known to stand in the book, with nothing under way or in doubt? */
const isSurelyOpen = ({ state, stage }: OwnOrder): boolean =>
  state === 'live' && (stage === 'open' || stage === 'partial');

/**
 * Can a cancel by id do anything? Orders without an id, being cancelled or in processing cannot be cancelled. After a
 * refused cancel only a listing tells whether anything is left.
 */
export const isCancelable = ({ state, orderId, stage, failedCancels }: OwnOrder): boolean =>
  orderId !== null &&
  stage !== 'processing' &&
  (state === 'live' || (state === 'unknown' && failedCancels === 0));

/** News about orders that somebody else acts on. */
export type OrderNews =
  | { readonly kind: 'filled'; readonly fill: Fill; readonly order: OwnOrder }
  /** The order became `done`. */
  | { readonly kind: 'ended'; readonly order: OwnOrder }
  /** The venue refused the order or its update; the rest as in {@link ItemOutcome}. */
  | {
      readonly kind: 'refused';
      readonly order: OwnOrder;
      readonly code: string;
      readonly means: RefusalMeaning;
      readonly detail?: string | undefined;
      readonly fields?: readonly string[] | undefined;
    }
  /** Our own side held the order or its update back; `reason` as in the gateway's answer. */
  | { readonly kind: 'not-sent'; readonly order: OwnOrder; readonly reason: string }
  /** The venue has processed the order: it can be changed and cancelled now. */
  | { readonly kind: 'processed'; readonly order: OwnOrder }
  /** The order was in doubt and stands: it can be changed and cancelled now. */
  | { readonly kind: 'certain'; readonly order: OwnOrder }
  /** An order of an exclusive market that none of our requests explains. */
  | { readonly kind: 'found'; readonly order: OwnOrder }
  /** A frame or listing told the id of an order whose answer was lost. */
  | { readonly kind: 'claimed'; readonly order: OwnOrder }
  /** An order of the account that is not ours to touch. */
  | { readonly kind: 'foreign'; readonly order: OwnOrder }
  /** The order may be ours or somebody else's: a person should look. */
  | { readonly kind: 'ambiguous'; readonly order: OwnOrder }
  /** The order ended with unknown fills: holdings are to be read. */
  | { readonly kind: 'vanished'; readonly order: OwnOrder }
  /** An empty listing contradicted so many orders that should stand, and was ignored. */
  | { readonly kind: 'contradicted'; readonly orders: number };

/** Shared by all who have nothing to tell. */
export const NO_NEWS: readonly OrderNews[] = [];
