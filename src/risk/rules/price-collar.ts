import { complement, type PriceUnits } from '../../domain/units.js';
import type { RiskLimits } from '../limits.js';
import type { Refusal } from '../refusal.js';
import type { RiskRule } from '../rule.js';

/**
 * No price further than the collar from the fair value, nor from the mid of the book, as far as they are known; with
 * neither of them no new order at all.
 */
export function priceCollar({ priceCollar: collar }: Pick<RiskLimits, 'priceCollar'>): RiskRule {
  return {
    name: 'price-collar',
    check({ order }, view) {
      const price = order.position === 'long' ? order.price : complement(order.price);
      const fair = view.fairValue(order.marketId);
      const mid = view.bookMid(order.marketId);
      if (fair === null && mid === null) return refusal(price, collar, 'no fair value and no two-sided book');
      if (fair !== null && Math.abs(price - fair) > collar)
        return refusal(Math.abs(price - fair), collar, 'distance from the fair value');
      if (mid !== null && Math.abs(price - mid) > collar)
        return refusal(Math.abs(price - mid), collar, 'distance from the mid of the book');
      return null;
    },
  };
}

const refusal = (found: number, limit: PriceUnits, text: string): Refusal => ({
  rule: 'price-collar',
  unit: 'price',
  found,
  limit,
  text,
});
