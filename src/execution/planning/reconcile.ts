/**
 * Desired against working, one market at a time, pure. Three things must hold at every moment in between, whatever
 * fills and in whatever order confirmations come: own orders can never trade with each other, a side never has more
 * shares that may fill than are desired or were there before, and nothing is sold or spent twice.
 */
import type { LimitOrder } from '../../domain/orders.js';
import type { OwnOrder } from '../orders/own-order.js';
import { type Pairing, pair } from './pairing.js';
import { NO_PLAN, type Plan } from './plan.js';
import { PlanDraft, type ReconcileMarket, type ReconcilePolicy } from './plan-draft.js';

export type { ReconcileMarket, ReconcilePolicy } from './plan-draft.js';

/**
 * @param desired  what should stand, bids of the book before asks, best first; never crossing itself
 * @param working  every order of the account in this market that is not done, foreign ones included
 * @returns what to send now, and what waits; {@link NO_PLAN} when everything stands as it should
 */
export function reconcile(
  desired: readonly LimitOrder[],
  working: readonly OwnOrder[],
  market: ReconcileMarket,
  policy: ReconcilePolicy,
): Plan {
  const pairing = pair(desired, working, policy, market.now);
  if (isSettled(pairing, working)) return NO_PLAN;
  const draft = new PlanDraft({ desired, working, pairing, market, policy });
  draft.moveOrCancel();
  draft.create();
  return draft.plan();
}

function isSettled({ workingOf, desiredOf }: Pairing, working: readonly OwnOrder[]): boolean {
  for (const w of workingOf) if (w === -1) return false;
  for (let w = 0; w < working.length; w += 1)
    if (desiredOf[w] === -1 && working[w]!.ownership === 'ours') return false;
  return true;
}
