import type { EventId, MarketId, OrderId } from '../../domain/ids.js';
import type { LimitOrder } from '../../domain/orders.js';
import {
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
  ZERO_MONEY,
  ZERO_SHARES,
  complement,
} from '../../domain/units.js';
import type { OrderState } from './order-life.js';
import { OrderTraits } from './order-traits.js';
import type { OwnOrder, Ownership } from './own-order.js';

/** What happened to an order beyond being taken by the venue and resting there, and an end it was given; null: as it began. */
class Course {
  bornAt: Micros | null = null;
  askedAt: Micros | null = null;
  requestedAt: Micros | null = null;
  endedAt: Micros | null = null;
  expiresAt: Micros | null = null;
  fillsUnknownSince: Micros | null = null;
  remaining: Shares | null = null;
  filled = ZERO_SHARES;
  amount = ZERO_MONEY;
  pricedShares = ZERO_SHARES;
  pricedAmount = ZERO_MONEY;
  shownBefore = ZERO_SHARES;
  shownSince: Micros | null = null;
  absences = 0;
  failedCancels = 0;
  successor: TrackedOrder | null = null;
}

/** Shared by all orders to which nothing has happened; never written. */
const NOTHING_YET: Readonly<Course> = new Course();

const MICROS_PER_SECOND = 1_000_000;

export interface Birth {
  readonly serial: number;
  readonly at: Micros;
}

/**
 * The same order for those in this room who write it. There are some in every market, and most of them rest: such a one
 * takes 136 bytes. Times are kept as distances from its first one, a time that is mostly equal to another as which one, and
 * what has not happened not at all.
 */
export class TrackedOrder extends OrderTraits implements OwnOrder {
  readonly serial: number;
  orderId: OrderId | null = null;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly longPrice: PriceUnits;
  readonly requested: Shares;
  /** Its first time in two small integers, for a larger number is an object of its own. */
  private readonly firstSecond: number;
  private readonly firstMicros: number;
  private namedAfter: number | null = null;
  private activeAfter: number | null = null;
  private heardAfter: number | null = null;
  private course = NOTHING_YET;

  constructor(order: LimitOrder, ownership: Ownership, state: OrderState, { serial, at }: Birth) {
    super(order, ownership, state);
    this.serial = serial;
    this.eventId = order.eventId;
    this.marketId = order.marketId;
    this.longPrice = order.position === 'long' ? order.price : complement(order.price);
    this.requested = order.shares;
    this.firstSecond = small(Math.floor(at / MICROS_PER_SECOND));
    this.firstMicros = small(at - this.firstSecond * MICROS_PER_SECOND);
    this.expiresAt = order.expiresAt;
  }

  get price(): PriceUnits {
    return this.position === 'long' ? this.longPrice : complement(this.longPrice);
  }

  get expiresAt(): Micros | null {
    return this.course.expiresAt;
  }

  set expiresAt(at: Micros | null) {
    if (at !== this.expiresAt) this.own().expiresAt = at;
  }

  get namedAt(): Micros | null {
    return this.namedAfter === null ? null : this.at(this.namedAfter);
  }

  set namedAt(at: Micros | null) {
    if (this.shownAt === 'named' && at !== this.namedAt) this.showLater(this.shownSince);
    this.namedAfter = at === null ? null : this.after(at);
  }

  get heardAt(): Micros | null {
    return this.heardAfter === null ? null : this.at(this.heardAfter);
  }

  set heardAt(at: Micros | null) {
    if (this.shownAt === 'heard' && at !== this.heardAt) this.showLater(this.shownSince);
    this.heardAfter = at === null ? null : this.after(at);
  }

  get activeAt(): Micros {
    return this.at(this.activeAfter ?? 0);
  }

  set activeAt(at: Micros) {
    this.activeAfter = this.after(at);
  }

  get shownSince(): Micros {
    const { shownAt } = this;
    if (shownAt === 'later') return this.course.shownSince!;
    if (shownAt === 'first') return this.firstAt;
    return this.at((shownAt === 'named' ? this.namedAfter : this.heardAfter)!);
  }

  set shownSince(at: Micros) {
    if (at === this.namedAt) this.shownAt = 'named';
    else if (at === this.heardAt) this.shownAt = 'heard';
    else if (at === this.firstAt) this.shownAt = 'first';
    else this.showLater(at);
  }

  get bornAt(): Micros {
    return this.course.bornAt ?? this.firstAt;
  }

  set bornAt(at: Micros) {
    this.own().bornAt = at;
  }

  get askedAt(): Micros {
    return this.course.askedAt ?? this.firstAt;
  }

  set askedAt(at: Micros) {
    this.own().askedAt = at;
  }

  get requestedAt(): Micros {
    return this.course.requestedAt ?? this.firstAt;
  }

  set requestedAt(at: Micros) {
    this.own().requestedAt = at;
  }

  get endedAt(): Micros | null {
    return this.course.endedAt;
  }

  set endedAt(at: Micros | null) {
    this.own().endedAt = at;
  }

  get successor(): TrackedOrder | null {
    return this.course.successor;
  }

  set successor(successor: TrackedOrder | null) {
    this.own().successor = successor;
  }

  get remaining(): Shares {
    return this.course.remaining ?? this.requested;
  }

  set remaining(shares: Shares) {
    this.own().remaining = shares;
  }

  get filled(): Shares {
    return this.course.filled;
  }

  set filled(shares: Shares) {
    if (shares !== this.filled) this.own().filled = shares;
  }

  get fillsUnknownSince(): Micros | null {
    return this.course.fillsUnknownSince;
  }

  set fillsUnknownSince(at: Micros | null) {
    if (at !== this.fillsUnknownSince) this.own().fillsUnknownSince = at;
  }

  get amount(): Money {
    return this.course.amount;
  }

  set amount(amount: Money) {
    if (amount !== this.amount) this.own().amount = amount;
  }

  get pricedShares(): Shares {
    return this.course.pricedShares;
  }

  set pricedShares(shares: Shares) {
    if (shares !== this.pricedShares) this.own().pricedShares = shares;
  }

  get pricedAmount(): Money {
    return this.course.pricedAmount;
  }

  set pricedAmount(amount: Money) {
    if (amount !== this.pricedAmount) this.own().pricedAmount = amount;
  }

  get shownBefore(): Shares {
    return this.course.shownBefore;
  }

  set shownBefore(shares: Shares) {
    if (shares !== this.shownBefore) this.own().shownBefore = shares;
  }

  get absences(): number {
    return this.course.absences;
  }

  set absences(passes: number) {
    if (passes !== this.absences) this.own().absences = passes;
  }

  get failedCancels(): number {
    return this.course.failedCancels;
  }

  set failedCancels(cancels: number) {
    if (cancels !== this.failedCancels) this.own().failedCancels = cancels;
  }

  private showLater(at: Micros): void {
    this.own().shownSince = at;
    this.shownAt = 'later';
  }

  /** @returns the course that is this order's own, to be written */
  private own(): Course {
    if (this.course === NOTHING_YET) this.course = new Course();
    return this.course;
  }

  private get firstAt(): Micros {
    return this.at(0);
  }

  private at(after: number): Micros {
    return (this.firstSecond * MICROS_PER_SECOND + this.firstMicros + after) as Micros;
  }

  private after(at: Micros): number {
    return small(at - this.firstAt);
  }
}

/** Up to 2^31 (35 minutes in microseconds) a small integer, which takes no room beside the place where it stands. */
function small(number: number): number {
  const whole = number | 0;
  return whole === number ? whole : number;
}
