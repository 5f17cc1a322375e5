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
import { type Doubt, type LifeEvent, nextDoubt, nextState, type OrderState } from './order-life.js';
import type { Ending, OwnOrder, Ownership, Stage } from './own-order.js';

/** What an order is to be, but for its place. */
export type OrderTerms = Pick<LimitOrder, 'price' | 'shares' | 'expiresAt'>;

/** An {@link OwnOrder} that can be written. A new one is an order of ours that is asked for now. */
export class TrackedOrder implements OwnOrder {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly bookSide: Side;
  readonly currency: Currency;
  readonly price: PriceUnits;
  readonly longPrice: PriceUnits;
  readonly requested: Shares;
  expiresAt: Micros | null;
  orderId: OrderId | null = null;
  ownership: Ownership = 'ours';
  state: OrderState = 'creating';
  doubt: Doubt | null = null;
  stage: Stage = 'unseen';
  ending: Ending | null = null;
  filled = ZERO_SHARES;
  remaining: Shares;
  countsFills = true;
  fillsUnknownSince: Micros | null = null;
  amount: Money = ZERO_MONEY;
  pricedShares = ZERO_SHARES;
  pricedAmount: Money = ZERO_MONEY;
  activeAt: Micros;
  requestedAt: Micros;
  askedAt: Micros;
  shownBefore = ZERO_SHARES;
  shownSince: Micros;
  namedAt: Micros | null = null;
  heardAt: Micros | null = null;
  endedAt: Micros | null = null;
  successor: TrackedOrder | null = null;
  absences = 0;
  failedCancels = 0;

  constructor(
    place: OrderPlace,
    { price, shares, expiresAt }: OrderTerms,
    readonly serial: number,
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
    this.remaining = remaining;
  }

  /** From now on the order is known to stand in the book. */
  show(at: Micros): void {
    this.shownBefore = ZERO_SHARES;
    this.shownSince = at;
  }

  /**
   * Takes the place of the order that it replaced. An update that changed neither price nor size (a renewal) changes no
   * level, so no book will ever tell of it: the new order shows where the old one did, and since then. Its cash was locked
   * by then, too.
   */
  standInFor(old: TrackedOrder): void {
    if (this.longPrice !== old.longPrice || this.requested !== old.shownBefore) return;
    this.bornAt = old.bornAt;
    if (this.filled === 0) this.shownSince = old.bornAt;
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
  order.countsFills = false;
  return order;
}

const boldest = (side: Side): PriceUnits => (side === 'bid' ? 9_999 : 1) as PriceUnits;
