import { PRICE_ONE, type PriceUnits } from '../../../domain/units.js';
import type { Refusal } from '../refusal.js';
import type { RiskRule } from '../rule.js';

/** Prices are on the market's grid, from its first tick to its last. The venue would refuse others; a bug made them. */
export const priceRange: RiskRule = {
  name: 'price-range',
  check({ lowest, highest, offGrid }, view) {
    const { tickUnits } = view.reckoning();
    const last = PRICE_ONE - tickUnits;
    if (lowest < tickUnits) return refusal(lowest, last, 'price outside of the ticks');
    if (highest > last) return refusal(highest, last, 'price outside of the ticks');
    return offGrid === null ? null : refusal(offGrid, last, 'price between two ticks');
  },
};

const refusal = (found: PriceUnits, limit: number, text: string): Refusal => ({
  rule: 'price-range',
  unit: 'price',
  found,
  limit,
  text,
});
