import type { Approved } from '../domain/effects.js';
import type { MarketId } from '../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../domain/orders.js';
import type { Money } from '../domain/units.js';
import type { OwnOrder } from './own-order.js';
import type { Plan, PlannedReplacement } from './plan.js';

/**
 * The risk gate as this room needs it; null is a refusal, which the gate itself has recorded. `beside` are orders
 * already approved together with this one: nobody counts them yet, and all of them may fill.
 */
export interface Gate {
  create(order: LimitOrder, beside: readonly LimitOrder[]): Approved<LimitOrder> | null;
  replace(
    to: LimitOrder,
    replaced: OwnOrder,
    beside: readonly LimitOrder[],
  ): Approved<OrderReplacement> | null;
}

export interface ApprovedReplacement extends PlannedReplacement {
  readonly item: Approved<OrderReplacement>;
}

/** What may be sent for one market. */
export interface ApprovedPlan {
  readonly marketId: MarketId;
  /** They only ever reduce what can happen and need no approval. */
  readonly cancels: readonly OwnOrder[];
  readonly replacements: readonly ApprovedReplacement[];
  readonly creates: readonly Approved<LimitOrder>[];
  readonly urgency: Money;
}

/** Passes a plan through the gate. An order that may not move to its new place is not wanted at its old one either. */
export function approvePlan(marketId: MarketId, plan: Plan, gate: Gate): ApprovedPlan {
  const cancels = [...plan.cancels];
  const replacements: ApprovedReplacement[] = [];
  const beside: LimitOrder[] = [];
  for (const planned of plan.replacements) {
    const item = gate.replace(planned.to, planned.order, beside);
    if (item === null) cancels.push(planned.order);
    else {
      replacements.push({ ...planned, item });
      beside.push(planned.to);
    }
  }
  const creates: Approved<LimitOrder>[] = [];
  for (const order of plan.creates) {
    const item = gate.create(order, beside);
    if (item === null) continue;
    creates.push(item);
    beside.push(item);
  }
  return { marketId, cancels, replacements, creates, urgency: plan.urgency };
}
