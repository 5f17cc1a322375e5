import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { BatchSizes } from '../../../venues/port.js';
import type { ApprovedPlan } from '../planning/plan.js';
import type { PaceOf } from './order-pace.js';
import { pack, type Phase, phaseOf, type PlannedRequest, type TouchOf } from './packing.js';

/** The newest plan of each market that has something to send, until its turn comes, by what it sends first. */
export class WaitingPlans {
  readonly #plans: Readonly<Record<Phase, Map<MarketId, ApprovedPlan>>> = {
    cancel: new Map(),
    replace: new Map(),
    create: new Map(),
  };
  /** Until when the next request of a plan has to wait. */
  readonly #held = new Map<MarketId, number>();

  constructor(
    private readonly pauses: Pauses,
    private readonly batches: () => BatchSizes,
    private readonly isBusy: (market: MarketId) => boolean,
    private readonly touchOf: TouchOf,
    private readonly paceOf: PaceOf,
  ) {}

  get isEmpty(): boolean {
    const { cancel, replace, create } = this.#plans;
    return cancel.size + replace.size + create.size === 0;
  }

  /** Replaces the waiting plan of the market; an empty plan withdraws it. @returns whether the plan waits now */
  offer(plan: ApprovedPlan): boolean {
    this.drop(plan.marketId);
    const phase = phaseOf(plan);
    if (phase === null) return false;
    this.#plans[phase].set(plan.marketId, plan);
    return true;
  }

  /** Holds the plan back until then; a newer one may leave at once. */
  hold(market: MarketId, until: number): void {
    this.#held.set(market, until);
  }

  drop(market: MarketId): void {
    for (const phase of PHASES) this.#plans[phase].delete(market);
    this.#held.delete(market);
  }

  clear(): void {
    for (const phase of PHASES) this.#plans[phase].clear();
    this.#held.clear();
  }

  /** @returns a batch of the phase filled across the markets that are free, null when there is none */
  next(phase: Phase, at: Micros): PlannedRequest | null {
    const use = phase === 'cancel' ? 'cancel' : 'quote';
    const ready = [...this.#plans[phase].values()].filter((plan) => this.#readyAt(plan, use) <= at);
    if (ready.length === 0) return null;
    const { request, outdated } = pack(ready, phase, this.batches(), this.touchOf, {
      paceOf: this.paceOf,
      at,
    });
    for (const market of outdated) this.drop(market);
    return request;
  }

  /** Whether what is ready to leave moves a quote, or fills a batch of creates. */
  fillsBatch(at: Micros): boolean {
    const { cancel, replace, create } = this.#plans;
    for (const plan of cancel.values()) if (this.#readyAt(plan, 'cancel') <= at) return true;
    for (const plan of replace.values()) if (this.#readyAt(plan, 'quote') <= at) return true;
    const { create: most } = this.batches();
    let creates = 0;
    for (const plan of create.values()) {
      if (this.#readyAt(plan, 'quote') <= at) creates += plan.creates.length;
      if (creates >= most) return true;
    }
    return false;
  }

  /**
   * When a waiting plan of a free market may leave, budget aside: separately for cancels and quotes, which have
   * different budgets. Infinite when none waits.
   */
  readyAt(at: Micros): { readonly cancel: number; readonly quote: number } {
    const { cancel, replace, create } = this.#plans;
    const quote = this.#firstReady(replace, 'quote', at);
    return {
      cancel: this.#firstReady(cancel, 'cancel', at),
      quote: quote <= at ? quote : Math.min(quote, this.#firstReady(create, 'quote', at)),
    };
  }

  /** When the first of these plans may leave. One that may leave by now ends the search: thousands may wait for requests. */
  #firstReady(plans: ReadonlyMap<MarketId, ApprovedPlan>, use: PauseUse, at: Micros): number {
    let first = Infinity;
    for (const plan of plans.values()) {
      const pacedUntil = use === 'quote' ? (this.paceOf(plan.marketId)?.nextAt(at) ?? 0) : 0;
      first = Math.min(first, Math.max(this.#readyAt(plan, use), pacedUntil));
      if (first <= at) return first;
    }
    return first;
  }

  /** Infinite while an answer about the market comes first. */
  #readyAt({ marketId }: ApprovedPlan, use: PauseUse): number {
    if (this.isBusy(marketId)) return Infinity;
    return Math.max(this.pauses.until(marketId, use), this.#held.get(marketId) ?? 0);
  }
}

const PHASES = ['cancel', 'replace', 'create'] as const;
type PauseUse = 'cancel' | 'quote';

export interface PausePolicy {
  /** First pause of a market after a failed request; for its quotes doubled each time in a row up to the last. */
  readonly firstPauseMs: number;
  readonly lastPauseMs: number;
}

interface Pause {
  readonly failures: number;
  readonly cancelsUntil: number;
  readonly quotesUntil: number;
}

/** Markets whose requests failed lately. Cancels go on after the first pause, quotes later each time. */
export class Pauses {
  readonly #policy: PausePolicy;
  readonly #pauses = new Map<MarketId, Pause>();
  #everyoneUntil = 0;

  constructor(policy: PausePolicy) {
    this.#policy = policy;
  }

  /** @param leastMs what the venue's answer asks for */
  failed(market: MarketId, leastMs: number, at: Micros): void {
    const { firstPauseMs, lastPauseMs } = this.#policy;
    const before = this.#pauses.get(market);
    const failures = (before?.failures ?? 0) + 1;
    const pauseMs = Math.max(leastMs, Math.min(lastPauseMs, firstPauseMs * 2 ** (failures - 1)));
    this.#pauses.set(market, {
      failures,
      cancelsUntil: at + firstPauseMs * 1_000,
      quotesUntil: Math.max(before?.quotesUntil ?? 0, at + pauseMs * 1_000),
    });
  }

  /** A request of the market went through. A longer pause from an earlier answer still holds. */
  succeeded(market: MarketId, at: Micros): void {
    const pause = this.#pauses.get(market);
    if (pause !== undefined && pause.quotesUntil <= at) this.#pauses.delete(market);
  }

  /** Ends the pauses of single markets. */
  lift(): void {
    this.#pauses.clear();
  }

  /** Pauses quotes everywhere; cancels are not held up. */
  pauseEveryone(ms: number, at: Micros): void {
    this.#everyoneUntil = Math.max(this.#everyoneUntil, at + ms * 1_000);
  }

  /** When requests of the market may leave again; in the past when they may. */
  until(market: MarketId, use: PauseUse): number {
    const pause = this.#pauses.size === 0 ? undefined : this.#pauses.get(market);
    if (use === 'cancel') return pause?.cancelsUntil ?? 0;
    return Math.max(this.#everyoneUntil, pause?.quotesUntil ?? 0);
  }
}
