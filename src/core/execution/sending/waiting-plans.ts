import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { ApprovedPlan } from '../planning/plan.js';
import { type Phase, type PlannedRequest, type TouchOf, pack, phaseOf } from './packing.js';
import type { Pauses } from './pauses.js';

/** The newest plan of each market that has something to send, until its turn comes. */
export class WaitingPlans {
  /** By what each sends first, in no order: mostly a plan waits alone, and a table that is emptied each time is made anew. */
  readonly #plans: Readonly<Record<Phase, ApprovedPlan[]>> = { cancel: [], replace: [], create: [] };
  readonly #lists: readonly ApprovedPlan[][] = Object.values(this.#plans);
  /** How many wait. */
  #count = 0;
  /** Plans of which the next request has to wait, until when. */
  readonly #held = new Map<MarketId, number>();
  readonly #pauses: Pauses;
  readonly #isBusy: (market: MarketId) => boolean;
  readonly #touchOf: TouchOf;

  constructor(pauses: Pauses, isBusy: (market: MarketId) => boolean, touchOf: TouchOf) {
    this.#pauses = pauses;
    this.#isBusy = isBusy;
    this.#touchOf = touchOf;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether a plan waits that sends this first. */
  has(phase: Phase): boolean {
    return this.#in(phase).length > 0;
  }

  /** The newest wins; an empty one withdraws the one before. @returns whether it waits now */
  offer(plan: ApprovedPlan): boolean {
    this.drop(plan.marketId);
    const phase = phaseOf(plan);
    if (phase === null) return false;
    this.#in(phase).push(plan);
    this.#count += 1;
    return true;
  }

  /** Keeps the plan as it is back until then; a newer one may leave at once. */
  hold(market: MarketId, until: number): void {
    this.#held.set(market, until);
  }

  drop(market: MarketId): void {
    if (this.#count === 0) return;
    for (const plans of this.#lists) if (isTaken(plans, market)) this.#count -= 1;
    if (this.#held.size > 0) this.#held.delete(market);
  }

  clear(): void {
    for (const plans of this.#lists) plans.length = 0;
    this.#count = 0;
    this.#held.clear();
  }

  /** @returns a batch of the phase filled across the markets that are free, null when there is none */
  next(phase: Phase, at: Micros): PlannedRequest | null {
    const plans = this.#in(phase);
    if (plans.length === 0) return null;
    const ready = this.#ready(plans, useOf(phase), at);
    if (ready.length === 0) return null;
    const { request, outdated } = pack(ready, phase, this.#touchOf);
    for (const market of outdated) this.drop(market);
    return request;
  }

  /**
   * When a waiting plan of a free market may leave, budget aside: separately for cancels and quotes, which have
   * different budgets. Infinite when none waits.
   */
  readyAt(): { readonly cancel: number; readonly quote: number } {
    const quote = Math.min(this.#readyAt('replace'), this.#readyAt('create'));
    return { cancel: this.#readyAt('cancel'), quote };
  }

  // Written out: a member that is named by a value is looked up in a table, three times whenever something may leave.
  #in(phase: Phase): ApprovedPlan[] {
    const { cancel, replace, create } = this.#plans;
    if (phase === 'replace') return replace;
    return phase === 'cancel' ? cancel : create;
  }

  /** @returns the same list where all of them are */
  #ready(plans: readonly ApprovedPlan[], use: Use, at: Micros): readonly ApprovedPlan[] {
    const isReady = (plan: ApprovedPlan): boolean =>
      !this.#isBusy(plan.marketId) && this.#pausedUntil(plan, use) <= at;
    return plans.every(isReady) ? plans : plans.filter(isReady);
  }

  #readyAt(phase: Phase): number {
    let ready = Infinity;
    const use = useOf(phase);
    for (const plan of this.#in(phase))
      if (!this.#isBusy(plan.marketId)) ready = Math.min(ready, this.#pausedUntil(plan, use));
    return ready;
  }

  #pausedUntil({ marketId }: ApprovedPlan, use: Use): number {
    const paused = this.#pauses.until(marketId, use);
    return this.#held.size === 0 ? paused : Math.max(paused, this.#held.get(marketId) ?? 0);
  }
}

type Use = 'cancel' | 'quote';
const useOf = (phase: Phase): Use => (phase === 'cancel' ? 'cancel' : 'quote');

/** Takes out the plan of a market. @returns whether there was one */
function isTaken(plans: ApprovedPlan[], market: MarketId): boolean {
  const place = plans.findIndex(({ marketId }) => marketId === market);
  if (place < 0) return false;
  const last = plans.pop()!;
  if (place < plans.length) plans[place] = last;
  return true;
}
