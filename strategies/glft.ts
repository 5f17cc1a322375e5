import { defineStrategy, type Glft, glftExact, glftSized, NO_QUOTES, param, twoSided } from 'oddsmith/sdk';

/**
 * The optimal quotes of Gueant, Lehalle and Fernandez-Tapia (2013) for orders of one size, with price impact:
 *
 *     c1 = ln(1 + gamma d / k) / (gamma d)
 *     c2 = sqrt(gamma / (2 A d k) (1 + gamma d / k)^(k / (gamma d) + 1)) e^(k xi / 4)
 *     bid = fair - (c1 + d sigma c2 / 2 + xi / 2) - q sigma c2
 *     ask = fair + (c1 + d sigma c2 / 2 + xi / 2) - q sigma c2
 *
 * d are the shares of an order, q the net long shares. Distances and 1/k are prices; A and sigma are by the second. xi is
 * how far the mid moves against us after a fill. `oddsmith calibrate` measures A, k and sigma.
 *
 * sigma = 0 takes the signal `sigma`: the volatility that a probability has without any parameter, phi(PhiInv(p)) /
 * sqrt(time left), unless the file measures it otherwise. It grows towards the close. The model does not know the jump at the resolution: `maxInventory` and the limits bound it.
 *
 * `form: exact` solves the bounded problem, which leans more strongly near the bound. It costs about a hundred times
 * as much for each quote.
 */
export default defineStrategy({
  name: 'glft',
  params: {
    a: param.ratio({ default: 0.05, min: 1e-9, max: 1e4, help: 'fills per second and side at the mid' }),
    k: param.ratio({
      default: 60,
      min: 0.01,
      max: 1e5,
      help: 'decay of the fills with the distance, per price',
    }),
    gamma: param.ratio({ default: 0.01, min: 1e-6, max: 10, help: 'risk aversion, per unit of currency' }),
    sigma: param.ratio({
      default: 0,
      min: 0,
      max: 1,
      help: 'move of the mid per square root of a second; 0: by the signal sigma',
    }),
    xi: param.probability({ default: 0, max: 0.5, help: 'move of the mid against us after a fill' }),
    form: param.choice({ values: ['closed', 'exact'], default: 'closed', help: 'closed form, or exact' }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares of each order' }),
    maxInventory: param.shares({ default: 100, help: 'net shares, long or short, at which a side stops' }),
    horizonMs: param.ms({
      default: 3_600_000,
      min: 1_000,
      max: 31_536_000_000,
      help: 'time left when no closing time is known',
    }),
    leastMs: param.ms({ default: 60_000, min: 1_000, help: 'time left is never taken as less than this' }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'a fair value older than this is not quoted on' }),
  },
  signals: ({ sigma, horizonMs, leastMs }) => ({
    sigma: sigma > 0 ? undefined : { kind: 'volatility', method: 'local', horizonMs, leastMs },
  }),
  quote(context) {
    const { fair, inventory, event, params, signals } = context;
    if (fair === null || fair.ageMs > params.maxFairAgeMs || fair.p <= 0 || fair.p >= 1) return NO_QUOTES;
    const { shares, maxInventory } = params;
    const seconds = Math.max(params.leastMs, event.msToClose ?? params.horizonMs) / 1_000;
    const sigma = params.sigma || signals.sigma?.value;
    if (sigma === undefined) return NO_QUOTES;
    const model: Glft = { ...params, sigma };
    const { bid, ask } =
      params.form === 'closed'
        ? closed(model, shares, inventory.net)
        : exact(model, shares, inventory.net, maxInventory, seconds);
    return twoSided(
      context,
      {
        price: fair.p - bid,
        shares: bid === Infinity ? 0 : Math.min(shares, maxInventory - inventory.net),
        steps: { fair: fair.p, glft: -bid },
      },
      {
        price: fair.p + ask,
        shares: ask === Infinity ? 0 : Math.min(shares, maxInventory + inventory.net),
        steps: { fair: fair.p, glft: ask },
      },
    );
  },
});

interface Distances {
  readonly bid: number;
  readonly ask: number;
}

function closed(model: Glft, shares: number, net: number): Distances {
  const { half, skewPerShare } = glftSized(model, shares);
  return { bid: half + net * skewPerShare, ask: half - net * skewPerShare };
}

/** Between two whole lots, the distances are in proportion. */
function exact(model: Glft, shares: number, net: number, maxInventory: number, seconds: number): Distances {
  const bound = Math.min(50, Math.max(1, Math.round(maxInventory / shares)));
  const rows = glftExact({ ...model, gamma: model.gamma * shares }, bound, seconds);
  const at = Math.max(0, Math.min(2 * bound, net / shares + bound));
  const below = rows[Math.floor(at)]!;
  const above = rows[Math.ceil(at)]!;
  const between = (low: number | null, high: number | null) =>
    low === null || high === null ? Infinity : low + (high - low) * (at - Math.floor(at));
  return { bid: between(below.bid, above.bid), ask: between(below.ask, above.ask) };
}
