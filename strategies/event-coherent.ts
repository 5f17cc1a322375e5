import {
  caraLotPrice,
  caraReservation,
  caraReservations,
  coherent,
  defineEventStrategy,
  type EventView,
  param,
  twoSided,
  unwindTakes,
} from 'oddsmith/sdk';

/**
 * Quotes all outcomes of an event from fair values that agree with each other, and with what is held of all of them.
 *
 *     L(mu_i) = L(p_i) - t      so that the mu sum to the number of winners
 *     r_i = mu_i e^(-gamma q_i) / sum_j mu_j e^(-gamma q_j)
 *     bid_i = ln(1 / (1 - r_i + r_i e^(-gamma d))) / (gamma d) - halfSpread - fee
 *     ask_i = ln(1 - r_i + r_i e^(gamma d)) / (gamma d) + halfSpread + fee
 *
 * L is the logit, q_i the net long shares of an outcome, d the shares of an order. The reservation prices are those of a trader
 * with exponential utility who waits for the resolution: exact where at most one outcome wins. None of the outcomes counts as one
 * more where it may happen. With more winners each price leans by its own holding, r_i = S(L(mu_i) - gamma q_i), and all are made
 * to agree again.
 *
 * Where the fair values leave room, between the least and the most winners, they stay as they are. The bids sum to less than the
 * winners and the asks to more, after rounding and fees: whoever trades on all outcomes at once pays for it.
 *
 * Where `limits.taking` allows an amount, it may unwind: what is held beyond `unwindBeyond`, and from `unwindMs` before the close
 * all that is held, it sells to bids, or buys back from asks, that are no worse than fair -+ `unwindCost`.
 */
export default defineEventStrategy({
  name: 'event-coherent',
  params: {
    gamma: param.ratio({ default: 0.002, min: 1e-6, max: 10, help: 'risk aversion, per unit of currency' }),
    halfSpread: param.probability({
      default: 0.01,
      min: 0.0001,
      max: 0.5,
      help: 'distance beyond the lot price',
    }),
    shares: param.shares({ default: 10, min: 0.01, help: 'shares of each order' }),
    maxInventory: param.shares({ default: 100, help: 'net shares of an outcome at which a side stops' }),
    winners: param.count({
      default: 0,
      min: 0,
      max: 1_000,
      help: 'number of outcomes that win; 0: as the event says',
    }),
    maxFairAgeMs: param.ms({ default: 60_000, help: 'a fair value older than this is not quoted on' }),
    unwindBeyond: param.shares({
      default: 0,
      help: 'net shares of an outcome beyond which it takes to reduce them; 0: never',
    }),
    unwindMs: param.ms({ default: 0, help: 'time before the close from which it takes to hold nothing' }),
    unwindCost: param.probability({
      default: 0.02,
      max: 0.5,
      help: 'most that a share may cost against its fair value when unwinding, taker fee included',
    }),
  },
  quote({ event, markets, params }) {
    const fair = event.markets.map((one) => one.fair);
    const areKnown = fair.every((p): p is number => p !== null && p > 0 && p < 1);
    if (!areKnown || markets.some((one) => (one.fair?.ageMs ?? 0) > params.maxFairAgeMs))
      return { ladders: {} };
    const held = event.markets.map(({ inventory }) => inventory);
    const keep = keepOf(event, params);
    const reservations = reservationsOf(fair, held, winnersOf(event, params.winners), params.gamma);
    const ladders = markets.map((context) => {
      const { market, inventory } = context;
      const at = event.markets.findIndex(({ id }) => id === market.id);
      const { shares, gamma } = params;
      const mustShrink = keep === 0 || Math.abs(inventory.net) > keep;
      const most = mustShrink ? keep : params.maxInventory;
      const r = reservations[at]!;
      const spread = params.halfSpread + Math.max(0, market.makerFee);
      const shown = { fair: fair[at]!, event: r - fair[at]! };
      const bid = caraLotPrice(r, 0, gamma, shares);
      const ask = caraLotPrice(r, 0, gamma, -shares);
      const ladder = twoSided(
        context,
        {
          price: bid - spread,
          shares: Math.min(shares, most - inventory.net),
          steps: { ...shown, lot: bid - r, 'half-spread': -spread },
        },
        {
          price: ask + spread,
          shares: Math.min(shares, most + inventory.net),
          steps: { ...shown, lot: ask - r, 'half-spread': spread },
        },
      );
      return [market.id, ladder] as const;
    });
    if (keep === Infinity) return { ladders: new Map(ladders) };
    return { ladders: new Map(ladders), takes: unwindTakes(markets, { keep, cost: params.unwindCost }) };
  },
});

/** Net shares of an outcome that may stay. */
function keepOf(
  event: EventView,
  { unwindBeyond, unwindMs }: { readonly unwindBeyond: number; readonly unwindMs: number },
): number {
  if (unwindMs > 0 && (event.msToClose ?? Infinity) <= unwindMs) return 0;
  return unwindBeyond > 0 ? unwindBeyond : Infinity;
}

interface Winners {
  readonly least: number;
  readonly most: number;
}

const winnersOf = ({ winners, markets }: EventView, stated: number): Winners =>
  stated > 0 && stated < markets.length ? { least: stated, most: stated } : winners;

/** Prices at which the next share leaves the utility as it is, in the order of the outcomes. */
function reservationsOf(
  fair: readonly number[],
  held: readonly number[],
  winners: Winners,
  gamma: number,
): readonly number[] {
  const mu = agreed(fair, winners);
  if (winners.most > 1)
    return agreed(
      mu.map((p, at) => caraReservation(p, held[at]!, gamma)),
      winners,
    );
  const none = winners.least === 1 ? 0 : Math.max(0, 1 - sumOf(mu));
  return caraReservations([...mu, none], [...held, 0], gamma).slice(0, mu.length);
}

/** Probabilities as they are if so many can win, else the nearest that can. */
function agreed(p: readonly number[], { least, most }: Winners): readonly number[] {
  const target = Math.min(most, Math.max(least, sumOf(p)));
  return target === sumOf(p) || target <= 0 || target >= p.length ? p : coherent(p, target).mu;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
