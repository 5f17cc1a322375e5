import { defineModifier, param } from 'oddsmith/sdk';

/**
 * Quotes nothing in a book that says nothing: an empty side, a spread wider than `maxSpread`, fewer than `minShares` of
 * others at the touch, or no news for `maxAgeMs`. A side that our own orders hide counts as it was seen last.
 */
export default defineModifier({
  name: 'dead-book',
  params: {
    maxSpread: param.probability({ default: 0.2, help: 'widest spread of others' }),
    minShares: param.shares({ default: 1, help: 'least shares of others at the best price of each side' }),
    maxAgeMs: param.ms({ default: 0, help: 'longest silence of the book; 0: any' }),
  },
  apply({ bids, asks }, { book, params }) {
    const bid = book.bids[0];
    const ask = book.asks[0];
    const isDead =
      bid === undefined ||
      ask === undefined ||
      ask.price - bid.price > params.maxSpread + 1e-9 ||
      Math.min(bid.shares, ask.shares) < params.minShares ||
      (params.maxAgeMs > 0 && book.ageMs > params.maxAgeMs);
    if (isDead) return { bids: [], asks: [] };
    const wake = params.maxAgeMs > 0 ? { wakeInMs: Math.max(1, params.maxAgeMs - book.ageMs + 1) } : {};
    return { bids, asks, ...wake };
  },
});
