import { notional } from '../../domain/units.js';
import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

/** No single order above a number of shares or an amount of currency. */
export function orderSize(limits: RiskLimits): RiskRule {
  return {
    name: 'order-size',
    check({ order }) {
      if (order.shares > limits.maxOrderShares)
        return {
          rule: 'order-size',
          found: order.shares,
          limit: limits.maxOrderShares,
          text: 'more shares than one order may have',
        };
      const amount = notional(order.price, order.shares);
      if (amount > limits.maxOrderAmount)
        return {
          rule: 'order-size',
          found: amount,
          limit: limits.maxOrderAmount,
          text: 'more currency than one order may cost',
        };
      return null;
    },
  };
}
