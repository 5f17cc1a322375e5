import {
  avellanedaStoikov,
  defineStrategy,
  logitAvellanedaStoikov,
  NO_QUOTES,
  param,
  twoSided,
} from 'oddsmith/sdk';

/**
 * Quotes around the reservation price of Avellaneda and Stoikov (2008):
 *
 *     r = fair - q gamma sigma^2 (T - t)
 *     bid, ask = r -+ [gamma sigma^2 (T - t) / 2 + ln(1 + gamma / k) / gamma]
 *
 * `space: logit` does the same with the logit of the price, so that quotes stay inside (0, 1). Distances are
 * then converted with the slope p (1 - p), and sigma is that of the logit. T is the closing time of the event, or a
 * horizon that moves along. Distances and 1/k are prices, sigma is per square root of a second. sigma = 0 takes the
 * signal `sigma`: as the mid moved, unless the file measures it otherwise. Nothing is quoted before it has a value.
 */
export default defineStrategy({
  name: 'avellaneda-stoikov',
  params: {
    space: param.choice({
      values: ['logit', 'price'],
      default: 'logit',
      help: 'space of sigma and distances',
    }),
    gamma: param.ratio({ default: 0.01, min: 1e-6, max: 10, help: 'risk aversion, per unit of currency' }),
    k: param.ratio({
      default: 60,
      min: 0.01,
      max: 1e5,
      help: 'decay of the fills with the distance, per price',
    }),
    sigma: param.ratio({
      default: 0.002,
      min: 0,
      max: 10,
      help: 'move of the logit (or of the price) per square root of a second; 0: by the signal sigma',
    }),
    horizonMs: param.ms({
      default: 3_600_000,
      min: 1_000,
      max: 31_536_000_000,
      help: 'most time left that counts, and the time left when no closing time is known',
    }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares of each order' }),
    maxInventory: param.shares({ default: 100, help: 'net shares, long or short, at which a side stops' }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'a fair value older than this is not quoted on' }),
  },
  signals: ({ sigma, space }) => ({ sigma: sigma > 0 ? undefined : { kind: 'volatility', space } }),
  quote(context) {
    const { fair, inventory, event, params, signals } = context;
    if (fair === null || fair.ageMs > params.maxFairAgeMs || fair.p <= 0 || fair.p >= 1) return NO_QUOTES;
    const { gamma, k, shares, maxInventory } = params;
    const sigma = params.sigma || signals.sigma?.value;
    if (sigma === undefined) return NO_QUOTES;
    const timeLeft = Math.max(0, Math.min(params.horizonMs, event.msToClose ?? params.horizonMs)) / 1_000;
    const state = { mid: fair.p, inventory: inventory.net, gamma, k, timeLeft };
    const { reservation, bid, ask } =
      params.space === 'price'
        ? avellanedaStoikov({ sigma, ...state })
        : logitAvellanedaStoikov({ sigmaLogit: sigma, ...state });
    const steps = (price: number) => ({
      fair: fair.p,
      inventory: reservation - fair.p,
      'half-spread': price - reservation,
    });
    return twoSided(
      context,
      { price: bid, shares: Math.min(shares, maxInventory - inventory.net), steps: steps(bid) },
      { price: ask, shares: Math.min(shares, maxInventory + inventory.net), steps: steps(ask) },
    );
  },
});
