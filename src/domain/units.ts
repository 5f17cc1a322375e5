/**
 * The integers everything inside is counted in. Decimal text is read and written at the border only
 * (`protocol/decimals.ts`); floats appear in strategy mathematics and statistics and come back through a
 * function that names its rounding.
 */

declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]: Name };

/** A price as an integer count of its market's tick. Meaningful together with that market's tick only. */
export type Ticks = Unit<'Ticks'>;
/** A price as an integer count of 0.0001, comparable across markets. 0 < price < {@link PRICE_ONE}. */
export type PriceUnits = Unit<'PriceUnits'>;
/** Shares as an integer count of 0.01. */
export type Shares = Unit<'Shares'>;
/** Currency as an integer count of 0.000001; {@link PriceUnits} times {@link Shares} is exactly this. */
export type Money = Unit<'Money'>;
/** A point in time: integer microseconds since the Unix epoch. */
export type Micros = Unit<'Micros'>;

/** One unit of currency, or a certain outcome, as a price: 1 = 10,000 price units. */
export const PRICE_ONE = 10_000 as PriceUnits;
/** One whole share = 100 share units. */
export const SHARE_ONE = 100 as Shares;
/** One unit of currency = 1,000,000 money units. */
export const MONEY_ONE = 1_000_000 as Money;

export const ZERO_SHARES = 0 as Shares;
export const ZERO_MONEY = 0 as Money;

/** @throws RangeError when the value is not a safe integer: an overflow is a bug, never a rounding. */
export function safeInteger(value: number, what: string): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${what} is not a safe integer: ${value}`);
  return value;
}

export const ticks = (value: number): Ticks => safeInteger(value, 'ticks') as Ticks;
export const priceUnits = (value: number): PriceUnits => safeInteger(value, 'price') as PriceUnits;
export const shares = (value: number): Shares => safeInteger(value, 'shares') as Shares;
export const money = (value: number): Money => safeInteger(value, 'money') as Money;
export const micros = (value: number): Micros => safeInteger(value, 'time') as Micros;

/** Exact cost of shares at a price. @throws RangeError on overflow */
export const notional = (price: PriceUnits, amount: Shares): Money => money(price * amount);

/** The same price seen from the other position: a long price p is a short price 1 - p. */
export const complement = (price: PriceUnits): PriceUnits => (PRICE_ONE - price) as PriceUnits;

/** @returns the tick count, or null when the price is off this market's grid */
export function priceToTicks(price: PriceUnits, tickUnits: number): Ticks | null {
  const count = price / tickUnits;
  return Number.isInteger(count) ? (count as Ticks) : null;
}

/** A probability (float, 0 to 1) to price units, for display and statistics only: rounds half away from zero. */
export const nearestPrice = (probability: number): PriceUnits =>
  priceUnits(Math.round(probability * PRICE_ONE));

/** The same where the probability may not be known. */
export const knownPrice = (p: number | null | undefined): PriceUnits | null =>
  p === null || p === undefined ? null : nearestPrice(p);

/** Price as a float probability, for strategy mathematics. */
export const probability = (price: PriceUnits): number => price / PRICE_ONE;
/** Shares as a float count of whole shares, for strategy mathematics. */
export const wholeShares = (amount: Shares): number => amount / SHARE_ONE;
/** Money as a float count of currency units, for strategy mathematics. */
export const currencyUnits = (amount: Money): number => amount / MONEY_ONE;
