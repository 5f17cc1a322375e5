import type { Shares } from '../../../domain/units.js';
import type { RiskLimits } from '../limits.js';
import type { Refusal } from '../refusal.js';
import type { RiskRule } from '../rule.js';

/**
 * Net shares of a market stay within the limit whatever fills. An order that leads back towards zero is allowed
 * beyond the limit too: refusing it would keep the excess.
 */
export function positionLimit({ maxPositionShares }: Pick<RiskLimits, 'maxPositionShares'>): RiskRule {
  return {
    name: 'position-limit',
    check({ bought, sold }, view) {
      const { low, high } = view.netRange();
      if (bought > 0 && high + bought > maxPositionShares)
        return refusal(high + bought, maxPositionShares, 'long');
      if (sold > 0 && sold - low > maxPositionShares) return refusal(sold - low, maxPositionShares, 'short');
      return null;
    },
  };
}

const refusal = (found: number, limit: Shares, way: 'long' | 'short'): Refusal => ({
  rule: 'position-limit',
  unit: 'shares',
  found,
  limit,
  text: `${way} position in the market if everything fills`,
});
