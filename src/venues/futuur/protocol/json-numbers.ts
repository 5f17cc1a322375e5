/** How JSON spells numbers, and which of them JavaScript would spell in the very same way. */

export const ZERO = 48;
export const POINT = 46;
const MINUS = 45;
const LOWER_E = 101;
const UPPER_E = 69;

/** Digits that every double carries without loss. */
const SAFE_DIGITS = 15;
/** Generous for any decimal; keeps exact comparison of spelled numbers cheap on hostile bodies. */
export const LONGEST_NUMBER = 1_024;
/** Any JSON number, from `lastIndex` on. */
export const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** 1 to 1e22: those that a double holds exactly. */
export const POWERS_OF_TEN = Array.from({ length: 23 }, (_, index) => Number(`1e${index}`));

export const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/**
 * Whether the digits in [first, end) are a complete number that `String` writes back in the same way: at most 15 of
 * them, no needless zero, no exponent, not below 0.000001.
 * @param point index of the decimal point, -1 without one
 * @param next character code at `end`
 */
export function isPlainNumber(
  text: string,
  first: number,
  end: number,
  point: number,
  next: number,
): boolean {
  const digits = end - first - (point < 0 ? 0 : 1);
  if (digits < 1 || digits > SAFE_DIGITS || next === LOWER_E || next === UPPER_E) return false;
  const leadingZero = text.charCodeAt(first) === ZERO;
  if (point < 0) return !leadingZero || (digits === 1 && text.charCodeAt(first - 1) !== MINUS);
  if (leadingZero && point !== first + 1) return false;
  if (point === first || point === end - 1 || text.charCodeAt(end - 1) === ZERO) return false;
  return !leadingZero || !text.startsWith('000000', point + 1);
}
