import type { ReadRequest, SendEffect, VenueRequest } from '../../../domain/effects.js';
import type { MarketId, OrderId } from '../../../domain/ids.js';
import type { Answer, AnswerBody } from '../../../domain/answers.js';
import type { Micros } from '../../../domain/units.js';
import type { RequestProfile } from '../../../venues/port.js';
import type { OwnOrder } from '../orders/own-order.js';
import type { ApprovedPlan } from '../planning/plan.js';
import type { RequestBudget } from './budget.js';
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
  readonly #insisted: PlannedRequest[] = [];
  readonly #underWay = new UnderWay();
  readonly #repeats: Repeats;

  constructor(
    budget: RequestBudget,
    ids: RequestIds,
    venue: RequestProfile,
    policy: SchedulerPolicy,
    touchOf: TouchOf,
  ) {
    this.#budget = budget;
    this.#ids = ids;
    this.#venue = venue;
    this.#policy = policy;
    this.pauses = new Pauses(policy);
    const { copiesRefusedMs } = venue.orders;
    this.#repeats = new Repeats(copiesRefusedMs === 0 ? 0 : copiesRefusedMs + COPY_MARGIN_MS);
    this.#plans = new WaitingPlans(
      this.pauses,
      venue.batches,
      (market) => this.#underWay.isBusy(market),
      touchOf,
    );
  }

  /** The newest plan of a market; an empty one withdraws the one before. */
  offer(plan: ApprovedPlan): void {
    this.#plans.offer(plan);
  }

  /** Forgets every waiting plan. */
  clearPlans(): void {
    this.#plans.clear();
  }

  /** How many more reads of books can leave now; one may always wait for its turn. */
  booksWanted(at: Micros): number {
    this.#budget.refill(at);
    let waiting = 0;
    for (const { kind } of this.#reads.values()) if (kind === 'read-book') waiting += 1;
    return Math.max(1, this.#budget.spare('book')) - waiting;
  }

  /** Queues a read; the same read is not queued twice. */
  read(request: ReadRequest): void {
    this.#reads.set(readKey(request), request);
  }

  /** Queues a request of settlement or withdrawal, which leaves before everything else. */
  insist(request: PlannedRequest): void {
    this.#insisted.push(request);
  }

  /** Insists on cancels of these orders, a batch at a time; those without an id are left out. */
  insistOnCancel(orders: readonly OwnOrder[]): void {
    const most = this.#venue.batches.cancel;
    for (let from = 0; from < orders.length; from += most)
      this.insist(cancelOf(orders.slice(from, from + most)));
  }

  /** The same of orders of which only the ids are known. */
  insistOnCancelOfIds(orderIds: readonly OrderId[]): void {
    const most = this.#venue.batches.cancel;
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
    const ready = this.#plans.readyAt();
    const cancels = this.#insisted.length > 0 ? at : ready.cancel;
    const [reads, books] = [this.#firstRead, this.#firstBook].map((read) => (read === null ? Infinity : at));
    const next = Math.min(
      cancels === Infinity ? cancels : Math.max(cancels, this.#budget.nextAt('cancel', at)),
      reads === Infinity ? reads : this.#budget.nextAt('read', at, this.#nextReadCost()),
      books === Infinity ? books : this.#budget.nextAt('book', at),
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
    return this.#insisted.length === 0 && this.#reads.size === 0 && this.#plans.isEmpty;
  }

  /** A budget that is too small for a cancel is too small for a read or a quote as well. */
  #next(at: Micros): PlannedRequest | null {
    return this.#nextCancel(at) ?? this.#nextRead(at) ?? this.#nextQuotes(at) ?? this.#nextBook(at);
  }

  #nextCancel(at: Micros): PlannedRequest | null {
    const { isInsisting } = this;
    if (!this.#budget.allows('cancel', at)) return null;
    return isInsisting ? this.#insisted.shift()! : this.#plans.next('cancel', at);
  }

  #nextRead(at: Micros): PlannedRequest | null {
    const read = this.#firstRead;
    return read !== null && this.#budget.allows('read', at, this.#nextReadCost()) ? this.#taken(read) : null;
  }

  #nextBook(at: Micros): PlannedRequest | null {
    const read = this.#firstBook;
    return read !== null && this.#budget.allows('book', at) ? this.#taken(read) : null;
  }

  #taken(request: ReadRequest): PlannedRequest {
    this.#reads.delete(readKey(request));
    return { request, markets: [], requestId: null, urgency: 0 };
  }

  get #firstRead(): ReadRequest | null {
    for (const request of this.#reads.values()) if (request.kind !== 'read-book') return request;
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

  #nextQuotes(at: Micros): PlannedRequest | null {
    if (!this.#budget.allows('quote', at)) return null;
    const moves = this.#plans.next('replace', at);
    const creates = this.#nextCreates(at);
    if (moves === null || creates === null) return moves ?? creates;
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
