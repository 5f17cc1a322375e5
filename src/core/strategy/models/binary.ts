/** Formulas for a price that is a probability and ends at 0 or 1. */

/** ln(p / (1 - p)). @param p probability, strictly between 0 and 1 */
export const logit = (p: number): number => Math.log(p) - Math.log1p(-p);

/** 1 / (1 + e^-x): the inverse of {@link logit}. */
export const sigmoid = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : 1 - 1 / (1 + Math.exp(x)));

/**
 * Price at which a trader with exponential utility is indifferent to the next small trade (CARA).
 * r = S(L(p) - gamma q).
 * @param gamma risk aversion per unit of currency
 * @param q net long shares
 */
export const caraReservation = (p: number, q: number, gamma: number): number => sigmoid(logit(p) - gamma * q);

/**
 * Highest price of one lot at which the utility of a trader with exponential utility does not fall.
 * ln[(1 - p + p e^(-gamma q)) / (1 - p + p e^(-gamma (q + d)))] / (gamma d).
 * @param lot shares bought; negative: sold, and the price is the lowest
 */
export function caraLotPrice(p: number, q: number, gamma: number, lot: number): number {
  const utility = (held: number) => Math.log1p(p * Math.expm1(-gamma * held));
  return (utility(q) - utility(q + lot)) / (gamma * lot);
}

/**
 * Reservation prices of mutually exclusive outcomes of which one wins. r_i is proportional to p_i e^(-gamma q_i).
 * @param p probabilities that sum to 1
 * @param q net long shares of each outcome
 */
export function caraReservations(p: readonly number[], q: readonly number[], gamma: number): number[] {
  const least = Math.min(...q);
  const weights = p.map((each, i) => each * Math.exp(-gamma * (q[i]! - least)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * Quotes that break even when a share of the takers knows the outcome (Glosten and Milgrom, 1985).
 * @param informed share of informed takers, 0 to below 1
 */
export function glostenMilgrom(p: number, informed: number): { readonly bid: number; readonly ask: number } {
  const lean = informed * (2 * p - 1);
  return { bid: (p * (1 - informed)) / (1 - lean), ask: (p * (1 + informed)) / (1 + lean) };
}

/**
 * Volatility of a probability that a Brownian motion decides at the close: phi(PhiInv(p)) / sqrt(time left).
 * It needs no parameter.
 * @param timeLeft until the outcome is known; the unit of time is the caller's
 * @returns standard deviation of the price per square root of that unit
 */
export const localVolatility = (p: number, timeLeft: number): number =>
  Math.exp(-(normalQuantile(p) ** 2) / 2) / Math.sqrt(2 * Math.PI * timeLeft);

/** Coefficients of Acklam's rational approximation (2003), highest power first. */
const CENTRE_ABOVE = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
] as const;
const CENTRE_BELOW = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1,
  1,
] as const;
const TAIL_ABOVE = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
] as const;
const TAIL_BELOW = [
  7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1,
] as const;
const TAIL = 0.02425;

/** Inverse of the normal distribution function. The relative error is below 1.2e-9 (Acklam). */
export function normalQuantile(p: number): number {
  if (p > 1 - TAIL) return -normalQuantile(1 - p);
  if (p < TAIL) {
    const x = Math.sqrt(-2 * Math.log(p));
    return polynomial(TAIL_ABOVE, x) / polynomial(TAIL_BELOW, x);
  }
  const x = p - 0.5;
  return (x * polynomial(CENTRE_ABOVE, x * x)) / polynomial(CENTRE_BELOW, x * x);
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * x + coefficient;
  return value;
}
