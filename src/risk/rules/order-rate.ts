import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

/** A strategy gone wild is slowed before the venue bans the key. */
export function orderRate(limits: RiskLimits): RiskRule {
  return {
    name: 'order-rate',
    check(_proposal, view) {
      const found = view.ordersLastMinute();
      if (found < limits.ordersPerMinute) return null;
      return {
        rule: 'order-rate',
        found,
        limit: limits.ordersPerMinute,
        text: 'creates and updates in the last minute',
      };
    },
  };
}
