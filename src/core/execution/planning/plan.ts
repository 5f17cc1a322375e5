import type { Approved } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../domain/orders.js';
import type { Micros, Money } from '../../../domain/units.js';
import type { OwnOrder } from '../orders/own-order.js';

/** An open, unfilled order and the order that an update puts in its place. */
export interface PlannedReplacement {
  readonly order: OwnOrder;
  readonly to: LimitOrder;
}

/** Why a desired order is not asked for yet. */
export type WaitReason =
  /** It could trade with an own order that still works or is being cancelled. */
  | 'crossing'
  /** Shares on its side are still leaving or in doubt; together they would exceed what is desired. */
  | 'room'
  /** The cash or the shares are still locked. */
  | 'funds'
  /** The order in its place is being processed: the venue accepts neither cancel nor update. */
  | 'processing'
  /** The order in its place is younger than the minimum rest time, and leaving it costs nothing. */
  | 'resting'
  /** It can only be moved by a cancel and a create, and no create may leave now. */
  | 'paced';

export interface Waiting {
  readonly order: LimitOrder;
  readonly reason: WaitReason;
}

/** What turns the working orders of one market into the desired ones: cancels first, then replacements, then creates. */
export interface Plan {
  readonly cancels: readonly OwnOrder[];
  readonly replacements: readonly PlannedReplacement[];
  readonly creates: readonly LimitOrder[];
  /** Desired orders that have to wait, for example for a confirmation. */
  readonly waiting: readonly Waiting[];
  /** Orders without an id that stand for nothing desired any more. */
  readonly unwanted: readonly OwnOrder[];
  /**
   * Sum over actions of the distance to the desired price times shares, in money units. It is doubled where the quote is
   * bolder than desired, because then somebody else decides when that costs.
   */
  readonly urgency: Money;
  /** When an order left alone for its rest time may move; null when none is. */
  readonly restsUntil: Micros | null;
}

/** Nothing to do: shared, frozen. */
export const NO_PLAN: Plan = Object.freeze({
  cancels: [],
  replacements: [],
  creates: [],
  waiting: [],
  unwanted: [],
  urgency: 0 as Money,
  restsUntil: null,
});

/** Is there nothing to send? */
export const isIdle = (plan: Plan): boolean =>
  plan.cancels.length === 0 && plan.replacements.length === 0 && plan.creates.length === 0;

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
  /** Cancels only reduce what can happen and need no approval. */
  readonly cancels: readonly OwnOrder[];
  readonly replacements: readonly ApprovedReplacement[];
  readonly creates: readonly Approved<LimitOrder>[];
  /** See {@link Plan.unwanted}: a lost create among them is not sent again. */
  readonly unwanted: readonly OwnOrder[];
  readonly urgency: Money;
}

/** Passes a plan through the gate. An order that may not move to its new place is cancelled at its old one. */
export function approvePlan(marketId: MarketId, plan: Plan, gate: Gate): ApprovedPlan {
  const { unwanted, urgency } = plan;
  const cancels = [...plan.cancels];
  const replacements: ApprovedReplacement[] = [];
  for (const { order, to } of plan.replacements) {
    const item = gate.replace(to, order);
    if (item === null) cancels.push(order);
    else replacements.push({ order, to, item });
  }
  const creates = plan.creates.map((order) => gate.create(order)).filter((order) => order !== null);
  return { marketId, cancels, replacements, creates, unwanted, urgency };
}
