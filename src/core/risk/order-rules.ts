/** The rules that judge one order by its own price and size. */
import { type Money, PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import type { RiskLimits } from '../../domain/risk-limits.js';
import type { Refusal, RiskRule } from './rule.js';

/** Prices lie on the market's grid. The venue would refuse others; a bug made them. */
export const priceRange: RiskRule = {
  name: 'price-range',
  check({ order: { price } }, view) {
    const { tickUnits } = view.terms();
    const last = PRICE_ONE - tickUnits;
    if (price < tickUnits || price > last) return rangeRefusal(price, last, 'price outside of the ticks');
    return price % tickUnits === 0 ? null : rangeRefusal(price, last, 'price between two ticks');
  },
};

const rangeRefusal = (found: PriceUnits, limit: number, text: string): Refusal => ({
  rule: 'price-range',
  unit: 'price',
  found,
  limit,
  text,
});

/** No single order above a number of shares or an amount of currency. */
export function orderSize({
  maxOrderShares,
  maxOrderAmount,
}: Pick<RiskLimits, 'maxOrderShares' | 'maxOrderAmount'>): RiskRule {
  return {
    name: 'order-size',
    check({ order, amount }) {
      if (order.shares > maxOrderShares) return tooManyShares(order.shares, maxOrderShares);
      return amount > maxOrderAmount ? tooHighAmount(amount, maxOrderAmount) : null;
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

/** No price further than the collar from the fair value or from the mid of the book; no order when both are unknown. */
export function priceCollar({ priceCollar: collar }: Pick<RiskLimits, 'priceCollar'>): RiskRule {
  return {
    name: 'price-collar',
    check: ({ longPrice }, view) => beyondCollar(longPrice, collar, view.fairValue(), view.bookMid()),
  };
}

/**
 * What the price collar says of one price. All prices are long-side prices.
 * @param fair fair value, null when unknown
 * @param mid  mid of the book, null when it is one-sided
 */
export function beyondCollar(
  longPrice: PriceUnits,
  collar: PriceUnits,
  fair: PriceUnits | null,
  mid: PriceUnits | null,
): Refusal | null {
  if (fair === null && mid === null)
    return collarRefusal(longPrice, collar, 'no fair value and no two-sided book');
  if (fair !== null && Math.abs(longPrice - fair) > collar)
    return collarRefusal(Math.abs(longPrice - fair), collar, 'distance from the fair value');
  if (mid !== null && Math.abs(longPrice - mid) > collar)
    return collarRefusal(Math.abs(longPrice - mid), collar, 'distance from the mid of the book');
  return null;
}

const collarRefusal = (found: number, limit: PriceUnits, text: string): Refusal => ({
  rule: 'price-collar',
  unit: 'price',
  found,
  limit,
  text,
});
