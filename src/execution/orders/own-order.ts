import type { EventId, MarketId, OrderId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement, OrderReport } from '../../domain/orders.js';
import { type Micros, type Money, type PriceUnits, type Shares, complement } from '../../domain/units.js';
import { type Currency, type Position, type Side, bookSide } from '../../domain/vocabulary.js';
import { type Doubt, type LifeEvent, type OrderState, nextDoubt, nextState } from './order-life.js';

/**
 * `ours`: named in an answer to one of our requests, or found in a market that is ours alone. `foreign`: of our
 * account but not ours to touch; it still counts as exposure and may not be traded against.
 */
export type Ownership = 'ours' | 'foreign';

/** How far the venue has taken an order; later stages never go back. */
export type Stage = 'unseen' | 'processing' | 'open' | 'partial' | 'ended';

/** Why an order is `done`. */
export type Ending =
  'filled' | 'canceled' | 'expired' | 'replaced' | 'rejected' | 'vanished' | 'never-executed';

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

/** The same order for those in this room who write it. */
export type TrackedOrder = { -readonly [K in keyof OwnOrder]: OwnOrder[K] };

interface Birth {
  readonly serial: number;
  readonly at: Micros;
}

const NO_SHARES = 0 as Shares;
const NO_MONEY = 0 as Money;

function born(
  order: LimitOrder,
  ownership: Ownership,
  state: OrderState,
  { serial, at }: Birth,
): TrackedOrder {
  return {
    serial,
    ownership,
    orderId: null,
    eventId: order.eventId,
    marketId: order.marketId,
    side: order.side,
    position: order.position,
    currency: order.currency,
    price: order.price,
    expiresAt: order.expiresAt,
    bookSide: bookSide(order.side, order.position),
    longPrice: order.position === 'long' ? order.price : complement(order.price),
    requested: order.shares,
    filled: NO_SHARES,
    countsFills: true,
    fillsUnknownSince: null,
    remaining: order.shares,
    state,
    doubt: null,
    stage: 'unseen',
    ending: null,
    bornAt: at,
    namedAt: null,
    activeAt: at,
    requestedAt: at,
    askedAt: at,
    heardAt: null,
    endedAt: null,
    successor: null,
    shownBefore: NO_SHARES,
    shownSince: at,
    absences: 0,
    failedCancels: 0,
    amount: NO_MONEY,
    pricedShares: NO_SHARES,
    pricedAmount: NO_MONEY,
  };
}

/** An order that a create just asked for. */
export const ordered = (order: LimitOrder, birth: Birth): TrackedOrder =>
  born(order, 'ours', 'creating', birth);

/** The order that an update is to put in the place of `old`; both count until the venue has answered. */
export function replacing(old: TrackedOrder, replacement: OrderReplacement, birth: Birth): TrackedOrder {
  const { eventId, marketId, side, position, currency } = old;
  const { price, shares, expiresAt } = replacement;
  const order = { eventId, marketId, side, position, currency, price, shares, expiresAt };
  return born(order, 'ours', 'creating', birth);
}

/** Another order of the same terms, as if asked for again. */
export const twinOf = (order: TrackedOrder, birth: Birth): TrackedOrder =>
  born({ ...order, shares: order.requested }, 'ours', 'creating', birth);

/**
 * An order that the venue speaks of and none of our requests explains; as old as the venue says.
 * @param eventId of its market
 */
export function found(
  report: OrderReport,
  eventId: EventId,
  ownership: Ownership,
  birth: Birth,
): TrackedOrder {
  const { marketId, side, position, currency, requested, expiresAt } = report;
  const price = report.price ?? boldest(side);
  const order = { eventId, marketId, side, position, currency, price, shares: requested, expiresAt };
  const at = report.createdAt === null ? birth.at : (Math.min(birth.at, report.createdAt) as Micros);
  const tracked = born(order, ownership, 'live', { ...birth, at });
  tracked.orderId = report.orderId;
  tracked.namedAt = birth.at;
  tracked.countsFills = false;
  return tracked;
}

const boldest = (side: Side): PriceUnits => (side === 'bid' ? 9_999 : 1) as PriceUnits;

/** Moves the order along its life. @returns whether this ended it */
export function advance(order: TrackedOrder, event: LifeEvent): boolean {
  const was = order.state;
  const next = nextState(order, event);
  order.doubt = nextDoubt(order, event, next);
  order.state = next;
  return next === 'done' && was !== 'done';
}

/** Sets what is left to be filled and keeps what stood before. */
export function shrink(order: TrackedOrder, remaining: Shares, at: Micros): void {
  if (remaining >= order.remaining) return;
  order.shownBefore = order.remaining;
  order.shownSince = at;
  order.remaining = remaining;
}

/** It is known from now on that the order stands in the book. */
export function show(order: TrackedOrder, at: Micros): void {
  order.shownBefore = NO_SHARES;
  order.shownSince = at;
}

/** What a replacement ends is canceled: an order that ended otherwise was not replaced, and cannot be any more. */
export const endedUnreplaced = ({ ending }: OwnOrder): boolean => ending === 'filled' || ending === 'expired';

/**
 * An update that changed neither price nor size (a renewal) changes no level, so no book will ever tell of it: the new
 * order shows where the old one did, and since then. Its cash was locked by then, too.
 */
export function standInFor(successor: TrackedOrder, old: TrackedOrder): void {
  if (successor.longPrice !== old.longPrice || successor.requested !== old.shownBefore) return;
  successor.bornAt = old.bornAt;
  if (successor.filled === 0) successor.shownSince = old.bornAt;
  old.shownBefore = NO_SHARES;
}

/**
 * The most that the order may show in a book received at that time: a book from before a fill, or before the end of the
 * order, may show what stood then; one from before the order was asked for cannot show it yet.
 */
export function mayShow(order: OwnOrder, bookAt: Micros): Shares {
  if (order.bornAt > bookAt) return NO_SHARES;
  return order.shownSince > bookAt && order.shownBefore > order.remaining
    ? order.shownBefore
    : order.remaining;
}

/**
 * What the order certainly shows in it: nothing while it is not known to be open, or is asked to go, for frames about
 * books and answers come in no mutual order.
 */
export function surelyShows(order: OwnOrder, bookAt: Micros): Shares {
  if (order.bornAt > bookAt || !isSurelyOpen(order)) return NO_SHARES;
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
