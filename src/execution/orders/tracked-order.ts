import type { EventId, MarketId, OrderId } from '../../domain/ids.js';
import type { LimitOrder, OrderPlace } from '../../domain/orders.js';
import {
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
  ZERO_MONEY,
  ZERO_SHARES,
  complement,
} from '../../domain/units.js';
import { OrderTraits } from './order-traits.js';
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
}

/** Shared by all orders to which nothing has happened; never written. */
const NOTHING_YET: Readonly<Course> = new Course();

const MICROS_PER_SECOND = 1_000_000;

/** A time in two small integers, for a larger number is an object of its own. */
interface Moment {
  readonly second: number;
  readonly micros: number;
}

export function momentOf(at: Micros): Moment {
  const second = Math.floor(at / MICROS_PER_SECOND);
  return { second: small(second), micros: small(at - second * MICROS_PER_SECOND) };
}

/** What an order is to be, but for its place. */
export type OrderTerms = Pick<LimitOrder, 'price' | 'shares' | 'expiresAt'>;

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
  /** Its first time; see {@link Moment}. */
  private readonly firstSecond: number;
  private readonly firstMicros: number;
  private namedAfter: number | null = null;
  private activeAfter: number | null = null;
  private heardAfter: number | null = null;
  private course = NOTHING_YET;

  /**
   * An order of ours that is asked for at that time.
   * @param old in whose place it is to come
   */
  constructor(
    place: OrderPlace,
    { price, shares, expiresAt }: OrderTerms,
    serial: number,
    first: Moment,
    old: TrackedOrder | null = null,
  ) {
    super(place, old);
    this.serial = serial;
    this.eventId = place.eventId;
    this.marketId = place.marketId;
    this.longPrice = place.position === 'long' ? price : complement(price);
    this.requested = shares;
    this.firstSecond = first.second;
    this.firstMicros = first.micros;
    this.expiresAt = expiresAt;
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
    return this.at(this.course.askedAfter ?? 0);
  }

  set askedAt(at: Micros) {
    this.own().askedAfter = this.after(at);
  }

  get requestedAt(): Micros {
    return this.at(this.course.requestedAfter ?? 0);
  }

  set requestedAt(at: Micros) {
    this.own().requestedAfter = this.after(at);
  }

  /** A create or an update of it leaves now. */
  asked(at: Micros): void {
    const course = this.own();
    const after = this.after(at);
    course.askedAfter = after;
    course.requestedAfter = after;
    this.activeAfter = after;
  }

  get endedAt(): Micros | null {
    const { endedAfter } = this.course;
    return endedAfter === null ? null : this.at(endedAfter);
  }

  set endedAt(at: Micros | null) {
    this.own().endedAfter = at === null ? null : this.after(at);
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
    this.own().shownAfter = this.after(at);
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
