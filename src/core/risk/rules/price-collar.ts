import type { PriceUnits } from '../../../domain/units.js';
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
    check({ lowestLong, highestLong }, view) {
      const [fair, mid] = [view.fairValue(), view.bookMid()];
      return beyondCollar(lowestLong, collar, fair, mid) ?? beyondCollar(highestLong, collar, fair, mid);
    },
  };
}

/**
 * What the rule says of a price.
 * @param longPrice of the order, in long-side terms
 * @param fair fair value of the long side, null when nobody knows
 * @param mid  of the book's long side, null when it is one-sided
 */
export function beyondCollar(
  longPrice: PriceUnits,
  collar: PriceUnits,
  fair: PriceUnits | null,
  mid: PriceUnits | null,
): Refusal | null {
  if (fair === null && mid === null) return refusal(longPrice, collar, 'no fair value and no two-sided book');
  if (fair !== null && Math.abs(longPrice - fair) > collar)
    return refusal(Math.abs(longPrice - fair), collar, 'distance from the fair value');
  if (mid !== null && Math.abs(longPrice - mid) > collar)
    return refusal(Math.abs(longPrice - mid), collar, 'distance from the mid of the book');
  return null;
}

const refusal = (found: number, limit: PriceUnits, text: string): Refusal => ({
  rule: 'price-collar',
  unit: 'price',
  found,
  limit,
  text,
});
