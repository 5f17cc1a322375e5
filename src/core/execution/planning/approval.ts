import type { Approved } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';
import type { Money } from '../../../domain/units.js';
import type { OwnOrder } from '../orders/own-order.js';
import type { Plan, PlannedReplacement } from './plan.js';

/**
 * The risk gate as planning needs it. Orders are shown one after the other, and each approved order may fill beside the
 * next. Null is a refusal, which the gate itself has recorded.
 */
export interface Gate {
  create(order: LimitOrder): Approved<LimitOrder> | null;
  replace(to: LimitOrder, replaced: OwnOrder): Approved<OrderReplacement> | null;
}

/** A replacement with what the venue is asked for it. */
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

/** Passes a plan through the gate. An order that may not move to its new place is cancelled at its old one. */
export function approvePlan(marketId: MarketId, plan: Plan, gate: Gate): ApprovedPlan {
  const { unwanted, urgency } = plan;
  const cancels = [...plan.cancels];
  const replacements: ApprovedReplacement[] = [];
  for (const replacement of plan.replacements) {
    const item = gate.replace(replacement.to, replacement.order);
    if (item === null) cancels.push(replacement.order);
    else replacements.push({ ...replacement, item });
  }
  const creates = plan.creates.map((order) => gate.create(order)).filter((order) => order !== null);
  return { marketId, cancels, replacements, creates, unwanted, urgency };
}
