import { defineStrategy, NO_QUOTES, param, twoSided } from 'oddsmith/sdk';

/**
 * Quotes around your own fair value and demands an edge that grows with doubt. With c the confidence of the fair value
 * and lean = net / maxInventory:
 *
 *     half = edge + doubt (1 - c)
 *     bid = fair - half - priceSkew lean,    ask = fair + half - priceSkew lean,    shares c
 *
 * `fairValues:` of a bot's file says where the values come from; without a source it is the weighted mid of the book, with
 * confidence 1. A value that is too old, or of too little confidence, is not quoted on.
 */
export default defineStrategy({
  name: 'fair-quoter',
  params: {
    edge: param.probability({
      default: 0.02,
      max: 0.5,
      help: 'distance from a fair value of full confidence',
    }),
    doubt: param.probability({ default: 0.05, max: 0.5, help: 'distance added at no confidence' }),
    leastConfidence: param.probability({ default: 0.2, help: 'below this nothing is quoted' }),
    priceSkew: param.probability({ default: 0.02, max: 0.5, help: 'shift of both quotes at maxInventory' }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares of each quote at full confidence' }),
    maxInventory: param.shares({
      default: 100,
      min: 0.01,
      help: 'net shares, long or short, at which a side stops',
    }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'a fair value older than this is not quoted on' }),
  },
  quote(context) {
    const { fair, inventory, params } = context;
    if (fair === null || fair.ageMs > params.maxFairAgeMs) return NO_QUOTES;
    if (fair.confidence < params.leastConfidence) return NO_QUOTES;
    const { maxInventory } = params;
    const half = params.edge + params.doubt * (1 - fair.confidence);
    const skew = -params.priceSkew * Math.max(-1, Math.min(1, inventory.net / maxInventory));
    const shares = params.shares * fair.confidence;
    const sides = twoSided(
      context,
      {
        price: fair.p + skew - half,
        shares: Math.min(shares, maxInventory - inventory.net),
        steps: { fair: fair.p, skew, edge: -half },
      },
      {
        price: fair.p + skew + half,
        shares: Math.min(shares, maxInventory + inventory.net),
        steps: { fair: fair.p, skew, edge: half },
      },
    );
    // The value ages while nothing comes in: the quotes have to go when it is too old.
    return { wakeInMs: params.maxFairAgeMs - fair.ageMs + 1, ...sides };
  },
});
