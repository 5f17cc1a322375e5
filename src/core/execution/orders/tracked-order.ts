/** Own orders as this room writes them: how they come into being, and what changes them. */
import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import {
  bookSideOf,
  type LimitOrder,
  longPriceOf,
  type OrderPlace,
  type OrderReport,
} from '../../../domain/orders.js';
import {
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
  ZERO_MONEY,
  ZERO_SHARES,
} from '../../../domain/units.js';
import type { Currency, Position, Side } from '../../../domain/vocabulary.js';
import {
  type Doubt,
  type Ending,
  type LifeEvent,
  nextDoubt,
  nextState,
  type OrderState,
  type Ownership,
  type Stage,
} from './order-life.js';

/** What an order is to be, but for its place. */
export type OrderTerms = Pick<LimitOrder, 'price' | 'shares' | 'expiresAt'>;

/**
 * One order of the account, as the files of this room write it. A new one is an order of ours that is asked for now. Everybody
 * else reads it as an {@link OwnOrder}.
 */
export class TrackedOrder {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  /** The side of the one long-side book on which it stands. */
  readonly bookSide: Side;
  readonly currency: Currency;
  /** Price of the named position. A market order found at the venue has the most aggressive price. */
  readonly price: PriceUnits;
  /** Its price in long-side terms. */
  readonly longPrice: PriceUnits;
  readonly requested: Shares;
  expiresAt: Micros | null;
  /** Null until the venue has told it. */
  orderId: OrderId | null = null;
  ownership: Ownership = 'ours';
  state: OrderState = 'creating';
  doubt: Doubt | null = null;
  stage: Stage = 'unseen';
  ending: Ending | null = null;
  /** Cumulative, as far as told. */
  filled = ZERO_SHARES;
  /** Still to be filled at most: requested - filled; zero when done. */
  remaining: Shares;
  /**
   * Are fills counted from the first one? Earlier fills of an order found at the venue, or recovered in doubt, are not
   * counted.
   */
  countsFills = true;
  /** Since when fills of unknown size exist; null while the filled shares are known. */
  fillsUnknownSince: Micros | null = null;
  /** Price times shares of the fills passed on so far. */
  amount: Money = ZERO_MONEY;
  /** The most shares with a reported average price, and price times shares of those. */
  pricedShares = ZERO_SHARES;
  pricedAmount: Money = ZERO_MONEY;
  /** When the venue was last asked to change it or last reported it. An older listing proves nothing. */
  activeAt: Micros;
  /** When the last request about it left. A later listing shows its effect. */
  requestedAt: Micros;
  /** When its last create or update left. After this plus the clock window the request can take no effect. */
  askedAt: Micros;
  /** Shares that it showed in the book before `shownSince`. Older books may still arrive. */
  shownBefore = ZERO_SHARES;
  /** When we heard that the book shows its remaining shares: of its opening, its last fill or its end. */
  shownSince: Micros;
  /** When the first private frame said so, too; null before. Books may come later than answers, and frames come with books. */
  shownToldAt: Micros | null = null;
  /** When it left processing, as a frame of the venue says; null where none told of that. */
  openedAt: Micros | null = null;
  /** When its id became known; null before. */
  namedAt: Micros | null = null;
  /** When it became known that its cash is locked: with its name, or with that of the order that it renewed. */
  lockKnownAt: Micros | null = null;
  /** When a private frame last reported it; null when none has. */
  heardAt: Micros | null = null;
  /** When it became `done`. */
  endedAt: Micros | null = null;
  /** The order that an update under way is to put in this one's place. */
  successor: TrackedOrder | null = null;
  /** Complete listings in a row that missed it. */
  absences = 0;
  /** Cancels that the venue turned down since a listing last showed the order. */
  failedCancels = 0;

  constructor(
    place: OrderPlace,
    { price, shares, expiresAt }: OrderTerms,
    /** 1, 2, 3 in order of appearance. */
    readonly serial: number,
    /** When it was first asked for, or first seen. */
    public bornAt: Micros,
  ) {
    this.eventId = place.eventId;
    this.marketId = place.marketId;
    this.side = place.side;
    this.position = place.position;
    this.bookSide = bookSideOf(place);
    this.currency = place.currency;
    this.price = price;
    this.longPrice = longPriceOf({ position: place.position, price });
    this.requested = shares;
    this.expiresAt = expiresAt;
    this.remaining = shares;
    this.activeAt = bornAt;
    this.requestedAt = bornAt;
    this.askedAt = bornAt;
    this.shownSince = bornAt;
  }

  /** Moves the order along its life. @returns whether this ended it */
  advance(event: LifeEvent): boolean {
    const before = this.state;
    this.state = nextState(this, event);
    this.doubt = nextDoubt({ state: before, doubt: this.doubt }, event, this.state);
    return before !== 'done' && this.state === 'done';
  }

  /** A create or an update of the order leaves now. */
  asked(at: Micros): void {
    this.askedAt = at;
    this.requestedAt = at;
    this.activeAt = at;
  }

  /** Sets what is left to be filled and keeps what stood before. */
  shrink(remaining: Shares, at: Micros): void {
    if (remaining >= this.remaining) return;
    this.shownBefore = this.remaining;
    this.shownSince = at;
    this.shownToldAt = null;
    this.remaining = remaining;
  }

  /** From now on the order is known to stand in the book. */
  show(at: Micros): void {
    this.shownBefore = ZERO_SHARES;
    this.shownSince = at;
    this.shownToldAt = null;
  }

  /** A private frame says that so many shares are left. */
  shownTold(remaining: number, at: Micros): void {
    if (remaining <= this.remaining) this.shownToldAt ??= at;
  }

  /**
   * Takes the place of the order that it replaced. An update that changed neither price nor size (a renewal) changes no
   * level, so no book will ever tell of it: the new order shows where the old one did, and since then. Its cash was locked
   * by then, too.
   */
  standInFor(old: TrackedOrder): void {
    if (this.longPrice !== old.longPrice || this.requested !== old.shownBefore) return;
    this.bornAt = old.bornAt;
    this.lockKnownAt = old.lockKnownAt;
    if (this.filled === 0) [this.shownSince, this.shownToldAt] = [old.bornAt, old.bornAt];
    old.shownBefore = ZERO_SHARES;
  }
}

/**
 * An order that the venue tells of and none of our requests explains; as old as the venue says.
 * @param eventId of its market
 */
export function found(
  report: OrderReport,
  eventId: EventId,
  ownership: Ownership,
  { serial, at }: { readonly serial: number; readonly at: Micros },
): TrackedOrder {
  const { marketId, side, position, currency, requested: shares, expiresAt } = report;
  const price = report.price ?? boldest(side);
  const bornAt = report.createdAt === null ? at : (Math.min(at, report.createdAt) as Micros);
  const place = { eventId, marketId, side, position, currency };
  const order = new TrackedOrder(place, { price, shares, expiresAt }, serial, bornAt);
  order.ownership = ownership;
  order.state = 'live';
  order.orderId = report.orderId;
  order.namedAt = at;
  order.lockKnownAt = at;
  order.countsFills = false;
  return order;
}

const boldest = (side: Side): PriceUnits => (side === 'bid' ? 9_999 : 1) as PriceUnits;
