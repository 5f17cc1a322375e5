import { bookSide } from '../../domain/vocabulary.js';
import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

/**
 * Net shares of a market stay within the limit whatever fills. An order that leads back towards zero is allowed
 * beyond the limit too: refusing it would keep the excess.
 */
export function positionLimit({ maxPositionShares }: Pick<RiskLimits, 'maxPositionShares'>): RiskRule {
  return {
    name: 'position-limit',
    check({ order }, view) {
      const { low, high } = view.netRange();
      const buys = bookSide(order.side, order.position) === 'bid';
      const reached = buys ? high + order.shares : order.shares - low;
      if (reached <= maxPositionShares) return null;
      return {
        rule: 'position-limit',
        unit: 'shares',
        found: reached,
        limit: maxPositionShares,
        text: `${buys ? 'long' : 'short'} position in the market if everything fills`,
      };
    },
  };
}
