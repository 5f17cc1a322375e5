import type { Approved } from '../domain/effects.js';
import type { LimitOrder } from '../domain/orders.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';
import type { OrderProposal, Refusal, RiskRule, RiskView } from './rule.js';
import { eventLoss } from './rules/event-loss.js';
import { orderRate } from './rules/order-rate.js';
import { orderSize } from './rules/order-size.js';
import { positionLimit } from './rules/position-limit.js';
import { priceCollar } from './rules/price-collar.js';

/** The controls of one instance, cheap ones first. */
export function rulesOf(limits: RiskLimits): readonly RiskRule[] {
  return [
    orderSize(limits),
    orderRate(limits),
    priceCollar(limits),
    positionLimit(limits),
    eventLoss(limits),
  ];
}

/**
 * The only place where an order becomes {@link Approved}.
 * @returns the same order, approved, or the first refusal
 */
export function approve(
  proposal: OrderProposal,
  rules: readonly RiskRule[],
  view: RiskView,
  killSwitch: KillSwitch,
): Approved<LimitOrder> | Refusal {
  const killed = killSwitch.state;
  if (killed !== null) return { rule: 'kill-switch', found: 1, limit: 0, text: killed.reason };
  for (const rule of rules) {
    const refusal = rule.check(proposal, view);
    if (refusal !== null) return refusal;
  }
  return proposal.order as Approved<LimitOrder>;
}

export const isRefusal = (result: Approved<LimitOrder> | Refusal): result is Refusal => 'rule' in result;
