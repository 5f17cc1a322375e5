import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import { type Micros, type Money, type PriceUnits, type Shares, ZERO_SHARES } from '../../../domain/units.js';
import type { Currency, Position, Side } from '../../../domain/vocabulary.js';
import type { Doubt, OrderState } from './order-life.js';
import type { Fill } from '../../../domain/fill.js';

/**
 * `ours`: named in an answer to one of our requests, or found in a market that is ours alone. `foreign`: of our
 * account but not ours to touch; it still counts as exposure and may not be traded against. `ambiguous`: as `foreign`, but
 * it may be one of ours whose answer was lost, so that nobody can say that nothing of ours stands.
 */
export const OWNERSHIPS = ['ours', 'foreign', 'ambiguous'] as const;
export type Ownership = (typeof OWNERSHIPS)[number];

/** How far the venue has taken an order; later stages never go back. */
export const STAGES = ['unseen', 'processing', 'open', 'partial', 'ended'] as const;
export type Stage = (typeof STAGES)[number];

/** Why an order is `done`. */
export const ENDINGS = [
  'filled',
  'canceled',
  'expired',
  'replaced',
  'rejected',
  'vanished',
  'never-executed',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** One order of ours, or of our account. Read it freely; only {@link OwnOrders} writes it. */
export interface OwnOrder {
  /** 1, 2, 3 and so on in order of appearance: the order of every iteration. */
  readonly serial: number;
  readonly ownership: Ownership;
  /** Null until the venue has told it. */
  readonly orderId: OrderId | null;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Price of the named position; a market order found at the venue has the most aggressive one. */
  readonly price: PriceUnits;
  readonly expiresAt: Micros | null;
  /** The side of the one long-side book on which it stands. */
  readonly bookSide: Side;
  /** Its price in long-side terms. */
  readonly longPrice: PriceUnits;
  readonly requested: Shares;
  /** Cumulative, as far as told. */
  readonly filled: Shares;
  /** Whether its fills are counted from the first one; of one found at the venue, or left in doubt by an earlier run, what came before is not ours to count. */
  readonly countsFills: boolean;
  /** Since when it is known that some of it was filled and not how much; null while the count is known. */
  readonly fillsUnknownSince: Micros | null;
  /** Still to be filled at most: requested - filled; zero when done. */
  readonly remaining: Shares;
  readonly state: OrderState;
  readonly doubt: Doubt | null;
  readonly stage: Stage;
  readonly ending: Ending | null;
  /** When it was first asked for, or first seen. */
  readonly bornAt: Micros;
  /** When its id became known; null before. */
  readonly namedAt: Micros | null;
  /** When the venue was last asked to change it or last spoke of it: a listing begun before proves nothing. */
  readonly activeAt: Micros;
  /** When the last request about it left us: a listing begun later shows what became of that. */
  readonly requestedAt: Micros;
  /** When its last create or update left us: after this plus the clock window it can take no effect any more. */
  readonly askedAt: Micros;
  /** When a frame last told of it; null while only answers and listings have. */
  readonly heardAt: Micros | null;
  /** When it became `done`. */
  readonly endedAt: Micros | null;
  /** The order that an update under way is to put in this one's place. */
  readonly successor: OwnOrder | null;
  /** What it showed in the book before `shownSince`: books from before may still be under way. */
  readonly shownBefore: Shares;
  /** When we heard that the book shows what is left of it now: that it is open, of its last fill, of its end. */
  readonly shownSince: Micros;
  /** Complete listings in a row that should have shown it and did not. */
  readonly absences: number;
  /** Cancels that the venue turned down since a listing last showed the order. */
  readonly failedCancels: number;
  /** Price times shares of the fills passed on so far. */
  readonly amount: Money;
  /** The most shares for which an average price was told, and price times shares of those. */
  readonly pricedShares: Shares;
  readonly pricedAmount: Money;
}

/** As much of an order as tells what of it may have been filled: `requested - filled`. */
export type UnheardOrder = Pick<
  OwnOrder,
  'orderId' | 'marketId' | 'side' | 'position' | 'bookSide' | 'currency' | 'price' | 'requested' | 'filled'
>;

/** What a replacement ends is canceled: an order that ended otherwise was not replaced, and cannot be any more. */
export const endedUnreplaced = ({ ending }: OwnOrder): boolean => ending === 'filled' || ending === 'expired';

/**
 * The most that the order may show in a book received at that time: a book from before a fill, or before the end of the
 * order, may show what stood then; one from before the order was asked for cannot show it yet.
 */
export function mayShow(order: OwnOrder, bookAt: Micros): Shares {
  if (order.bornAt > bookAt) return ZERO_SHARES;
  return order.shownSince > bookAt && order.shownBefore > order.remaining
    ? order.shownBefore
    : order.remaining;
}

/**
 * What the order certainly shows in it: nothing while it is not known to be open, or is asked to go, for frames about
 * books and answers come in no mutual order.
 */
export function surelyShows(order: OwnOrder, bookAt: Micros): Shares {
  if (order.bornAt > bookAt || !isSurelyOpen(order)) return ZERO_SHARES;
  return order.shownSince > bookAt && order.shownBefore < order.remaining
    ? order.shownBefore
    : order.remaining;
}

/** Nothing is under way or in doubt about the order, and it is known to stand in the book. */
export const isSurelyOpen = ({ state, stage }: OwnOrder): boolean =>
  state === 'live' && (stage === 'open' || stage === 'partial');

/**
 * Is there anything a cancel by id could do? Orders without an id, on their way out or in processing cannot be
 * cancelled; of one whose cancel the venue turned down only a listing can tell whether anything is left.
 */
export const isCancelable = ({ state, orderId, stage, failedCancels }: OwnOrder): boolean =>
  orderId !== null &&
  stage !== 'processing' &&
  (state === 'live' || (state === 'unknown' && failedCancels === 0));

/** What a message about orders brought that somebody else has to act on. */
export type OrderNews =
  /** `presumed`: how many of its shares a repair of the holding has brought before anybody told of them. */
  | { readonly kind: 'filled'; readonly fill: Fill; readonly order: OwnOrder; readonly presumed: Shares }
  /** The order became `done`. */
  | { readonly kind: 'ended'; readonly order: OwnOrder }
  /** The venue refused the order or its update; the rest as in {@link ItemOutcome}. */
  | {
      readonly kind: 'refused';
      readonly order: OwnOrder;
      readonly code: string;
      readonly detail?: string | undefined;
      readonly fields?: readonly string[] | undefined;
    }
  /** Our own side kept the order or its update back; `reason` as in the gateway's answer. */
  | { readonly kind: 'not-sent'; readonly order: OwnOrder; readonly reason: string }
  /** The venue has processed the order: from now on it can be changed and cancelled. */
  | { readonly kind: 'processed'; readonly order: OwnOrder }
  /** Nobody knew what had become of the order, and it stands: from now on it can be changed and cancelled. */
  | { readonly kind: 'certain'; readonly order: OwnOrder }
  /** An order in a market that is ours alone and that none of our requests explains. */
  | { readonly kind: 'found'; readonly order: OwnOrder }
  /** It is one of ours whose answer was lost, as far as anybody can tell: a frame or listing brought its id. */
  | { readonly kind: 'claimed'; readonly order: OwnOrder }
  /** An order of the account that is not ours to touch. */
  | { readonly kind: 'foreign'; readonly order: OwnOrder }
  /** In a shared market more orders fit than were lost, or only the time of its creation speaks against it: a person should look. */
  | { readonly kind: 'ambiguous'; readonly order: OwnOrder }
  /** It ended without anybody telling how much of it was filled: holdings are to be read. */
  | { readonly kind: 'vanished'; readonly order: OwnOrder }
  /** An empty listing contradicted this many orders that should stand: nothing was concluded from it. */
  | { readonly kind: 'contradicted'; readonly orders: number };

/** Shared by all who have nothing to tell. */
export const NO_NEWS: readonly OrderNews[] = [];
