import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

/**
 * The worst case over the outcomes of an event, all orders that may fill counted, stays within the limit. Orders
 * that cost nothing in the endings that are beyond the limit are always allowed.
 */
export function eventLoss({ maxEventLoss }: Pick<RiskLimits, 'maxEventLoss'>): RiskRule {
  return {
    name: 'event-loss',
    check(proposal, view) {
      const found = view.eventLossWith(proposal);
      if (found <= maxEventLoss || view.eventLossWhereTheyCost(proposal) <= maxEventLoss) return null;
      return {
        rule: 'event-loss',
        unit: 'money',
        found,
        limit: maxEventLoss,
        text: 'worst case of the event if everything fills',
      };
    },
  };
}
