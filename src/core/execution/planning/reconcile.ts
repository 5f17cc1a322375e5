/**
 * Desired against working, one market at a time, pure. Three things must hold at every moment in between, whatever
 * fills and in whatever order confirmations come: own orders can never trade with each other, a side never has more
 * shares that may fill than are desired or were there before, and nothing is sold or spent twice.
 */
import type { LimitOrder } from '../../../domain/orders.js';
import type { OwnOrder } from '../orders/own-order.js';
import type { Plan } from './plan.js';
import { PlanDraft, type ReconcileMarket, type ReconcilePolicy } from './plan-draft.js';
import { shiftSides } from './side-shift.js';

export type { ReconcileMarket, ReconcilePolicy } from './plan-draft.js';

/** Plans are made one after the other; nothing of one is left in the next but the memory that it took. */
const DRAFT = new PlanDraft();

/**
 * @param desired  what should stand, in the currency of the market, with one expiry, bids of the book before asks, best
 *                 first; never crossing itself
 * @param working  every order of the account in this market that is not done, foreign ones included
 * @returns what to send now, and what waits; {@link NO_PLAN} when everything stands as it should
 */
export const reconcile = (
  desired: readonly LimitOrder[],
  working: readonly OwnOrder[],
  market: ReconcileMarket,
  policy: ReconcilePolicy,
): Plan => {
  const source = { desired, working, market, policy };
  return shiftSides(source) ?? DRAFT.plan(source);
};
