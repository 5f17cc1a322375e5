import { PRICE_ONE } from '../../domain/units.js';
import type { RiskRule } from '../rule.js';

/** Prices are on the market's grid, from its first tick to its last. The venue would refuse others; a bug made them. */
export const priceRange: RiskRule = {
  name: 'price-range',
  check(orders, view) {
    const tickUnits = view.tickUnits();
    const last = PRICE_ONE - tickUnits;
    for (const { price } of orders) {
      const isInside = price >= tickUnits && price <= last;
      if (isInside && price % tickUnits === 0) continue;
      const text = isInside ? 'price between two ticks' : 'price outside of the ticks';
      return { rule: 'price-range', unit: 'price', found: price, limit: last, text };
    }
    return null;
  },
};
