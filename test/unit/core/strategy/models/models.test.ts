import { describe, expect, it } from 'vitest';
import * as models from '../../../../../src/core/strategy/models/index.js';

/** Numbers that were computed independently (`../shared/design/market-making.md`), to the digits shown. */
const digits = (value: number | null, count: number) =>
  value === null ? null : Number(value.toFixed(count));
const six = (values: readonly number[]) => values.map((value) => digits(value, 6));

describe('avellaneda-stoikov', () => {
  it('has the spread of the paper, and a centre that leans against the inventory', () => {
    const quotes = models.avellanedaStoikov({
      mid: 100,
      inventory: 3,
      gamma: 0.1,
      sigma: 2,
      k: 1.5,
      timeLeft: 1,
    });
    expect(digits(quotes.reservation, 9)).toBe(98.8);
    expect(digits(quotes.ask - quotes.bid, 6)).toBe(digits(0.4 + 20 * Math.log(1 + 0.1 / 1.5), 6));
    expect(digits((quotes.ask + quotes.bid) / 2, 9)).toBe(98.8);
  });

  it.each([
    [{ mid: 0.3, inventory: 50 }, [0.28372721, 0.26772539, 0.30029323]],
    [{ mid: 0.97, inventory: -40 }, [0.970253, 0.94843791, 0.98300388]],
  ])('stays inside 0 and 1 in logit space: %j', (state, expected) => {
    const model = { gamma: 0.01, k: 60, sigmaLogit: 0.05, timeLeft: 300 };
    const { reservation, bid, ask } = models.logitAvellanedaStoikov({ ...model, ...state });
    expect([reservation, bid, ask].map((value) => digits(value, 8))).toEqual(expected);
  });
});

describe('glft', () => {
  const model = { sigma: 0.3, a: 0.9, k: 0.3, gamma: 0.01 };

  it('has the constants of the closed form', () => {
    const { eta, c, R } = models.glftConstants(model);
    expect([digits(eta, 10), digits(c, 10), digits(R, 10)]).toEqual([
      0.3256783558, 3.2789822823, 0.0678658325,
    ]);
    const moved = models.glftConstants({ ...model, xi: 1 });
    expect([digits(moved.eta, 10), digits(moved.R, 10)]).toEqual([0.2803139586, 0.0731515053]);
  });

  it.each([
    [
      0,
      600,
      0,
      [
        [3.544453, 3.544453],
        [4.174479, 3.013512],
        [5.330729, 2.383486],
        [null, 1.227236],
      ],
    ],
    [
      0,
      600,
      1,
      [
        [4.044705, 4.044705],
        [4.675152, 3.51326],
        [5.831565, 2.882813],
        [null, 1.7264],
      ],
    ],
  ])('is exact at t = %s of %s with xi %s', (t, T, xi, expected) => {
    const rows = models.glftExact({ ...model, xi }, 3, T - t).filter(({ q }) => q >= 0);
    expect(rows.map(({ bid, ask }) => [digits(bid, 6), digits(ask, 6)])).toEqual(expected);
  });

  it('is exact near the end, too', () => {
    const row = models.glftExact(model, 3, 10).find(({ q }) => q === 1)!;
    expect([digits(row.bid, 6), digits(row.ask, 6)]).toEqual([4.133307, 3.030605]);
  });

  it('does not overflow over a long horizon', () => {
    const stationary = models.glftExact(model, 3, Infinity);
    const long = models.glftExact(model, 3, 1e9);
    long.forEach(({ bid, ask }, i) => {
      expect([digits(bid, 9), digits(ask, 9)]).toEqual([
        digits(stationary[i]!.bid, 9),
        digits(stationary[i]!.ask, 9),
      ]);
    });
  });

  it('has a closed form for orders of a size', () => {
    const sized = models.glftSized({ sigma: 0.0005, a: 0.05, k: 60, gamma: 0.01 }, 100);
    expect(digits(sized.half, 8)).toBe(0.01669827);
    expect(sized.skewPerShare.toPrecision(5)).toBe('0.0000033794');
    expect(six([sized.half + 300 * sized.skewPerShare])).toEqual([0.017712]);
    const local = { a: 0.5531, k: 95.8, gamma: 0.01, sigma: models.localVolatility(0.5, 600) };
    const still = models.glftSized(local, 20);
    expect([digits(local.sigma, 8), digits(still.half, 8), still.skewPerShare.toPrecision(5)]).toEqual([
      0.01628675,
      0.0110111,
      '0.000058357',
    ]);
    const moved = models.glftSized({ ...local, xi: 0.03 }, 20);
    expect([digits(moved.half, 8), moved.skewPerShare.toPrecision(6)]).toEqual([0.02662464, '0.000119711']);
  });
});

describe('binary outcomes', () => {
  it('prices exponential utility exactly', () => {
    expect(digits(models.caraReservation(0.6, 50, 0.01), 6)).toBe(0.476384);
    expect(digits(models.caraLotPrice(0.6, 0, 0.01, 50), 6)).toBe(0.538589);
    expect(six(models.caraReservations([0.5, 0.3, 0.2], [40, -10, 0], 0.01))).toEqual([
      0.386703, 0.382539, 0.230757,
    ]);
  });

  it('knows the volatility of a probability', () => {
    expect(six([models.localVolatility(0.5, 1), models.localVolatility(0.1, 1)])).toEqual([
      0.398942, 0.175498,
    ]);
  });

  it('inverts the normal distribution, tails included', () => {
    expect(six([0.975, 0.025, 0.001, 0.999, 0.5].map(models.normalQuantile))).toEqual([
      1.959964, -1.959964, -3.090232, 3.090232, 0,
    ]);
  });

  it('breaks even against informed takers', () => {
    const { bid, ask } = models.glostenMilgrom(0.3, 0.1);
    expect(six([bid, ask])).toEqual([0.259615, 0.34375]);
  });
});

describe('lmsr', () => {
  it('sells shares along its cost', () => {
    expect(digits(models.lmsrShares(0.5, 0.6, 100), 6)).toBe(40.546511);
    const anchor = models.lmsrAnchor([0.5, 0.5], 100);
    const sold = [anchor[0]! + models.lmsrShares(0.5, 0.6, 100), anchor[1]!];
    expect(digits(models.lmsrCost(sold, 100) - models.lmsrCost(anchor, 100), 6)).toBe(22.314355);
    expect(models.lmsrLadder(0.5, 100, 0.01, 3, 1).map(({ shares }) => digits(shares, 6))).toEqual([
      4.000533, 4.003737, 4.01016,
    ]);
    expect(models.lmsrLadder(0.5, 100, 0.01, 3, -1).map(({ shares }) => digits(shares, 6))).toEqual([
      4.000533, 4.003737, 4.01016,
    ]);
  });

  it('prices a whole event, and bounds its loss', () => {
    const p0 = [0.5, 0.3, 0.2];
    const anchor = models.lmsrAnchor(p0, 100);
    const after = [anchor[0]! + models.lmsrShares(0.5, 0.6, 100), anchor[1]!, anchor[2]!];
    expect(six(models.lmsrPrices(after, 100))).toEqual([0.6, 0.24, 0.16]);
    expect(digits(models.lmsrCost(after, 100) - models.lmsrCost(anchor, 100), 6)).toBe(22.314355);
    expect(digits(models.lmsrBound(p0, 100), 6)).toBe(160.943791);
    expect(digits(models.lmsrLiquidity(p0, 160.943791), 4)).toBe(100);
  });
});

describe('coherence', () => {
  it('moves probabilities together until they sum to the winners', () => {
    const { mu, t } = models.coherent([0.52, 0.33, 0.21]);
    expect(six(mu)).toEqual([0.496148, 0.309249, 0.194603]);
    expect(digits(t, 8)).toBe(0.09544915);
    const two = models.coherent([0.9, 0.8, 0.5, 0.1], 2);
    expect(
      digits(
        two.mu.reduce((sum, each) => sum + each, 0),
        12,
      ),
    ).toBe(2);
  });

  it('refuses a number of winners that cannot be', () => {
    expect(() => models.coherent([0.5, 0.5], 2)).toThrow('winners is 2');
  });
});
