import type { ReadRequest, SendEffect, VenueRequest } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import type { Answer } from '../domain/inputs.js';
import type { LimitOrder } from '../domain/orders.js';
import type { Micros } from '../domain/units.js';
import type { ApprovedPlan } from './approval.js';
import type { BudgetUse, RequestBudget } from './budget.js';
import type { RequestIds } from './keys.js';
import { type Phase, type PlannedRequest, pack, phaseOf } from './packing.js';

export interface SchedulerPolicy {
  /** How long after its decision a create or update may still leave. */
  readonly quoteLifetimeMs: number;
  /** The same for cancels and reads. */
  readonly otherLifetimeMs: number;
  /** First pause of a market's quotes after a failed request; doubled each time up to the last. */
  readonly firstPauseMs: number;
  readonly lastPauseMs: number;
  /** Pause after a 429 that does not say how long. */
  readonly throttledMs: number;
}

interface UnderWay {
  readonly markets: readonly MarketId[];
  readonly request: VenueRequest;
}

/** A market whose last request failed: its cancels may go on after the first pause, its quotes later each time. */
interface Pause {
  readonly failures: number;
  readonly cancelsUntil: Micros;
  readonly quotesUntil: Micros;
}

/** What the answer to one of our requests frees. */
export interface Freed {
  /** Markets whose plans are to be made again: what they were made from has changed. */
  readonly markets: readonly MarketId[];
}

const NOTHING_FREED: Freed = { markets: [] };

/**
 * Decides what leaves when. All markets share one budget; the newest plan of a market replaces the one before; a
 * market has at most one trading request under way; batches are filled across markets, the most urgent first.
 */
export class Scheduler {
  readonly #budget: RequestBudget;
  readonly #ids: RequestIds;
  readonly #policy: SchedulerPolicy;
  readonly #mayStand: (order: LimitOrder) => boolean;
  readonly #plans = new Map<MarketId, ApprovedPlan>();
  readonly #reads = new Map<string, ReadRequest>();
  readonly #underWay = new Map<number, UnderWay>();
  readonly #busy = new Set<MarketId>();
  readonly #pauses = new Map<MarketId, Pause>();
  readonly #urgent: PlannedRequest[] = [];

  /** @param mayStand the last check against the newest book, when an order is put into its request */
  constructor(
    budget: RequestBudget,
    ids: RequestIds,
    policy: SchedulerPolicy,
    mayStand: (order: LimitOrder) => boolean,
  ) {
    this.#budget = budget;
    this.#ids = ids;
    this.#policy = policy;
    this.#mayStand = mayStand;
  }

  /** The newest plan of a market; an empty one withdraws the one before. */
  offer(plan: ApprovedPlan): void {
    if (phaseOf(plan) === null) this.#plans.delete(plan.marketId);
    else this.#plans.set(plan.marketId, plan);
  }

  /** Asks the venue something as soon as the budget allows; the same question is not queued twice. */
  read(request: ReadRequest): void {
    this.#reads.set(readKey(request), request);
  }

  /** A request that no plan carries (settlement, shutdown): leaves before everything else, whatever is under way. */
  insist(request: PlannedRequest): void {
    this.#urgent.push(request);
  }

  isBusy(marketId: MarketId): boolean {
    return this.#busy.has(marketId);
  }

  /** Is any request of the kind under way or queued? */
  isAsking(kind: ReadRequest['kind']): boolean {
    for (const { request } of this.#underWay.values()) if (request.kind === kind) return true;
    for (const request of this.#reads.values()) if (request.kind === kind) return true;
    return false;
  }

  /** @returns requests to send now, in this order */
  due(at: Micros): readonly SendEffect[] {
    const effects: SendEffect[] = [];
    for (let next = this.#next(at); next !== null; next = this.#next(at)) {
      this.#budget.spend(at);
      effects.push(this.#send(next, at));
    }
    return effects;
  }

  /** When {@link due} may have something next; null while nothing waits. */
  nextDue(at: Micros): Micros | null {
    let next = Infinity;
    if (this.#urgent.length > 0) next = this.#budget.nextAt('cancel', at);
    if (this.#reads.size > 0) next = Math.min(next, this.#budget.nextAt('read', at));
    for (const plan of this.#plans.values()) next = Math.min(next, this.#readyAt(plan, at));
    return next === Infinity ? null : (next as Micros);
  }

  /** An answer came. @returns what it frees */
  answered(answer: Answer, at: Micros): Freed {
    const underWay = this.#underWay.get(answer.requestId);
    if (underWay === undefined) return NOTHING_FREED;
    this.#underWay.delete(answer.requestId);
    const failure = answer.outcome.ok ? null : answer.outcome.failure;
    if (failure?.kind === 'refused' && failure.status === 429)
      this.#budget.refused(failure.retryAfterMs ?? this.#policy.throttledMs, at);
    for (const market of underWay.markets) this.#free(market, failure !== null, at);
    return underWay;
  }

  #free(market: MarketId, failed: boolean, at: Micros): void {
    this.#busy.delete(market);
    this.#plans.delete(market);
    if (failed) this.#pause(market, at);
    else this.#pauses.delete(market);
  }

  #pause(market: MarketId, at: Micros): void {
    const failures = (this.#pauses.get(market)?.failures ?? 0) + 1;
    const { firstPauseMs, lastPauseMs } = this.#policy;
    const pauseMs = Math.min(lastPauseMs, firstPauseMs * 2 ** (failures - 1));
    const cancelsUntil = (at + firstPauseMs * 1_000) as Micros;
    this.#pauses.set(market, { failures, cancelsUntil, quotesUntil: (at + pauseMs * 1_000) as Micros });
  }

  #next(at: Micros): PlannedRequest | null {
    return (
      this.#nextUrgent(at) ?? this.#nextBatch('cancel', at) ?? this.#nextRead(at) ?? this.#nextQuotes(at)
    );
  }

  #nextUrgent(at: Micros): PlannedRequest | null {
    if (this.#urgent.length === 0 || !this.#budget.allows('cancel', at)) return null;
    return this.#urgent.shift() ?? null;
  }

  #nextRead(at: Micros): PlannedRequest | null {
    for (const [key, request] of this.#reads) {
      if (!this.#budget.allows('read', at)) return null;
      this.#reads.delete(key);
      return { request, markets: [], requestId: null, urgency: 0 };
    }
    return null;
  }

  #nextQuotes(at: Micros): PlannedRequest | null {
    if (!this.#budget.allows('quote', at)) return null;
    const moves = this.#nextBatch('replace', at);
    const creates = this.#nextBatch('create', at);
    if (moves === null || creates === null) return moves ?? creates;
    return moves.urgency >= creates.urgency ? moves : creates;
  }

  #nextBatch(phase: Phase, at: Micros): PlannedRequest | null {
    if (phase === 'cancel' && !this.#budget.allows('cancel', at)) return null;
    const ready = [...this.#plans.values()].filter(
      (plan) => phaseOf(plan) === phase && this.#isReady(plan, at),
    );
    const { request, outdated } = pack(ready, phase, this.#mayStand);
    for (const market of outdated) this.#plans.delete(market);
    return request;
  }

  #isReady(plan: ApprovedPlan, at: Micros): boolean {
    return !this.#busy.has(plan.marketId) && this.#pausedUntil(plan) <= at;
  }

  #pausedUntil(plan: ApprovedPlan): number {
    const pause = this.#pauses.get(plan.marketId);
    if (pause === undefined) return 0;
    return phaseOf(plan) === 'cancel' ? pause.cancelsUntil : pause.quotesUntil;
  }

  #readyAt(plan: ApprovedPlan, at: Micros): number {
    if (this.#busy.has(plan.marketId)) return Infinity;
    const use: BudgetUse = phaseOf(plan) === 'cancel' ? 'cancel' : 'quote';
    return Math.max(this.#budget.nextAt(use, at), this.#pausedUntil(plan));
  }

  #send({ request, markets, requestId }: PlannedRequest, at: Micros): SendEffect {
    const id = requestId ?? this.#ids.next();
    this.#underWay.set(id, { request, markets });
    for (const market of markets) {
      this.#busy.add(market);
      this.#plans.delete(market);
    }
    return { kind: 'send', requestId: id, request, deadline: this.#deadline(request, at) };
  }

  #deadline(request: VenueRequest, at: Micros): Micros {
    const quotes = request.kind === 'create-orders' || request.kind === 'replace-orders';
    return (at + 1_000 * (quotes ? this.#policy.quoteLifetimeMs : this.#policy.otherLifetimeMs)) as Micros;
  }
}

function readKey(request: ReadRequest): string {
  if (request.kind === 'read-book') return `${request.kind} ${request.marketId} ${request.mode}`;
  return request.kind === 'read-event' ? `${request.kind} ${request.eventId}` : request.kind;
}
