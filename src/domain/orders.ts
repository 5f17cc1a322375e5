import type { EventId, MarketId, OrderId } from './ids.js';
import { complement, type Micros, type PriceUnits, type Shares } from './units.js';
import { bookSide, type Currency, type OrderStatus, type Position, type Side } from './vocabulary.js';

/**
 * A limit order as we send it. A market order is another type that only its own encoder accepts: on this wire a
 * missing price is a market order, so nothing optional may stand here.
 */
export interface LimitOrder {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Price of the named position, not of the long side. */
  readonly price: PriceUnits;
  readonly shares: Shares;
  readonly expiresAt: Micros | null;
}

type Priced = Pick<LimitOrder, 'side' | 'position' | 'price'>;

/** The price of the order in long-side terms. */
export const longPriceOf = ({ position, price }: Pick<Priced, 'position' | 'price'>): PriceUnits =>
  position === 'long' ? price : complement(price);

/** The side of the one book on which the order stands. */
export const bookSideOf = ({ side, position }: Pick<Priced, 'side' | 'position'>): Side =>
  bookSide(side, position);

/** What an order is about, whatever its price and size. */
export type OrderPlace = Pick<LimitOrder, 'eventId' | 'marketId' | 'side' | 'position' | 'currency'>;

/** What an update says beside id and price; what it leaves out stays as it is. */
export type Said = 'price' | 'price-and-shares' | 'price-and-expiry' | 'all';

/** A replacement of an open order. */
export interface OrderReplacement {
  readonly orderId: OrderId;
  /** That of the order replaced. The venue is not told it, but the journal is: an update has no other trace after a crash. */
  readonly place: OrderPlace;
  readonly price: PriceUnits;
  /** Whole size of the replacement, not an increment. */
  readonly shares: Shares;
  readonly expiresAt: Micros | null;
  readonly says: Said;
}

/**
 * What an update has to say. An order that still has its id has the size and the expiry that it came with: whoever changes
 * one gives it another id, and one that is partly filled cannot be updated at all.
 */
export function saidBetween(
  sharesBefore: Shares,
  expiryBefore: Micros | null,
  shares: Shares,
  expiresAt: Micros | null,
): Said {
  const isOfOneSize = sharesBefore === shares;
  if (expiryBefore === expiresAt) return isOfOneSize ? 'price' : 'price-and-shares';
  return isOfOneSize ? 'price-and-expiry' : 'all';
}

/** Does such an update say the size? */
export const saysShares = (says: Said): boolean => says === 'price-and-shares' || says === 'all';

/** Does it say the expiry? */
export const saysExpiry = (says: Said): boolean => says === 'price-and-expiry' || says === 'all';

/** Where a cancel-all may reach. The account-wide one is a different type: {@link AccountWideCancel}. */
export type CancelScope =
  | { readonly kind: 'market'; readonly eventId: EventId; readonly marketId: MarketId }
  | { readonly kind: 'event'; readonly eventId: EventId };

/** Cancels every order of the account. Made only by `oddsmith kill --all`; no engine effect carries it. */
export interface AccountWideCancel {
  readonly kind: 'account-wide';
  readonly confirmedBy: 'operator';
}

/**
 * What the venue said of one order, whatever the source: realtime frame, listing, batch answer. Facts that a
 * source does not carry are null (a listing has no fills).
 */
export interface OrderReport {
  readonly orderId: OrderId;
  readonly marketId: MarketId;
  readonly eventId: EventId | null;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Price of the named position; null for a market order. */
  readonly price: PriceUnits | null;
  readonly status: OrderStatus;
  readonly requested: Shares;
  /** Cumulative; null where the source does not say. */
  readonly filled: Shares | null;
  /** The part of `filled` that this report tells of for the first time; left out where the source does not say. */
  readonly filledNow?: Shares;
  /** Average price of the fills so far as the venue rounds it; null where the source does not say. */
  readonly averageFillPrice: number | null;
  /** In listings by our own clock, where that is wrong. */
  readonly createdAt: Micros | null;
  readonly expiresAt: Micros | null;
  /** When the venue told it, by its own clock; left out where it was asked for. */
  readonly toldAt?: Micros;
}

/** Orders that a listing of what works did not show although they are known: what to look for among those that are over. */
export interface MissedOrders {
  readonly ids: ReadonlySet<OrderId>;
  /** Where all of them are; null: in several, or nobody knows. */
  readonly marketId: MarketId | null;
  readonly eventId: EventId | null;
  /** Most pages that looking for them may take, at least one of each list. */
  readonly pages: number;
}

/** Orders that are known and may still work when a listing is asked for. */
export interface KnownOrders {
  /** Where each of them is; null: nobody knows. */
  readonly places: ReadonlyMap<OrderId, Pick<OrderPlace, 'marketId' | 'eventId'> | null>;
  readonly pages: number;
}

/** The known orders that a listing of what works did not show; null when it showed all of them. */
export function missedOrders(
  { places, pages }: KnownOrders,
  shown: readonly OrderReport[],
): MissedOrders | null {
  const missed = new Map(places);
  for (const { orderId } of shown) missed.delete(orderId);
  if (missed.size === 0) return null;
  const where = [...missed.values()];
  const only = <Id>(idOf: (place: Pick<OrderPlace, 'marketId' | 'eventId'>) => Id): Id | null => {
    const [first, ...others] = new Set(where.map((place) => (place === null ? null : idOf(place))));
    return others.length === 0 ? (first ?? null) : null;
  };
  return {
    ids: new Set(missed.keys()),
    marketId: only(({ marketId }) => marketId),
    eventId: only(({ eventId }) => eventId),
    pages,
  };
}

/** A holding as the venue reports it (a read, or a `holding` input). */
export interface HoldingReport {
  readonly marketId: MarketId;
  readonly eventId: EventId;
  readonly position: Position;
  readonly currency: Currency;
  /** Finer outside holdings are floored to 0.01. */
  readonly shares: Shares;
  /** Cost of the open shares in currency units as the venue states it; null where the source does not say. */
  readonly purchasesAmount: number | null;
}
