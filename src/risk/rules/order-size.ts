import { type Money, notional, type Shares } from '../../domain/units.js';
import type { RiskLimits } from '../limits.js';
import type { Refusal } from '../refusal.js';
import type { RiskRule } from '../rule.js';

type Limits = Pick<RiskLimits, 'maxOrderShares' | 'maxOrderAmount'>;

/** No single order above a number of shares or an amount of currency. */
export function orderSize({ maxOrderShares, maxOrderAmount }: Limits): RiskRule {
  return {
    name: 'order-size',
    check(orders) {
      for (const { price, shares } of orders) {
        if (shares > maxOrderShares) return tooManyShares(shares, maxOrderShares);
        const amount = notional(price, shares);
        if (amount > maxOrderAmount) return tooHighAmount(amount, maxOrderAmount);
      }
      return null;
    },
  };
}

const tooManyShares = (found: Shares, limit: Shares): Refusal => ({
  rule: 'order-size',
  unit: 'shares',
  found,
  limit,
  text: 'shares of one order',
});

const tooHighAmount = (found: Money, limit: Money): Refusal => ({
  rule: 'order-size',
  unit: 'money',
  found,
  limit,
  text: 'amount of one order',
});
