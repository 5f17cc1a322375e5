import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { ApprovedPlan } from '../planning/approval.js';
import { type LastCheck, type Phase, type PlannedRequest, pack, phaseOf } from './packing.js';
import type { Pauses } from './pauses.js';

/** The newest plan of each market that has something to send, until its turn comes. */
export class WaitingPlans {
  readonly #plans = new Map<MarketId, ApprovedPlan>();
  /** Plans of which the next request has to wait, until when. */
  readonly #held = new Map<MarketId, number>();
  readonly #pauses: Pauses;
  readonly #isBusy: (market: MarketId) => boolean;
  readonly #mayStand: LastCheck;

  constructor(pauses: Pauses, isBusy: (market: MarketId) => boolean, mayStand: LastCheck) {
    this.#pauses = pauses;
    this.#isBusy = isBusy;
    this.#mayStand = mayStand;
  }

  get isEmpty(): boolean {
    return this.#plans.size === 0;
  }

  /** The newest wins; an empty one withdraws the one before. */
  offer(plan: ApprovedPlan): void {
    this.#held.delete(plan.marketId);
    if (phaseOf(plan) === null) this.#plans.delete(plan.marketId);
    else this.#plans.set(plan.marketId, plan);
  }

  /** Keeps the plan as it is back until then; a newer one may leave at once. */
  hold(market: MarketId, until: number): void {
    this.#held.set(market, until);
  }

  drop(market: MarketId): void {
    this.#plans.delete(market);
    this.#held.delete(market);
  }

  clear(): void {
    this.#plans.clear();
    this.#held.clear();
  }

  /** @returns a batch of the phase filled across the markets that are free, null when there is none */
  next(phase: Phase, at: Micros): PlannedRequest | null {
    if (this.#plans.size === 0) return null;
    const ready: ApprovedPlan[] = [];
    for (const plan of this.#plans.values())
      if (phaseOf(plan) === phase && !this.#isBusy(plan.marketId) && this.#pausedUntil(plan) <= at)
        ready.push(plan);
    if (ready.length === 0) return null;
    const { request, outdated } = pack(ready, phase, this.#mayStand);
    for (const market of outdated) this.drop(market);
    return request;
  }

  /**
   * When a waiting plan of a free market may leave, budget aside: separately for cancels and quotes, which have
   * different budgets. Infinite when none waits.
   */
  readyAt(): { readonly cancel: number; readonly quote: number } {
    const ready = { cancel: Infinity, quote: Infinity };
    for (const plan of this.#plans.values()) {
      if (this.#isBusy(plan.marketId)) continue;
      const use = useOf(plan);
      ready[use] = Math.min(ready[use], this.#pausedUntil(plan));
    }
    return ready;
  }

  #pausedUntil(plan: ApprovedPlan): number {
    const held = this.#held.get(plan.marketId) ?? 0;
    return Math.max(held, this.#pauses.until(plan.marketId, useOf(plan)));
  }
}

const useOf = (plan: ApprovedPlan): 'cancel' | 'quote' => (phaseOf(plan) === 'cancel' ? 'cancel' : 'quote');
