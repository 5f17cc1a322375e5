import type { Approved } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import type { Money } from '../../domain/units.js';
import type { OwnOrder } from '../orders/own-order.js';
import { isIdle, type Plan, type PlannedReplacement } from './plan.js';

const NONE: readonly never[] = [];

/**
 * The risk gate as this room needs it; null is a refusal, which the gate itself has recorded. Orders are shown to it
 * one after the other, and each one approved may fill beside the next.
 */
export interface Gate {
  create(order: LimitOrder): Approved<LimitOrder> | null;
  replace(to: LimitOrder, replaced: OwnOrder): Approved<OrderReplacement> | null;
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
  /** See {@link Plan.unwanted}: what of it was lost is not sent again. */
  readonly unwanted: readonly OwnOrder[];
  readonly urgency: Money;
}

/** Passes a plan through the gate. An order that may not move to its new place is not wanted at its old one either. */
export function approvePlan(marketId: MarketId, plan: Plan, gate: Gate): ApprovedPlan {
  const { unwanted, urgency } = plan;
  if (isIdle(plan)) return { marketId, cancels: NONE, replacements: NONE, creates: NONE, unwanted, urgency };
  const cancels = [...plan.cancels];
  const replacements: ApprovedReplacement[] = [];
  for (const { order, to, urgency } of plan.replacements) {
    const item = gate.replace(to, order);
    if (item === null) cancels.push(order);
    else replacements.push({ order, to, urgency, item });
  }
  const creates: Approved<LimitOrder>[] = [];
  for (const order of plan.creates) {
    const item = gate.create(order);
    if (item !== null) creates.push(item);
  }
  return { marketId, cancels, replacements, creates, unwanted, urgency };
}
