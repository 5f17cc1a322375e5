import { notional } from '../../domain/units.js';
import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

type Limits = Pick<RiskLimits, 'maxOrderShares' | 'maxOrderAmount'>;

/** No single order above a number of shares or an amount of currency. */
export function orderSize({ maxOrderShares, maxOrderAmount }: Limits): RiskRule {
  return {
    name: 'order-size',
    check({ order }) {
      if (order.shares > maxOrderShares)
        return {
          rule: 'order-size',
          unit: 'shares',
          found: order.shares,
          limit: maxOrderShares,
          text: 'shares of one order',
        };
      const amount = notional(order.price, order.shares);
      if (amount <= maxOrderAmount) return null;
      return {
        rule: 'order-size',
        unit: 'money',
        found: amount,
        limit: maxOrderAmount,
        text: 'amount of one order',
      };
    },
  };
}
