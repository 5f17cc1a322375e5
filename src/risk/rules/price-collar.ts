import { complement } from '../../domain/units.js';
import type { RiskLimits } from '../limits.js';
import type { RiskRule } from '../rule.js';

/** No price further than the collar from the reference; without a reference no new order at all. */
export function priceCollar(limits: RiskLimits): RiskRule {
  return {
    name: 'price-collar',
    check({ order }, view) {
      const reference = view.reference(order.marketId);
      if (reference === null)
        return {
          rule: 'price-collar',
          found: 0,
          limit: limits.priceCollar,
          text: 'no fair value and no two-sided book to compare with',
        };
      const price = order.position === 'long' ? order.price : complement(order.price);
      const distance = Math.abs(price - reference);
      if (distance <= limits.priceCollar) return null;
      return {
        rule: 'price-collar',
        found: distance,
        limit: limits.priceCollar,
        text: 'distance from the reference price',
      };
    },
  };
}
