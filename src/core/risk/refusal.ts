import { type Micros, MONEY_ONE, PRICE_ONE, SHARE_ONE } from '../../domain/units.js';

/** What the numbers of a refusal count: share units, money units, price units, or things. */
export type RefusalUnit = 'shares' | 'money' | 'price' | 'count';

/** A proposal that is not allowed: by which rule, what it found and where its limit is. */
export interface Refusal {
  readonly rule: string;
  readonly unit: RefusalUnit;
  readonly found: number;
  readonly limit: number;
  /** What was counted, for people. */
  readonly text: string;
  /** When time alone may have lifted it; left out where it does not. */
  readonly until?: Micros;
  /** Set where it may be lifted once own quotes in other markets of the event have stepped back. */
  readonly awaitsQuotes?: true;
}

const ONE: Readonly<Record<RefusalUnit, number>> = {
  shares: SHARE_ONE,
  money: MONEY_ONE,
  price: PRICE_ONE,
  count: 1,
};

/** One line in whole shares, currency units or probabilities: `order-size: 1200 exceeds 1000 (shares of one order)`. */
export function describeRefusal({ rule, unit, found, limit, text }: Refusal): string {
  const one = ONE[unit];
  return `${rule}: ${found / one} exceeds ${limit / one} (${text})`;
}
