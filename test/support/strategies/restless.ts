import { defineStrategy, NO_QUOTES, param, type Quote, quoteAt } from 'oddsmith/sdk';

/** What it wants until it changes its mind: pairs of a distance from the fair value and a size. */
// An interface would not be plain JSON to the compiler.
type Mood = {
  readonly untilMs: number;
  readonly bids: readonly (readonly [distance: number, shares: number])[];
  readonly asks: readonly (readonly [distance: number, shares: number])[];
};

const CALM: Mood = { untilMs: 0, bids: [], asks: [] };

/**
 * Wants anything that a strategy may want, for tests: one side, none, six levels, prices that take and lie on no grid, and
 * sizes of which some are below every minimum. Keeps to it for a while, and then wants something else.
 */
export default defineStrategy({
  name: 'restless',
  params: {
    shares: param.shares({ default: 10, min: 0.01, help: 'about so many on a level' }),
    skew: param.probability({
      default: 0.02,
      max: 0.2,
      help: 'most by which its fair value is another than ours',
    }),
    patienceMs: param.ms({ default: 4_000, live: true, help: 'about so long it wants the same' }),
  },
  depth: () => 6,
  initialState: CALM,
  quote({ fair, nowMs, params, state, random, market }) {
    if (fair === null) return NO_QUOTES;
    const mood = nowMs < state.untilMs ? state : moodOf();
    return {
      bids: levels(mood.bids, fair.p, -1, market.tick),
      asks: levels(mood.asks, fair.p, 1, market.tick),
      state: mood,
    };

    function moodOf(): Mood {
      const skew = (2 * random.uniform() - 1) * params.skew;
      return {
        untilMs: nowMs + Math.round((0.2 + random.uniform()) * params.patienceMs),
        bids: side(-skew),
        asks: side(skew),
      };
    }

    function side(first: number): readonly (readonly [number, number])[] {
      const count = random.uniform() < 0.25 ? 0 : 1 + random.below(6);
      const gap = random.uniform() * 0.02;
      return Array.from({ length: count }, (_, level) => [
        first + (level + random.uniform() / 2) * gap,
        params.shares * (random.uniform() < 0.2 ? 0.01 : 2 * random.uniform()),
      ]);
    }
  },
});

function levels(wanted: Mood['bids'], fair: number, sign: 1 | -1, tick: number): readonly Quote[] {
  return wanted.flatMap(([distance, shares]) => {
    const price = fair + sign * (distance + tick);
    return price <= tick || price >= 1 - tick || shares < 0.01
      ? []
      : [quoteAt(price, shares, { fair, distance: sign * (distance + tick) })];
  });
}
