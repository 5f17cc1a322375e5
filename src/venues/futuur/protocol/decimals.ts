/**
 * Decimals where they cross the border: text or JSON numbers of the wire, the configuration and reports on one
 * side, the safe integers of `domain/units.ts` on the other. Plain spellings (`0.52`, `13`, `-4.10`) take a
 * path by hand; exponents and other odd spellings go through decimal.js. A digit finer than the grid is an
 * error unless the caller names a rounding.
 */
import { Decimal } from 'decimal.js';
import { EXIT, OddsmithError } from '../../../domain/errors.js';
import type { Money, PriceUnits, Shares, Ticks } from '../../../domain/units.js';
import { PRICE_ONE, SHARE_ONE } from '../../../domain/units.js';

/** Decimal places of the three grids: 0.0001, 0.01 and 0.000001. */
export const PRICE_PLACES = 4;
export const SHARE_PLACES = 2;
export const MONEY_PLACES = 6;

/** `exact` refuses digits finer than the grid; the others round and say how. `floor` goes towards minus infinity. */
export type Rounding = 'exact' | 'floor' | 'ceil' | 'nearest';

/** A value that is no decimal, off its grid or out of range. Names the field and what was expected. */
export class DecimalError extends OddsmithError {
  readonly code = 'ODDSMITH_DECIMAL';
  readonly exit = EXIT.internal;

  constructor(
    readonly field: string,
    readonly expected: string,
    found: unknown,
  ) {
    super(`${field}: expected ${expected}, found ${shown(found)}`);
  }
}

const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
/** Largest integer up to which a double still separates neighbours of a decimal grid. */
const LARGEST_AS_NUMBER = 2 ** 51;
const LONGEST_TEXT = 64;
const NOT_PLAIN = Number.NaN;
/** Texts of prices, each made when it is first written: there are few, and they are written again and again. */
const PRICE_TEXTS: (string | undefined)[] = Array.from({ length: PRICE_ONE + 1 });

/**
 * Reads a decimal as an integer count of 10^-places.
 * @param places 0 to 6
 * @throws DecimalError when it is no finite decimal, finer than the grid under `exact`, or beyond safe integers
 */
export function readDecimal(
  value: unknown,
  places: number,
  field: string,
  rounding: Rounding = 'exact',
): number {
  if (typeof value === 'number') return readNumber(value, places, field, rounding);
  if (typeof value !== 'string') throw new DecimalError(field, 'a decimal', value);
  const count = plainDecimal(value, places);
  return Number.isNaN(count) ? readOddText(value, places, field, rounding) : count;
}

/** A price strictly between 0 and 1 on the grid of 0.0001. @throws DecimalError */
export function readPrice(value: unknown, field: string, rounding: Rounding = 'exact'): PriceUnits {
  const count = readDecimal(value, PRICE_PLACES, field, rounding);
  if (count <= 0 || count >= PRICE_ONE) throw new DecimalError(field, 'a price between 0 and 1', value);
  return count as PriceUnits;
}

/** A probability from 0 to 1, both included, as it stands in histories and mid-prices. @throws DecimalError */
export function readProbability(value: unknown, field: string, rounding: Rounding = 'exact'): PriceUnits {
  const count = readDecimal(value, PRICE_PLACES, field, rounding);
  if (count < 0 || count > PRICE_ONE) throw new DecimalError(field, 'a probability from 0 to 1', value);
  return count as PriceUnits;
}

/** A price on a market's own grid. @param tickUnits price units per tick @throws DecimalError when off the grid */
export function readTicks(value: unknown, tickUnits: number, field: string): Ticks {
  const count = readPrice(value, field) / tickUnits;
  if (Number.isInteger(count)) return count as Ticks;
  throw new DecimalError(field, `a multiple of ${formatPrice(tickUnits as PriceUnits)}`, value);
}

/** Shares, never negative. @throws DecimalError */
export function readShares(value: unknown, field: string, rounding: Rounding = 'exact'): Shares {
  const count = readDecimal(value, SHARE_PLACES, field, rounding);
  if (count < 0) throw new DecimalError(field, 'shares of at least 0', value);
  return count as Shares;
}

/** An amount of a currency; may be negative. @throws DecimalError */
export const readMoney = (value: unknown, field: string, rounding: Rounding = 'exact'): Money =>
  readDecimal(value, MONEY_PLACES, field, rounding) as Money;

/** Canonical text: `0.52`, `13`, `-4.1`, `0.000001`; no exponent, no trailing zero. */
export function formatDecimal(count: number, places: number): string {
  if (!Number.isSafeInteger(count)) throw new RangeError(`not a safe integer: ${count}`);
  if (count < 0) return `-${formatDecimal(-count, places)}`;
  const scale = powerOfTen(places);
  const fraction = count % scale;
  const whole = String((count - fraction) / scale);
  return fraction === 0 ? whole : `${whole}.${fractionDigits(fraction, places)}`;
}

export const formatPrice = (price: PriceUnits): string =>
  price >= 0 && price <= PRICE_ONE
    ? (PRICE_TEXTS[price] ??= formatDecimal(price, PRICE_PLACES))
    : formatDecimal(price, PRICE_PLACES);
export const formatShares = (amount: Shares): string => formatDecimal(amount, SHARE_PLACES);
export const formatMoney = (amount: Money): string => formatDecimal(amount, MONEY_PLACES);

/**
 * The JSON number nearest to the decimal; `JSON.stringify` then writes exactly {@link formatDecimal}'s text.
 * @throws RangeError beyond 2^51 counts, where a double no longer tells neighbours apart
 */
export function decimalNumber(count: number, places: number): number {
  if (!Number.isInteger(count) || Math.abs(count) > LARGEST_AS_NUMBER) {
    throw new RangeError(`no exact JSON number for ${count} at ${places} places`);
  }
  return count === 0 ? 0 : count / powerOfTen(places);
}

export const priceNumber = (price: PriceUnits): number => decimalNumber(price, PRICE_PLACES);
export const sharesNumber = (amount: Shares): number => decimalNumber(amount, SHARE_PLACES);
export const moneyNumber = (amount: Money): number => decimalNumber(amount, MONEY_PLACES);

function powerOfTen(places: number): number {
  const power = POWERS[places];
  if (power === undefined) throw new RangeError(`places must be 0 to 6: ${places}`);
  return power;
}

function fractionDigits(fraction: number, places: number): string {
  let digits = fraction;
  let width = places;
  while (digits % 10 === 0) {
    digits /= 10;
    width -= 1;
  }
  return String(digits).padStart(width, '0');
}

/** On the grid exactly when dividing the rounded count gives the very same double back. */
function readNumber(value: number, places: number, field: string, rounding: Rounding): number {
  const scale = powerOfTen(places);
  const count = Math.round(value * scale);
  if (count / scale === value && Math.abs(count) <= LARGEST_AS_NUMBER) return count === 0 ? 0 : count;
  if (!Number.isFinite(value)) throw new DecimalError(field, 'a finite decimal', value);
  return readOddText(String(value), places, field, rounding);
}

/** Sign, up to 15 digits, at most `places` of them after the point; anything else is {@link NOT_PLAIN}. */
function plainDecimal(text: string, places: number): number {
  const length = text.length;
  const start = text.charCodeAt(0) === 45 ? 1 : 0;
  if (length === start || length > start + 15) return NOT_PLAIN;
  let count = 0;
  let point = -1;
  for (let index = start; index < length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit >= 0 && digit <= 9) count = count * 10 + digit;
    else if (digit === -2 && point < 0 && index > start) point = index;
    else return NOT_PLAIN;
  }
  const written = point < 0 ? 0 : length - point - 1;
  if (written > places) return NOT_PLAIN;
  count *= powerOfTen(places - written);
  if (!Number.isSafeInteger(count)) return NOT_PLAIN;
  return start === 1 && count !== 0 ? -count : count;
}

const SPELLING = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?$/;
const Wide = Decimal.clone({ precision: 1_000, toExpNeg: -9_000, toExpPos: 9_000 });
const MODES = {
  floor: Decimal.ROUND_FLOOR,
  ceil: Decimal.ROUND_CEIL,
  nearest: Decimal.ROUND_HALF_UP,
} as const;

function readOddText(text: string, places: number, field: string, rounding: Rounding): number {
  if (text.length > LONGEST_TEXT || !SPELLING.test(text)) throw new DecimalError(field, 'a decimal', text);
  const scaled = new Wide(text).times(powerOfTen(places));
  if (rounding === 'exact' && !scaled.isInteger()) {
    throw new DecimalError(field, `at most ${places} decimal places`, text);
  }
  const count = (rounding === 'exact' ? scaled : scaled.toDecimalPlaces(0, MODES[rounding])).toNumber();
  if (!Number.isSafeInteger(count)) throw new DecimalError(field, 'a smaller number', text);
  return count === 0 ? 0 : count;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, LONGEST_TEXT));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}

/** What a level states: the fees of all its shares (specification 2.7). */
export interface LevelFees {
  readonly shares: Shares;
  readonly fees: Money;
}

/**
 * The dearest level's fee of a whole share, less what the sum over the level may have been rounded up by: never more than
 * it is, and the nearer to it the more shares stand there.
 */
export const feePerShare = (levels: readonly LevelFees[]): Money =>
  levels.reduce(
    (most, { shares, fees }) => Math.max(most, Math.ceil(((fees - 1) * SHARE_ONE) / shares)),
    0,
  ) as Money;
