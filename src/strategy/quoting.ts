/** Small pure pieces that most strategies need; exported through the sdk. */
import type { Step } from '../domain/intent.js';
import type { BookView, Quote } from './contract.js';

/**
 * Keeps a bid at least one tick below the best foreign ask, because the venue has no post-only orders.
 * @returns the price, or null when no bid can stand passively
 */
export function passiveBid(price: number, book: BookView, tick: number): number | null {
  const highest = book.ask === null ? 1 - tick : book.ask - tick;
  const passive = Math.min(price, highest);
  return passive >= tick ? passive : null;
}

/** Mirror image of {@link passiveBid}. */
export function passiveAsk(price: number, book: BookView, tick: number): number | null {
  const lowest = book.bid === null ? tick : book.bid + tick;
  const passive = Math.max(price, lowest);
  return passive <= 1 - tick ? passive : null;
}

/** Builds a quote whose last step is its price. */
export function quoteAt(price: number, shares: number, steps: readonly Step[]): Quote {
  return { price, shares, reason: steps };
}

/** Nothing on either side: withdraw. */
export const NO_QUOTES = { bids: [], asks: [] } as const;
