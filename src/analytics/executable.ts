import type { Levels } from '../domain/levels.js';
import { PRICE_ONE, SHARE_ONE, type Money, type Shares } from '../domain/units.js';

/** A book as deep as it is known, long-side prices, without our own shares. */
export interface Depth {
  readonly bids: Levels;
  readonly asks: Levels;
}

const NOTHING: Levels = { prices: [], shares: [] };
/** A book that nobody would buy from or sell into. */
export const NO_DEPTH: Depth = { bids: NOTHING, asks: NOTHING };

export interface Held {
  readonly long: Shares;
  readonly short: Shares;
}

/**
 * What holdings are worth if they had to go at once: pairs of long and short are worth one, the rest is sold into the
 * book level by level, less the taker's fee; what the book does not take is worth nothing.
 * @param takerFee money units per whole share
 * @returns money units, whole ones
 */
export function executableValue({ long, short }: Held, depth: Depth, takerFee: Money): number {
  const pairs = Math.min(long, short);
  const open = long - short;
  const sale =
    open >= 0
      ? sell(open, depth.bids, (price) => price)
      : sell(-open, depth.asks, (price) => PRICE_ONE - price);
  return Math.floor(pairs * PRICE_ONE + sale.value - (sale.shares * takerFee) / SHARE_ONE);
}

function sell(shares: number, { prices, shares: offered }: Levels, worth: (price: number) => number) {
  let left = shares;
  let value = 0;
  prices.forEach((price, level) => {
    const taken = Math.min(left, offered[level]!);
    left -= taken;
    value += taken * worth(price);
  });
  return { value, shares: shares - left };
}
