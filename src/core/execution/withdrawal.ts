import type { OrderReport } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import type { MarketId } from '../../domain/ids.js';
import type { RequestProfile } from '../../venues/port.js';
import type { TradedMarket } from './orders/claims.js';
import { type OwnOrder, isCancelable } from './orders/own-order.js';
import type { OwnOrders } from './orders/own-orders.js';
import { callsToWithdraw, EMPTY_LISTINGS } from './sending/request-cost.js';
import type { Scheduler } from './sending/scheduler.js';

export interface WithdrawalPolicy {
  /** Pause between two rounds of cancels, and between listings. */
  readonly roundMs: number;
  /**
   * After this long without a proof the withdrawal is given up, counted from when a proof is possible and the budget
   * lets the requests leave that it takes.
   */
  readonly giveUpMs: number;
  /** The budget is not waited for longer than this. */
  readonly longestWaitMs: number;
}

export interface WithdrawalOptions extends WithdrawalPolicy {
  /** After this long a signed request cannot take effect any more. */
  readonly clockWindowMs: number;
}

export type WithdrawalState =
  | 'idle'
  /** Cancelling and asking. */
  | 'withdrawing'
  /** Two complete listings showed nothing of ours. */
  | 'proved'
  /** Time is over: orders may remain. */
  | 'given-up';

/**
 * After a time without a look so much time with looks follows before giving up: our clock may have leapt, or the
 * process stood still.
 */
const LAST_LOOK_MS = 5_000;
/** Longest pause between listings that can prove nothing yet. */
const LONGEST_PAUSE_MS = 8_000;

/**
 * Cancels everything of ours and asks until it is proved gone. Orders go by id, as many in one request as the venue
 * takes, so foreign orders stay and the number of markets hardly matters. Listings show what had no id yet.
 */
export class Withdrawal {
  readonly #orders: OwnOrders;
  readonly #scheduler: Scheduler;
  readonly #tradedMarket: (market: MarketId) => TradedMarket | null;
  readonly #policy: WithdrawalOptions;
  readonly #venue: RequestProfile;
  #state: WithdrawalState = 'idle';
  #begunAt = 0;
  #nextCancel = 0;
  #nextListing = 0;
  #pauseMs = 0;
  /** Before this no proof is possible. */
  #provableAt = 0;
  #lookedAt = 0;
  /** Before this it is not given up. */
  #lookUntil = 0;
  /** Until when the budget held back what is needed. */
  #waitsUntil = 0;
  #quietSince = 0;
  #proofs = 0;
  /** How many orders stood when it was last looked. */
  #stood = 0;
  #known: { readonly version: number; readonly orders: readonly OwnOrder[] } = { version: -1, orders: [] };

  constructor(
    orders: OwnOrders,
    scheduler: Scheduler,
    tradedMarket: (market: MarketId) => TradedMarket | null,
    policy: WithdrawalOptions,
    venue: RequestProfile,
  ) {
    this.#orders = orders;
    this.#scheduler = scheduler;
    this.#tradedMarket = tradedMarket;
    this.#policy = policy;
    this.#venue = venue;
  }

  get state(): WithdrawalState {
    return this.#state;
  }

  /** When the withdrawal is given up, as far as is known. */
  get overAt(): number {
    return Math.max(this.#giveUpAt(), this.#lookUntil);
  }

  /** Calls that it takes to cancel what is left and to prove it. */
  get callsLeft(): number {
    return callsToWithdraw(this.left, this.#venue);
  }

  /** Number of orders that are not known to be gone, inherited ones included. */
  get left(): number {
    return this.#standing().length + this.#orders.inherited.unseen.size;
  }

  begin(at: Micros): void {
    if (this.#state === 'withdrawing') return;
    this.#state = 'withdrawing';
    this.#begunAt = at;
    this.#proofs = 0;
    this.#nextCancel = at + this.#policy.roundMs * 1_000;
    this.#listSoon(at);
    this.#quietSince = at;
    this.#provableAt = at;
    this.#lookedAt = at;
    this.#lookUntil = at;
    this.#waitsUntil = at;
    this.#scheduler.withdraw();
    this.#look(at);
    this.#cancel(this.#standing());
  }

  /** Quoting is allowed again. */
  reset(): void {
    this.#state = 'idle';
    this.#scheduler.quoteAgain();
  }

  /** Puts the next cancels or the next listing into the schedule. */
  review(at: Micros): void {
    if (this.#state !== 'withdrawing') return;
    this.#look(at);
    if (at >= this.overAt) this.#state = 'given-up';
    else this.#goOn(at);
  }

  /** When {@link review} has to be called again at the latest; infinite when it need not. */
  nextDue(): number {
    if (this.#state !== 'withdrawing') return Infinity;
    const nextCancel = this.#cancelable().length > 0 ? this.#nextCancel : Infinity;
    const nextListing = this.#mayList ? this.#nextListing : Infinity;
    return Math.min(nextCancel, nextListing, this.overAt);
  }

  /** Our clock was set: a proof is possible so many microseconds later. */
  clockSet(later: number): void {
    this.#provableAt += later;
  }

  /** A trading request was answered: an older listing proves nothing. */
  traded(at: Micros): void {
    this.#quietSince = at;
    this.#proofs = 0;
    this.#listSoon(at);
  }

  /** A complete listing, already merged into the orders. @param startedAt when its first byte left */
  listed(reports: readonly OrderReport[], startedAt: Micros, at: Micros): void {
    if (this.#state !== 'withdrawing') return;
    if (startedAt < this.#quietSince || this.#scheduler.isTrading) return this.#listSoon(at);
    const isEmpty = this.#standing().length === 0 && !reports.some((report) => this.#isOurs(report));
    const isProof = isEmpty && this.#isInheritanceGone(startedAt);
    this.#proofs = isProof ? this.#proofs + 1 : 0;
    if (this.#proofs >= EMPTY_LISTINGS) this.#state = 'proved';
    else if (isProof) this.#listSoon(at);
    else {
      this.#cancelInherited();
      this.#cancelAgain(at);
    }
  }

  /** Are inherited orders known to be gone? A clean end makes the journal forget them. */
  #isInheritanceGone(startedAt: Micros): boolean {
    const { areKnown, mayComeUntil } = this.#orders.inherited;
    return areKnown && startedAt > mayComeUntil;
  }

  #cancelInherited(): void {
    if (this.#scheduler.isInsisting) return;
    this.#scheduler.insistOnCancelOfIds([...this.#orders.inherited.unseen]);
  }

  /**
   * When the withdrawal is given up. An order without an id is proved absent only once its request can take effect no
   * more.
   */
  #giveUpAt(): number {
    const { clockWindowMs, giveUpMs } = this.#policy;
    this.#provableAt = Math.max(this.#provableAt, this.#orders.inherited.mayComeUntil);
    for (const { orderId, askedAt } of this.#standing())
      if (orderId === null) this.#provableAt = Math.max(this.#provableAt, askedAt + clockWindowMs * 1_000);
    return Math.max(this.#provableAt, this.#waitsUntil) + giveUpMs * 1_000;
  }

  #look(at: Micros): void {
    const least = LAST_LOOK_MS * 1_000;
    if (at - this.#lookedAt > least) this.#lookUntil = at + least;
    this.#lookedAt = at;
    const by = this.#scheduler.leaveBy(this.callsLeft, at);
    const latest = this.#begunAt + this.#policy.longestWaitMs * 1_000;
    if (by > at) this.#waitsUntil = Math.max(this.#waitsUntil, Math.min(by, latest));
  }

  /** Cancels go on in one market while an answer about another is missing. */
  #goOn(at: Micros): void {
    const standing = this.#standing().length;
    if (standing < this.#stood) this.#listSoon(at);
    this.#stood = standing;
    this.#cancelAgain(at);
    if (at >= this.#nextListing && this.#mayList) this.#ask(at);
  }

  /** While a trading request is under way a listing proves nothing. */
  get #mayList(): boolean {
    return !this.#scheduler.isTrading && !this.#scheduler.isAsking('read-orders');
  }

  /** Asks for a listing; ever more seldom while no proof is possible. */
  #ask(at: Micros): void {
    const isProvable = at >= this.#provableAt;
    const next = at + (isProvable ? this.#policy.roundMs : this.#pauseMs) * 1_000;
    this.#nextListing = isProvable ? next : Math.min(next, this.#provableAt);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    this.#scheduler.read({ kind: 'read-orders' });
  }

  /** Something has changed: lists at once. */
  #listSoon(at: Micros): void {
    this.#nextListing = at;
    this.#pauseMs = this.#policy.roundMs;
  }

  /** Cancels what is left. An order reported since its last cancel goes at once, the rest one round at a time. */
  #cancelAgain(at: Micros): void {
    const free = this.#cancelable();
    const isRound = at >= this.#nextCancel;
    if (isRound && free.length > 0) this.#nextCancel = at + this.#policy.roundMs * 1_000;
    this.#cancel(isRound ? free : free.filter(isNews));
  }

  /** Orders that can be cancelled now. A busy market waits for its answer, and queued cancels leave first. */
  #cancelable(): OwnOrder[] {
    if (this.#scheduler.isInsisting) return [];
    return this.#standing().filter((order) => isCancelable(order) && !this.#scheduler.isBusy(order.marketId));
  }

  #cancel(orders: readonly OwnOrder[]): void {
    this.#scheduler.insistOnCancel(orders.filter(isCancelable));
  }

  /** Own orders that are not over: asked several times with every input, looked up anew when an order has changed. */
  #standing(): readonly OwnOrder[] {
    const { version } = this.#orders;
    if (version === this.#known.version) return this.#known.orders;
    const orders: OwnOrder[] = [];
    for (const market of this.#orders.markets())
      for (const order of this.#orders.own(market).working)
        if (order.ownership === 'ours') orders.push(order);
    this.#known = { version, orders };
    return orders;
  }

  #isOurs(report: OrderReport): boolean {
    const known = this.#orders.byId(report.orderId);
    return known?.ownership === 'ours' || this.#tradedMarket(report.marketId)?.ownership === 'exclusive';
  }
}

/** Has the venue reported the order as standing since our last request about it? */
const isNews = ({ shownSince, requestedAt }: OwnOrder): boolean => shownSince > requestedAt;
