import { defineStrategy, NO_QUOTES, param, twoSided } from 'oddsmith/sdk';

/**
 * Quotes around the fair value and leans against its own inventory, in size and in price. With
 * lean = (net - target) / range, bounded to [-1, 1]:
 *
 *     bid = fair - priceSkew lean - halfSpread,    shares (1 - lean)
 *     ask = fair - priceSkew lean + halfSpread,    shares (1 + lean)
 *
 * Size: the bid's ratio falls linearly from 2 at `target - range` over 1 at the target to 0 at `target + range`, the
 * ask's is 2 minus it (the inventory skew of pure market making); neither side offers more than leads to its end of
 * the range. Price: a linear stand-in for the reservation price of Avellaneda and Stoikov (2008), whose
 * distance from the mid is proportional to inventory, too.
 *
 * On a one-cent grid a skew below a tick is invisible after rounding: choose `priceSkew` of several ticks. Quotes
 * keep one tick away from the other side of the foreign book, because the venue has no post-only orders.
 */
export default defineStrategy({
  name: 'inventory-skew',
  params: {
    halfSpread: param.probability({
      default: 0.02,
      min: 0.0001,
      max: 0.5,
      help: 'distance of each quote from the skewed fair value',
    }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares of each quote at the target inventory' }),
    target: param.shares({
      default: 0,
      min: -1_000_000_000,
      help: 'net shares to return to; negative is short',
    }),
    range: param.shares({
      default: 100,
      min: 0.01,
      help: 'distance from the target at which one side stops',
    }),
    priceSkew: param.probability({ default: 0.03, max: 0.5, help: 'shift of both quotes at the full range' }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'a fair value older than this is not quoted on' }),
  },
  depth: () => 1,
  quote(context) {
    const { fair, inventory, params } = context;
    if (fair === null || fair.ageMs > params.maxFairAgeMs) return NO_QUOTES;
    const { halfSpread, shares, target, range, priceSkew } = params;
    const excess = inventory.net - target;
    const lean = Math.max(-1, Math.min(1, excess / range));
    const skew = -priceSkew * lean;
    return twoSided(
      context,
      {
        price: fair.p + skew - halfSpread,
        shares: Math.min(shares * (1 - lean), range - excess),
        steps: { fair: fair.p, skew, 'half-spread': -halfSpread },
      },
      {
        price: fair.p + skew + halfSpread,
        shares: Math.min(shares * (1 + lean), range + excess),
        steps: { fair: fair.p, skew, 'half-spread': halfSpread },
      },
    );
  },
});
