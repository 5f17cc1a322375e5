import type { Approved, TradingRequest, VenueRequest } from '../../domain/effects.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Micros } from '../../domain/units.js';
import { BATCH_MOST } from '../../protocol/limits.js';
import type { ApprovedPlan, ApprovedReplacement } from '../planning/approval.js';
import type { OwnOrder } from '../orders/own-order.js';

/** A market's plan goes out in this order, one kind of request at a time. */
export type Phase = 'cancel' | 'replace' | 'create';

/** The last check, when an order is put into its request: would it still rest in the newest book? */
export type LastCheck = (order: LimitOrder) => boolean;

/** A request ready to leave. */
export interface PlannedRequest {
  readonly request: VenueRequest;
  /** Markets it trades in; each is busy until the answer. */
  readonly markets: readonly MarketId[];
  /** Set for a replay: it must leave under the id it had. */
  readonly requestId: number | null;
  /** Its bytes must not leave later; left out where only the lifetime of its kind bounds that. */
  readonly notAfter?: Micros;
  /** Urgency of what is in it; compares batches with each other. */
  readonly urgency: number;
}

/** @returns what the plan sends first, null when nothing */
export function phaseOf(plan: ApprovedPlan): Phase | null {
  if (plan.cancels.length > 0) return 'cancel';
  if (plan.replacements.length > 0) return 'replace';
  return plan.creates.length > 0 ? 'create' : null;
}

export interface Packed {
  /** Null when nothing is left to send. */
  readonly request: PlannedRequest | null;
  /** Markets whose plan has nothing to send any more: what it was about is over, or the last check dropped it. */
  readonly outdated: readonly MarketId[];
}

/**
 * Fills one batch across markets, the most urgent market first.
 * @param plans     plans in this phase whose markets are free
 * @param mayStand  the last check; an order that fails it is left out and planned again with the next book
 */
export function pack(plans: readonly ApprovedPlan[], phase: Phase, mayStand: LastCheck): Packed {
  const batch = new Batch(phase, mayStand);
  const outdated: MarketId[] = [];
  for (const plan of byUrgency(plans)) if (!batch.isFull && !batch.add(plan)) outdated.push(plan.marketId);
  return { request: batch.request(), outdated };
}

const byUrgency = (plans: readonly ApprovedPlan[]): readonly ApprovedPlan[] =>
  plans.length === 1 ? plans : plans.toSorted((a, b) => b.urgency - a.urgency || a.marketId - b.marketId);

class Batch {
  readonly #markets: MarketId[] = [];
  readonly #orderIds: OrderId[] = [];
  readonly #orders: Approved<LimitOrder>[] = [];
  readonly #replacements: Approved<OrderReplacement>[] = [];
  #urgency = 0;

  constructor(
    readonly phase: Phase,
    readonly mayStand: LastCheck,
  ) {}

  get #size(): number {
    return this.#orderIds.length + this.#orders.length + this.#replacements.length;
  }

  get isFull(): boolean {
    return this.#size >= BATCH_MOST;
  }

  /** @returns whether anything of the plan went in */
  add(plan: ApprovedPlan): boolean {
    const before = this.#size;
    if (this.phase === 'cancel') for (const order of plan.cancels) this.#cancel(order);
    else if (this.phase === 'replace') for (const move of plan.replacements) this.#replace(move);
    else for (const order of plan.creates) this.#create(order);
    if (this.#size === before) return false;
    this.#markets.push(plan.marketId);
    this.#urgency += plan.urgency;
    return true;
  }

  request(): PlannedRequest | null {
    if (this.#size === 0) return null;
    return { request: this.#body(), markets: this.#markets, requestId: null, urgency: this.#urgency };
  }

  #cancel(order: OwnOrder): void {
    const stands = order.state === 'live' || order.state === 'unknown';
    if (stands && order.orderId !== null && !this.isFull) this.#orderIds.push(order.orderId);
  }

  /** The order may have traded since the plan was made; then only a cancel can move it. */
  #replace({ order, to, item }: ApprovedReplacement): void {
    const movable = order.state === 'live' && order.stage === 'open' && order.filled === 0;
    if (movable && !this.isFull && this.mayStand(to)) this.#replacements.push(item);
  }

  #create(order: Approved<LimitOrder>): void {
    if (!this.isFull && this.mayStand(order)) this.#orders.push(order);
  }

  #body(): TradingRequest {
    if (this.phase === 'cancel') return { kind: 'cancel-orders', orderIds: this.#orderIds };
    if (this.phase === 'replace') return { kind: 'replace-orders', replacements: this.#replacements };
    return { kind: 'create-orders', orders: this.#orders };
  }
}
