import type { LimitOrder } from '../../../domain/orders.js';
import type { Micros, Money } from '../../../domain/units.js';
import type { OwnOrder } from '../orders/own-order.js';

/** An order to be put in the place of one that stands open and unfilled (specification 4.8). */
export interface PlannedReplacement {
  readonly order: OwnOrder;
  readonly to: LimitOrder;
}

/** Why something desired is not asked for yet. */
export type WaitReason =
  /** An own order that it could trade with still works or is being cancelled. */
  | 'crossing'
  /** Shares on its side are still leaving or in doubt; together they would be more than desired. */
  | 'room'
  /** The cash or the shares are still locked. */
  | 'funds'
  /** The order in its place is being processed: the venue takes neither cancel nor update. */
  | 'processing'
  /** The order in its place is younger than the minimum rest time, and leaving it costs nothing. */
  | 'resting';

export interface Waiting {
  readonly order: LimitOrder;
  readonly reason: WaitReason;
}

/**
 * What turns the working orders of one market into the desired ones: cancels first, then replacements, then
 * creates, and what waits for their confirmation.
 */
export interface Plan {
  readonly cancels: readonly OwnOrder[];
  readonly replacements: readonly PlannedReplacement[];
  readonly creates: readonly LimitOrder[];
  readonly waiting: readonly Waiting[];
  /** Orders that the venue has not named yet, if it ever will, and that stand for nothing desired any more. */
  readonly unwanted: readonly OwnOrder[];
  /**
   * Sum over actions of how far the quote is from where it should be, times shares, in money units; doubled where
   * it is bolder than desired, because then somebody else decides when that costs.
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

/** Is there anything to send? */
export const isIdle = (plan: Plan): boolean =>
  plan.cancels.length === 0 && plan.replacements.length === 0 && plan.creates.length === 0;
