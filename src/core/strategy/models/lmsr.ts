/** Hanson's logarithmic market scoring rule (2003): a maker whose loss is bounded. */
import { logit } from './binary.js';

/** Cost of all shares sold: b ln(sum of e^(q_i / b)). @param q shares sold of each outcome */
export function lmsrCost(q: readonly number[], b: number): number {
  const most = Math.max(...q);
  return most + b * Math.log(q.reduce((sum, each) => sum + Math.exp((each - most) / b), 0));
}

/** Prices after those sales: softmax(q / b). */
export function lmsrPrices(q: readonly number[], b: number): number[] {
  const most = Math.max(...q);
  const weights = q.map((each) => Math.exp((each - most) / b));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Shares sold that give these prices: q_i = b ln p_i. Only differences of q matter. */
export const lmsrAnchor = (p: readonly number[], b: number): number[] => p.map((each) => b * Math.log(each));

/** Most that the maker can lose from these prices on: b ln(1 / least price). */
export const lmsrBound = (p: readonly number[], b: number): number => -b * Math.log(Math.min(...p));

/** Liquidity that keeps the loss within a budget: budget / ln(1 / least price). */
export const lmsrLiquidity = (p: readonly number[], budget: number): number =>
  -budget / Math.log(Math.min(...p));

/** Shares that move the price of one outcome from one value to another: b (L(to) - L(from)). */
export const lmsrShares = (from: number, to: number, b: number): number => b * (logit(to) - logit(from));

export interface LmsrLevel {
  readonly price: number;
  readonly shares: number;
}

/**
 * The rule as resting orders, one on every tick away from a price. The order at `price` holds the shares that move the
 * maker's price from the tick before to it.
 * @param sign 1 for asks, -1 for bids
 */
export function lmsrLadder(
  price: number,
  b: number,
  tick: number,
  levels: number,
  sign: 1 | -1,
): LmsrLevel[] {
  const ladder: LmsrLevel[] = [];
  for (let level = 1; level <= levels; level++) {
    const to = price + sign * level * tick;
    if (to <= 0 || to >= 1) break;
    ladder.push({ price: to, shares: sign * lmsrShares(to - sign * tick, to, b) });
  }
  return ladder;
}
