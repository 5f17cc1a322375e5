import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import { type Micros, type Money, type PriceUnits, type Shares, ZERO_SHARES } from '../../../domain/units.js';
import type { Currency, Position, Side } from '../../../domain/vocabulary.js';
import type { Doubt, OrderState } from './order-life.js';
import type { Fill } from '../../../domain/fill.js';

/**
 * `ours`: named in our own answers, or found in an exclusive market. `foreign`: of our account but not ours to touch;
 * it counts as exposure and must not trade with ours. `ambiguous`: foreign or a lost order of ours, so nobody can say
 * that nothing of ours stands.
 */
export const OWNERSHIPS = ['ours', 'foreign', 'ambiguous'] as const;
export type Ownership = (typeof OWNERSHIPS)[number];

/** How far the venue has processed an order; stages never go back. */
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

/** One order of the account. Only {@link OwnOrders} writes it. */
export interface OwnOrder {
  /** 1, 2, 3 in order of appearance. */
  readonly serial: number;
  readonly ownership: Ownership;
  /** Null until the venue has told it. */
  readonly orderId: OrderId | null;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Price of the named position. A market order found at the venue has the most aggressive price. */
  readonly price: PriceUnits;
  readonly expiresAt: Micros | null;
  /** The side of the one long-side book on which it stands. */
  readonly bookSide: Side;
  /** Its price in long-side terms. */
  readonly longPrice: PriceUnits;
  readonly requested: Shares;
  /** Cumulative, as far as told. */
  readonly filled: Shares;
  /**
   * Are fills counted from the first one? Earlier fills of an order found at the venue, or recovered in doubt, are not
   * counted.
   */
  readonly countsFills: boolean;
  /** Since when fills of unknown size exist; null while the filled shares are known. */
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
  /** When the venue was last asked to change it or last reported it. An older listing proves nothing. */
  readonly activeAt: Micros;
  /** When the last request about it left. A later listing shows its effect. */
  readonly requestedAt: Micros;
  /** When its last create or update left. After this plus the clock window the request can take no effect. */
  readonly askedAt: Micros;
  /** When a private frame last reported it; null when none has. */
  readonly heardAt: Micros | null;
  /** When it became `done`. */
  readonly endedAt: Micros | null;
  /** The order that an update under way is to put in this one's place. */
  readonly successor: OwnOrder | null;
  /** Shares that it showed in the book before `shownSince`. Older books may still arrive. */
  readonly shownBefore: Shares;
  /** When we heard that the book shows its remaining shares: of its opening, its last fill or its end. */
  readonly shownSince: Micros;
  /** Complete listings in a row that missed it. */
  readonly absences: number;
  /** Cancels that the venue turned down since a listing last showed the order. */
  readonly failedCancels: number;
  /** Price times shares of the fills passed on so far. */
  readonly amount: Money;
  /** The most shares with a reported average price, and price times shares of those. */
  readonly pricedShares: Shares;
  readonly pricedAmount: Money;
}

/** An order with what may have been filled unheard: `requested - filled`. */
export type UnheardOrder = Pick<
  OwnOrder,
  'orderId' | 'marketId' | 'side' | 'position' | 'bookSide' | 'currency' | 'price' | 'requested' | 'filled'
>;

/** Did the order end in a way that proves that no update replaced it? A replaced order ends as canceled. */
export const endedUnreplaced = ({ ending }: OwnOrder): boolean => ending === 'filled' || ending === 'expired';

/**
 * The most shares that the order may show in a book received at that time. A book from before a fill or the end may
 * show what stood then. A book from before the order cannot show it.
 */
export function mayShow(order: OwnOrder, bookAt: Micros): Shares {
  if (order.bornAt > bookAt) return ZERO_SHARES;
  return order.shownSince > bookAt && order.shownBefore > order.remaining
    ? order.shownBefore
    : order.remaining;
}

/**
 * The fewest shares that the order shows in such a book. Zero while it is not known to be open or is being cancelled,
 * because books and answers come in no mutual order.
 */
export function surelyShows(order: OwnOrder, bookAt: Micros): Shares {
  if (order.bornAt > bookAt || !isSurelyOpen(order)) return ZERO_SHARES;
  return order.shownSince > bookAt && order.shownBefore < order.remaining
    ? order.shownBefore
    : order.remaining;
}

/** Is the order known to stand in the book, with nothing under way or in doubt? */
export const isSurelyOpen = ({ state, stage }: OwnOrder): boolean =>
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
  /** `presumed`: shares of the fill that a repaired holding contains already. */
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
