import type { Approved } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';
import type { PlanSpan } from '../../../domain/plan-span.js';
import type { Money } from '../../../domain/units.js';
import type { OwnOrder } from '../orders/own-order.js';
import { isIdle, type Plan, type PlannedReplacement } from './plan.js';

const NONE: readonly never[] = [];

/** What the gate made of a plan. */
interface ApprovedOrders {
  /** One a replacement, in the plan's order. */
  readonly replacements: readonly Approved<OrderReplacement>[];
  readonly creates: readonly Approved<LimitOrder>[];
  readonly span: PlanSpan;
}

/**
 * The risk gate as this room needs it. A plan is shown to it as a whole; null says that not all of it passes. Then its
 * orders are shown one after the other, each one approved may fill beside the next, and null is a refusal, which the
 * gate itself has recorded.
 */
export interface Gate {
  together(plan: Plan): ApprovedOrders | null;
  create(order: LimitOrder): Approved<LimitOrder> | null;
  replace(to: LimitOrder, replaced: OwnOrder): Approved<OrderReplacement> | null;
}

/** What may be sent for one market. */
export interface ApprovedPlan {
  readonly marketId: MarketId;
  /** They only ever reduce what can happen and need no approval. */
  readonly cancels: readonly OwnOrder[];
  readonly replacements: readonly PlannedReplacement[];
  /** What is asked for each of them, in the same order. */
  readonly items: readonly Approved<OrderReplacement>[];
  readonly creates: readonly Approved<LimitOrder>[];
  /** Where replacements and creates lie; null: they did not pass as a whole. */
  readonly span: PlanSpan | null;
  /** See {@link Plan.unwanted}: what of it was lost is not sent again. */
  readonly unwanted: readonly OwnOrder[];
  readonly urgency: Money;
}

/** Passes a plan through the gate. An order that may not move to its new place is not wanted at its old one either. */
export function approvePlan(marketId: MarketId, plan: Plan, gate: Gate): ApprovedPlan {
  const { cancels, replacements, unwanted, urgency } = plan;
  if (isIdle(plan))
    return {
      marketId,
      cancels: NONE,
      replacements: NONE,
      items: NONE,
      creates: NONE,
      span: null,
      unwanted,
      urgency,
    };
  const approved = gate.together(plan);
  if (approved === null) return approveEach(marketId, plan, gate);
  const { replacements: items, creates, span } = approved;
  return { marketId, cancels, replacements, items, creates, span, unwanted, urgency };
}

function approveEach(marketId: MarketId, plan: Plan, gate: Gate): ApprovedPlan {
  const { unwanted, urgency } = plan;
  const cancels = [...plan.cancels];
  const replacements: PlannedReplacement[] = [];
  const items: Approved<OrderReplacement>[] = [];
  for (const replacement of plan.replacements) {
    const item = gate.replace(replacement.to, replacement.order);
    if (item === null) {
      cancels.push(replacement.order);
      continue;
    }
    replacements.push(replacement);
    items.push(item);
  }
  const creates: Approved<LimitOrder>[] = [];
  for (const order of plan.creates) {
    const item = gate.create(order);
    if (item !== null) creates.push(item);
  }
  return { marketId, cancels, replacements, items, creates, span: null, unwanted, urgency };
}
