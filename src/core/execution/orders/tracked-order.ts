import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import type { LimitOrder, OrderPlace } from '../../../domain/orders.js';
import {
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
  ZERO_MONEY,
  ZERO_SHARES,
  complement,
} from '../../../domain/units.js';
import { type Moment, small, timeOf } from './moment.js';
import { OrderTraits, type Traits, traitsOfNew } from './order-traits.js';
import type { OwnOrder } from './own-order.js';

/**
 * What happened to an order beyond being taken by the venue and resting there, and an end it was given; null: as it began.
 * `After` its first time, in microseconds.
 */
class Course {
  bornAfter: number | null = null;
  askedAfter: number | null = null;
  requestedAfter: number | null = null;
  endedAfter: number | null = null;
  expiresAt: Micros | null = null;
  fillsUnknownSince: Micros | null = null;
  remaining: Shares | null = null;
  filled = ZERO_SHARES;
  amount = ZERO_MONEY;
  pricedShares = ZERO_SHARES;
  pricedAmount = ZERO_MONEY;
  shownBefore = ZERO_SHARES;
  shownAfter: number | null = null;
  absences = 0;
  failedCancels = 0;
  successor: TrackedOrder | null = null;

  /** @param update not null: nothing but this has happened to all orders that share this course; it is never written */
  constructor(readonly update: Update | null = null) {}
}

/** Shared by all orders to which nothing has happened; never written. */
const NOTHING_YET: Readonly<Course> = new Course();

/** An update that has left, and the orders that it is to put in the places of others. */
interface Update {
  readonly at: Micros;
  readonly replaced: readonly TrackedOrder[];
  readonly successors: readonly TrackedOrder[];
}

export type SharedCourse = Readonly<Course>;

/** What an update makes of the course of all orders to which nothing else has happened. */
export const courseOfUpdate = (update: Update): SharedCourse => new Course(update);

/** What an order is to be, but for its place. */
export type OrderTerms = Pick<LimitOrder, 'price' | 'shares' | 'expiresAt'>;

/**
 * The same order for those in this room who write it. There are some in every market, and most of them rest: such a one
 * takes 136 bytes. Times are kept as distances from its first one, a time that is mostly equal to another as which one, and
 * what has not happened not at all.
 */
export class TrackedOrder extends OrderTraits implements OwnOrder {
  // Declared and not initialised: each is written once.
  declare readonly serial: number;
  declare orderId: OrderId | null;
  declare readonly eventId: EventId;
  declare readonly marketId: MarketId;
  declare readonly longPrice: PriceUnits;
  declare readonly requested: Shares;
  /** Its first time; see {@link Moment}. */
  declare private readonly firstSecond: number;
  declare private readonly firstMicros: number;
  declare private namedAfter: number | null;
  declare private activeAfter: number | null;
  declare private heardAfter: number | null;
  declare private course: Readonly<Course>;

  /** An order of ours that is asked for at that time. */
  constructor(
    place: OrderPlace,
    { price, shares, expiresAt }: OrderTerms,
    serial: number,
    first: Moment,
    traits: Traits = traitsOfNew(place),
  ) {
    super();
    this.traits = traits;
    this.serial = serial;
    this.orderId = null;
    this.eventId = place.eventId;
    this.marketId = place.marketId;
    this.longPrice = traits.position === 'long' ? price : complement(price);
    this.requested = shares;
    this.firstSecond = first.second;
    this.firstMicros = first.micros;
    this.namedAfter = null;
    this.activeAfter = null;
    this.heardAfter = null;
    this.course = NOTHING_YET;
    if (expiresAt !== null) this.own().expiresAt = expiresAt;
  }

  /** What an update is to put in its place. */
  successorOf(terms: OrderTerms, serial: number, first: Moment): TrackedOrder {
    return new TrackedOrder(this, terms, serial, first, this.traits.newborn);
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
    return this.course.update?.at ?? this.at(this.activeAfter ?? 0);
  }

  set activeAt(at: Micros) {
    if (this.course.update !== null) this.own();
    this.activeAfter = this.after(at);
  }

  get shownSince(): Micros {
    const { shownAt } = this;
    if (shownAt === 'later') return this.at(this.course.shownAfter!);
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
    return this.at(this.course.bornAfter ?? 0);
  }

  set bornAt(at: Micros) {
    this.own().bornAfter = this.after(at);
  }

  get askedAt(): Micros {
    return this.course.update?.at ?? this.at(this.course.askedAfter ?? 0);
  }

  set askedAt(at: Micros) {
    this.own().askedAfter = this.after(at);
  }

  get requestedAt(): Micros {
    return this.course.update?.at ?? this.at(this.course.requestedAfter ?? 0);
  }

  set requestedAt(at: Micros) {
    this.own().requestedAfter = this.after(at);
  }

  /** A create or an update of it leaves now. */
  asked(at: Micros): void {
    this.noteAsked(this.own(), at);
  }

  /** An update leaves now that is to put the other order in the place of this one. */
  giveWay(successor: TrackedOrder, course: SharedCourse): void {
    if (this.course === NOTHING_YET) this.course = course;
    else {
      this.asked(course.update!.at);
      this.successor = successor;
    }
    this.live('update-sent');
  }

  get endedAt(): Micros | null {
    const { endedAfter } = this.course;
    return endedAfter === null ? null : this.at(endedAfter);
  }

  set endedAt(at: Micros | null) {
    this.own().endedAfter = at === null ? null : this.after(at);
  }

  get successor(): TrackedOrder | null {
    const { update, successor } = this.course;
    return update === null ? successor : update.successors[update.replaced.indexOf(this)]!;
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
    this.own().shownAfter = this.after(at);
    this.shownAt = 'later';
  }

  /** @returns the course that is this order's own, to be written */
  private own(): Course {
    const { course } = this;
    if (course !== NOTHING_YET && course.update === null) return course;
    const own = new Course();
    if (course.update !== null) {
      own.successor = this.successor;
      this.noteAsked(own, course.update.at);
    }
    this.course = own;
    return own;
  }

  private noteAsked(course: Course, at: Micros): void {
    const after = this.after(at);
    course.askedAfter = after;
    course.requestedAfter = after;
    this.activeAfter = after;
  }

  private get firstAt(): Micros {
    return this.at(0);
  }

  private at(after: number): Micros {
    return timeOf(this.firstSecond, this.firstMicros, after);
  }

  private after(at: Micros): number {
    return small(at - this.firstAt);
  }
}
