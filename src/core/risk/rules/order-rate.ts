import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

/** A strategy gone wild is slowed before the venue bans the key. */
export function orderRate({ ordersPerMinute }: Pick<RiskLimits, 'ordersPerMinute'>): RiskRule {
  return {
    name: 'order-rate',
    check({ count }, view) {
      const reached = view.ordersLastMinute() + count;
      if (reached - 1 < ordersPerMinute) return null;
      return {
        rule: 'order-rate',
        unit: 'count',
        found: reached,
        limit: ordersPerMinute,
        text: 'creates and updates in a minute',
        until: view.ordersFallTo(ordersPerMinute - count),
      };
    },
  };
}
