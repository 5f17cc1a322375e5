import type { ReadRequest, SendEffect, VenueRequest } from '../../../domain/effects.js';
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { Answer, AnswerBody } from '../../../domain/answers.js';
import type { Micros } from '../../../domain/units.js';
import type { RequestProfile } from '../../../venues/port.js';
import type { OwnOrder } from '../orders/own-order.js';
import { ordersOf } from '../orders/requests.js';
import type { ApprovedPlan } from '../planning/plan.js';
import type { PaceOf } from './order-pace.js';
import type { BudgetUse, RequestBudget } from './budget.js';
import { type RequestIds, Repeats, UnderWay } from './sent-requests.js';
import { cancelOf, cancelOfIds, type PlannedRequest, type TouchOf } from './packing.js';
import { type PausePolicy, Pauses, WaitingPlans } from './waiting-plans.js';
import { callsOf, furtherCallsOf } from './request-cost.js';

/** The same create is sent so much later than the venue would refuse it as a copy. */
const COPY_MARGIN_MS = 200;

export interface SchedulerPolicy extends PausePolicy {
  /** How long after its decision a create or update may still leave. */
  readonly quoteLifetimeMs: number;
  /** The same for cancels and reads. */
  readonly otherLifetimeMs: number;
  /** Pause after a throttled request whose answer does not say how long. */
  readonly throttledMs: number;
}

/**
 * Decides what leaves when. All markets share one budget; the newest plan of a market replaces the one before; a
 * market has at most one trading request under way; batches are filled across markets, the most urgent first.
 */
export class Scheduler {
  readonly pauses: Pauses;
  readonly #budget: RequestBudget;
  readonly #ids: RequestIds;
  readonly #venue: RequestProfile;
  readonly #policy: SchedulerPolicy;
  readonly #plans: WaitingPlans;
  readonly #reads = new Map<string, ReadRequest>();
  /** Reads of books without which their market is not quoted. */
  readonly #beginnings = new Map<string, ReadRequest>();
  readonly #insisted: PlannedRequest[] = [];
  readonly #underWay = new UnderWay();
  readonly #repeats: Repeats;
  /** Most ids of one cancel: halved when the venue refuses so many. */
  #cancelMost: number;
  /** Everything is being withdrawn: cancels and listings may use the whole budget, and listings go before other reads. */
  #isWithdrawing = false;
  #isLeaving = false;
  /** While orders are rationed: creates left last. */
  #creates = false;

  constructor(
    budget: RequestBudget,
    ids: RequestIds,
    venue: RequestProfile,
    policy: SchedulerPolicy,
    touchOf: TouchOf,
    private readonly paceOf: PaceOf = () => null,
  ) {
    this.#budget = budget;
    this.#ids = ids;
    this.#venue = venue;
    this.#policy = policy;
    this.#cancelMost = venue.batches.cancel;
    this.pauses = new Pauses(policy);
    const { copiesRefusedMs } = venue.orders;
    this.#repeats = new Repeats(copiesRefusedMs === 0 ? 0 : copiesRefusedMs + COPY_MARGIN_MS);
    this.#plans = new WaitingPlans(
      this.pauses,
      () => ({ ...venue.batches, cancel: this.#cancelMost }),
      (market) => this.#underWay.isBusy(market),
      touchOf,
      paceOf,
    );
  }

  /** The newest plan of a market; an empty one withdraws the one before. */
  offer(plan: ApprovedPlan): void {
    this.#plans.offer(plan);
  }

  /** Forgets every waiting plan. Until {@link quoteAgain} cancels and listings come before everything else. */
  withdraw(): void {
    this.#isWithdrawing = true;
    this.#plans.clear();
  }

  /** How many more reads of books can leave now; one may always wait for its turn. */
  booksWanted(at: Micros): number {
    this.#budget.refill(at);
    let waiting = this.#beginnings.size;
    for (const { kind } of this.#reads.values()) if (kind === 'read-book') waiting += 1;
    return Math.max(1, this.#budget.spare('book')) - waiting;
  }

  quoteAgain(): void {
    this.#isWithdrawing = false;
  }

  /** The run ends: forgets waiting reads other than listings of orders. Later ones may use the whole budget. */
  leave(): void {
    this.#isLeaving = true;
    this.#beginnings.clear();
    for (const [key, { kind }] of this.#reads) if (kind !== 'read-orders') this.#reads.delete(key);
  }

  /**
   * Queues a read; the same read is not queued twice.
   * @param isBeginning whether it is of a book without which its market is not quoted
   */
  read(request: ReadRequest, isBeginning = false): void {
    const key = readKey(request);
    if (isBeginning) this.#reads.delete(key);
    if (isBeginning) this.#beginnings.set(key, request);
    else if (!this.#beginnings.has(key)) this.#reads.set(key, request);
  }

  /** Queues a request of settlement or withdrawal, which leaves before everything else. */
  insist(request: PlannedRequest): void {
    this.#insisted.push(request);
  }

  /** Insists on cancels of these orders, a batch at a time; those without an id are left out. */
  insistOnCancel(orders: readonly OwnOrder[]): void {
    const most = this.#cancelMost;
    for (let from = 0; from < orders.length; from += most)
      this.insist(cancelOf(orders.slice(from, from + most)));
  }

  /** The same of orders of which only the ids are known. */
  insistOnCancelOfIds(orderIds: readonly OrderId[]): void {
    const most = this.#cancelMost;
    for (let from = 0; from < orderIds.length; from += most)
      this.insist(cancelOfIds(orderIds.slice(from, from + most)));
  }

  /** The request of this id while it is not answered. */
  underWay(requestId: number): VenueRequest | undefined {
    return this.#underWay.of(requestId);
  }

  isBusy(market: MarketId): boolean {
    return this.#underWay.isBusy(market);
  }

  /** Has something queued by {@link insist} not left yet? */
  get isInsisting(): boolean {
    return this.#insisted.length > 0;
  }

  /** Has the venue asked for silence? Queued cancels would wait and grow old. */
  isSilenced(at: Micros): boolean {
    return at < this.#budget.blockedUntil;
  }

  /** When so many calls could have left, if nothing else is sent. */
  leaveBy(calls: number, at: Micros): Micros {
    return this.#budget.leaveBy(calls, at);
  }

  /** Is a trading request queued by {@link insist}, or any at all under way? */
  get isTrading(): boolean {
    return this.isInsisting || this.#underWay.trades;
  }

  /** Is such a read under way or queued? */
  isAsking(kind: ReadRequest['kind']): boolean {
    if (this.#underWay.has(kind)) return true;
    if (this.#reads.size === 0) return false;
    for (const request of this.#reads.values()) if (request.kind === kind) return true;
    return false;
  }

  /** @returns requests to send now, in this order */
  due(at: Micros): readonly SendEffect[] {
    const effects: SendEffect[] = [];
    this.#budget.refill(at);
    while (!this.#isIdle) {
      const next = this.#next(at);
      if (next === null) break;
      const use = next.request.kind === 'read-book' ? 'book' : 'read';
      this.#budget.spend(at, callsOf(next.request, this.#venue.calls), use);
      effects.push(this.#send(next, at));
    }
    return effects;
  }

  /** When {@link due} may have something next; null while nothing waits. */
  nextDue(at: Micros): Micros | null {
    if (this.#isIdle) return null;
    const ready = this.#plans.readyAt(at);
    const cancels = this.#insisted.length > 0 ? at : ready.cancel;
    const [reads, books] = [this.#firstRead, this.#firstBook].map((read) => (read === null ? Infinity : at));
    const next = Math.min(
      cancels === Infinity ? cancels : Math.max(cancels, this.#budget.nextAt(this.#cancelUse, at)),
      reads === Infinity ? reads : this.#budget.nextAt(this.#readUse, at, this.#nextReadCost()),
      books === Infinity ? books : this.#budget.nextAt('book', at),
      this.#beginnings.size > 0 ? this.#budget.nextAt('quote', at) : Infinity,
      ready.quote === Infinity ? ready.quote : Math.max(ready.quote, this.#budget.nextAt('quote', at)),
    );
    return next === Infinity ? null : (next as Micros);
  }

  /** Takes an answer. @returns markets to be planned again */
  answered(answer: Answer, at: Micros): readonly MarketId[] {
    const sent = this.#underWay.answered(answer.requestId);
    if (sent === undefined) return [];
    this.#budget.spend(at, furtherCallsOf(sent.request, answer, this.#venue.calls));
    const failure = answer.outcome.ok ? null : answer.outcome.failure;
    if (failure?.kind === 'refused' && failure.means === 'throttled')
      this.#budget.refused(failure.retryAfterMs ?? this.#policy.throttledMs, at);
    if (failure?.kind === 'refused' && failure.means === 'invalid' && sent.request.kind === 'cancel-orders')
      this.#cancelMost = Math.min(this.#cancelMost, Math.ceil(sent.request.orderIds.length / 2));
    const isFulfilled = answer.outcome.ok && !hasRefusedQuote(answer.outcome.body);
    for (const market of sent.markets) {
      this.#plans.drop(market);
      if (failure !== null) this.pauses.failed(market, 0, at);
      else if (isFulfilled) this.pauses.succeeded(market, at);
    }
    return sent.markets;
  }

  /** Nothing waits, as mostly. */
  get #isIdle(): boolean {
    const reads = this.#reads.size + this.#beginnings.size;
    return this.#insisted.length === 0 && reads === 0 && this.#plans.isEmpty;
  }

  /** A budget that is too small for a cancel is too small for a read or a quote as well. */
  #next(at: Micros): PlannedRequest | null {
    return this.#nextCancel(at) ?? this.#nextRead(at) ?? this.#nextOfQuoting(at) ?? this.#nextBook(at);
  }

  /** Where requests are scarce, books that let markets be quoted come before creates that do not fill a batch. */
  #nextOfQuoting(at: Micros): PlannedRequest | null {
    if (!this.#budget.allows('quote', at)) return null;
    const [beginning] = this.#beginnings.values();
    if (beginning === undefined) return this.#nextQuotes(at);
    const waits = !this.#budget.isScarce || this.#plans.fillsBatch(at);
    return (waits ? this.#nextQuotes(at) : null) ?? this.#taken(beginning);
  }

  #nextCancel(at: Micros): PlannedRequest | null {
    const { isInsisting } = this;
    if (!this.#budget.allows(this.#cancelUse, at)) return null;
    return isInsisting ? this.#insisted.shift()! : this.#plans.next('cancel', at);
  }

  #nextRead(at: Micros): PlannedRequest | null {
    const read = this.#firstRead;
    if (read === null || !this.#budget.allows(this.#readUse, at, this.#nextReadCost())) return null;
    return this.#taken(read);
  }

  #nextBook(at: Micros): PlannedRequest | null {
    const read = this.#firstBook;
    return read !== null && this.#budget.allows('book', at) ? this.#taken(read) : null;
  }

  #taken(request: ReadRequest): PlannedRequest {
    this.#reads.delete(readKey(request));
    this.#beginnings.delete(readKey(request));
    return { request, markets: [], requestId: null, urgency: 0 };
  }

  get #firstRead(): ReadRequest | null {
    const listing = this.#isWithdrawing ? this.#reads.get('read-orders') : undefined;
    if (listing !== undefined) return listing;
    // Books of events that are known come before further events.
    const isAwaited = this.#beginnings.size > 0;
    for (const request of this.#reads.values())
      if (request.kind !== 'read-book' && !(isAwaited && request.kind === 'read-event')) return request;
    return null;
  }

  /** Books wait for what other uses leave. */
  get #firstBook(): ReadRequest | null {
    for (const request of this.#reads.values()) if (request.kind === 'read-book') return request;
    return null;
  }

  #nextReadCost(): number {
    return this.#firstRead === null ? 1 : callsOf(this.#firstRead, this.#venue.calls);
  }

  get #cancelUse(): BudgetUse {
    return this.#isWithdrawing ? 'withdraw' : 'cancel';
  }

  get #readUse(): BudgetUse {
    const isProof = this.#isWithdrawing && this.#firstRead?.kind === 'read-orders';
    return isProof || this.#isLeaving ? 'withdraw' : 'read';
  }

  #nextQuotes(at: Micros): PlannedRequest | null {
    const moves = this.#plans.next('replace', at);
    const creates = this.#nextCreates(at);
    if (moves === null || creates === null) return moves ?? creates;
    const [market] = creates.markets;
    const pace = market === undefined ? null : this.paceOf(market);
    // While orders are rationed, missing quotes and moves take turns: neither waits for ever.
    if (pace !== null && pace.bindsSince(at) !== null) {
      this.#creates = !this.#creates;
      return this.#creates ? creates : moves;
    }
    return moves.urgency >= creates.urgency ? moves : creates;
  }

  #nextCreates(at: Micros): PlannedRequest | null {
    for (;;) {
      const creates = this.#plans.next('create', at);
      const freeAt = creates === null ? 0 : this.#repeats.freeAt(creates.request, at);
      if (creates === null || freeAt <= at) return creates;
      for (const market of creates.markets) this.#plans.hold(market, freeAt);
    }
  }

  #send({ request, markets, requestId, notAfter }: PlannedRequest, at: Micros): SendEffect {
    const id = requestId ?? this.#ids.next();
    this.#repeats.note(request, at);
    for (const { marketId } of ordersOf(request)) this.paceOf(marketId)?.spend(1, at);
    this.#underWay.add(id, request, markets);
    for (const market of markets) this.#plans.drop(market);
    return { kind: 'send', requestId: id, request, deadline: earlier(this.#deadline(request, at), notAfter) };
  }

  #deadline(request: VenueRequest, at: Micros): Micros {
    const quotes = request.kind === 'create-orders' || request.kind === 'replace-orders';
    return (at + 1_000 * (quotes ? this.#policy.quoteLifetimeMs : this.#policy.otherLifetimeMs)) as Micros;
  }
}

const earlier = (deadline: Micros, notAfter: Micros | undefined): Micros =>
  notAfter !== undefined && notAfter < deadline ? notAfter : deadline;

/** Refused items pause their markets by their reactions. */
const hasRefusedQuote = (body: AnswerBody): boolean =>
  (body.kind === 'create-orders' || body.kind === 'replace-orders') && body.items.some((item) => !item.ok);

function readKey(request: ReadRequest): string {
  if (request.kind === 'read-book') return `${request.kind} ${request.marketId} ${request.mode}`;
  return request.kind === 'read-event' ? `${request.kind} ${request.eventId}` : request.kind;
}
