import type { Silence } from '../mirror/silence.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { TradedMarket } from './orders/claims.js';
import { cancelOfScope } from './sending/packing.js';
import type { OwnOrder } from './orders/own-order.js';
import type { OwnOrders } from './orders/own-orders.js';
import { type OpenRequest, isUnsettled, unsettled } from './orders/requests.js';
import type { Scheduler } from './sending/scheduler.js';
import type { VenueProfile } from '../../venues/port.js';

export interface SettlementPolicy {
  /** A create or update may be sent again under its key only while its decision is younger than this. */
  readonly replayMaxAgeMs: number;
  /** After this long a signed request cannot take effect any more. */
  readonly clockWindowMs: number;
  /** First pause between two tries to settle; doubled up to the last. */
  readonly firstTryMs: number;
  readonly lastTryMs: number;
  /** Pace of listings while nothing is in doubt. */
  readonly routineListMs: number;
}

export interface SettlementOptions extends SettlementPolicy {
  readonly tradedMarket: (marketId: MarketId) => TradedMarket | null;
  readonly cancelScopes: VenueProfile['cancelScopes'];
  /** The venue's time, by which orders expire, at a time of our clock. */
  readonly venueTime: (ours: Micros) => Micros;
  /** Still desired, and passing today's collar and crossing check? Asked before a replay. */
  readonly mayReplay: (order: OwnOrder) => boolean;
  /** When routine listings come next. */
  readonly silence: Silence;
}

/** After so many listings have missed a known order, only a cancel can tell what became of it. */
const CONTRADICTIONS = 2;

/**
 * Settles requests with a lost answer, and orders about which the venue and we disagree. A young, still wanted request
 * is repeated under its own key. Later it is never sent again: it is cancelled by its scope where possible, and listed
 * until it is seen or can no longer come.
 */
export class Settlement {
  readonly #orders: OwnOrders;
  readonly #scheduler: Scheduler;
  readonly #options: SettlementOptions;
  #tries = 0;
  #nextTry = 0;
  #nextRoutine = 0;
  /** A listing must begin after this to show what frames may have missed; null when one did. */
  #listAfter: Micros | null = null;
  /** Is a listing under way? */
  #isListing = false;
  #failedLists = 0;
  /** Listings after which ids of an earlier run were missed. */
  #missing = 0;

  constructor(orders: OwnOrders, scheduler: Scheduler, options: SettlementOptions) {
    this.#orders = orders;
    this.#scheduler = scheduler;
    this.#options = options;
  }

  /** Frames may have been missed (a reconnect): list the orders now. */
  resync(at: Micros): void {
    this.#listAfter = at;
    this.#nextRoutine = at;
  }

  /** A complete listing was read. @param startedAt when its first byte left */
  listed(startedAt: Micros, at: Micros): void {
    this.#isListing = false;
    this.#failedLists = 0;
    const isTooOld = this.#listAfter !== null && startedAt <= this.#listAfter;
    if (!isTooOld) this.#listAfter = null;
    const { silence, routineListMs } = this.#options;
    const pauseMs = this.#untilNextList(isTooOld, at);
    // Where a venue answers in no time, a listing of the same moment would begin too early again.
    this.#nextRoutine =
      pauseMs === routineListMs ? Infinity : Math.max(at + pauseMs * 1_000, (this.#listAfter ?? 0) + 1);
    if (pauseMs === routineListMs)
      silence.plan('orders', at, routineListMs, (due) => (this.#nextRoutine = due));
    this.#cancelMissed(this.#orders.inherited.missed);
  }

  /** A listing showed the open orders, but could not be read to its end. */
  listedInPart(at: Micros): void {
    this.#listFailed(at);
    this.#cancelMissed(this.#orders.inherited.missed);
  }

  #untilNextList(isTooOld: boolean, at: Micros): number {
    const { missed, areKnown, mayComeUntil } = this.#orders.inherited;
    const { routineListMs, lastTryMs } = this.#options;
    if (isTooOld) return 0;
    if (missed.length > 0) return this.#pauseMs(this.#missing++);
    if (!areKnown) return 0;
    return at < mayComeUntil ? Math.min(lastTryMs, routineListMs) : routineListMs;
  }

  /** Any answer came, after {@link listed} has taken in what it listed. */
  answered(at: Micros): void {
    if (this.#isListing && !this.#scheduler.isAsking('read-orders')) this.#listFailed(at);
  }

  /** Puts into the schedule whatever is needed next. */
  review(at: Micros): void {
    if (at >= this.#nextRoutine && !this.#scheduler.isAsking('read-orders')) this.#list(at);
    if (at < this.#nextTry) return;
    if (this.#orders.doubtful.size === 0) this.#tries = 0;
    else this.#settle(at);
  }

  /** When {@link review} has to be called again at the latest; infinite while an answer comes first. */
  nextDue(): number {
    const trying = this.#orders.doubtful.size > 0 ? this.#nextTry : Infinity;
    const listing = this.#scheduler.isAsking('read-orders') ? Infinity : this.#nextRoutine;
    return Math.min(listing, trying);
  }

  #settle(at: Micros): void {
    this.#nextTry = at + this.#pauseMs(this.#tries) * 1_000;
    this.#tries += 1;
    // Requests that the budget still holds back are not queued twice.
    if (!this.#scheduler.isInsisting && !this.#scheduler.isSilenced(at)) {
      for (const open of this.#orders.openRequests()) this.#settleRequest(open, at);
      this.#cancelContradicted();
    }
    if (!this.#scheduler.isAsking('read-orders')) this.#list(at);
  }

  #list(at: Micros): void {
    this.#scheduler.read({ kind: 'read-orders' });
    this.#isListing = true;
    this.#nextRoutine = at + this.#options.routineListMs * 1_000;
  }

  /** A failed routine listing can wait. A listing that settles missed frames or inherited orders cannot. */
  #listFailed(at: Micros): void {
    this.#isListing = false;
    if (this.#listAfter === null && this.#orders.inherited.areKnown) return;
    this.#nextRoutine = Math.min(this.#nextRoutine, at + this.#pauseMs(this.#failedLists) * 1_000);
    this.#failedLists += 1;
  }

  #pauseMs(tries: number): number {
    return Math.min(this.#options.lastTryMs, this.#options.firstTryMs * 2 ** tries);
  }

  #settleRequest(open: OpenRequest, at: Micros): void {
    const waiting = open.inFlight ? [] : unsettled(open);
    const markets = marketsOf(waiting);
    if (waiting.length === 0 || markets.some((market) => this.#scheduler.isBusy(market))) return;
    if (this.#mayReplay(open, at)) this.#replay(open);
    else
      for (const market of marketsOf(waiting.filter((o) => this.#needsCancel(o, at))))
        this.#cancelScope(market);
  }

  /**
   * Does a lost create need a cancel of its scope? After the first one, listings and frames show a late order. When it
   * can no longer come and no named order stands there, a second cancel makes sure.
   */
  #needsCancel(order: OwnOrder, at: Micros): boolean {
    if (order.failedCancels === 0) return true;
    const last = order.askedAt + this.#options.clockWindowMs * 1_000;
    return at > last && order.activeAt <= last && !this.#hasNamed(order.marketId);
  }

  #hasNamed(market: MarketId): boolean {
    return this.#orders.own(market).working.some((order) => order.orderId !== null);
  }

  /** May the request be repeated? Its body must not change, so every item must still be wanted. */
  #mayReplay(open: OpenRequest, at: Micros): boolean {
    if (at - open.decidedAt >= this.#options.replayMaxAgeMs * 1_000) return false;
    const venueNow = this.#options.venueTime(at);
    return open.orders.every(
      (order) =>
        order !== null &&
        isUnsettled(order) &&
        isAhead(order.expiresAt, venueNow) &&
        this.#options.mayReplay(order),
    );
  }

  #replay(open: OpenRequest): void {
    const { request, requestId } = open;
    const markets = marketsOf(unsettled(open));
    const notAfter = (open.decidedAt + this.#options.replayMaxAgeMs * 1_000) as Micros;
    this.#scheduler.insist({ request, markets, requestId, notAfter, urgency: 0 });
  }

  #cancelScope(marketId: MarketId): void {
    const tradedMarket = this.#options.tradedMarket(marketId);
    if (tradedMarket?.ownership !== 'exclusive' || !this.#options.cancelScopes.includes('market')) return;
    const scope = { kind: 'market', eventId: tradedMarket.eventId, marketId } as const;
    this.#scheduler.insist(cancelOfScope(scope, [marketId]));
  }

  /** Cancels inherited ids that listings do not show. The next listing asks again if no answer comes. */
  #cancelMissed(ids: readonly OrderId[]): void {
    if (this.#scheduler.isInsisting) return;
    this.#scheduler.insistOnCancelOfIds(ids);
  }

  #cancelContradicted(): void {
    const contradicted = [...this.#orders.doubtful].filter(
      (order) =>
        order.ownership === 'ours' &&
        order.orderId !== null &&
        order.absences >= CONTRADICTIONS &&
        order.failedCancels === 0 &&
        !this.#scheduler.isBusy(order.marketId),
    );
    this.#scheduler.insistOnCancel(contradicted);
  }
}

const isAhead = (expiresAt: Micros | null, at: Micros): boolean => expiresAt === null || expiresAt > at;
const marketsOf = (orders: readonly OwnOrder[]): MarketId[] => [
  ...new Set(orders.map((order) => order.marketId)),
];
