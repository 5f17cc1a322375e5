import type { Money, Shares } from '../../../domain/units.js';
import type { RiskLimits } from '../limits.js';
import type { Refusal } from '../refusal.js';
import type { RiskRule } from '../rule.js';

type Limits = Pick<RiskLimits, 'maxOrderShares' | 'maxOrderAmount'>;

/** No single order above a number of shares or an amount of currency. */
export function orderSize({ maxOrderShares, maxOrderAmount }: Limits): RiskRule {
  return {
    name: 'order-size',
    check({ mostShares, highestAmount }) {
      if (mostShares > maxOrderShares) return tooManyShares(mostShares, maxOrderShares);
      return highestAmount > maxOrderAmount ? tooHighAmount(highestAmount, maxOrderAmount) : null;
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
