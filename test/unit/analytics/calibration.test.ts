import { describe, expect, it } from 'vitest';
import { Calibrator } from '../../../src/analytics/calibration/calibrator.js';
import { fitIntensity } from '../../../src/analytics/calibration/poisson-intensity.js';
import {
  type Estimate,
  TimeBlocks,
  jackknifeError,
} from '../../../src/analytics/calibration/calibration-sums.js';
import { marketId } from '../../../src/domain/ids.js';
import { type Micros, type PriceUnits, micros, priceUnits } from '../../../src/domain/units.js';
import { seededRandom } from '../../../src/storage/clocks/seeded-random.js';

const MARKET = marketId(1);
const at = (seconds: number): Micros => micros(Math.round(seconds * 1e6));
const cents = (price: number): PriceUnits => priceUnits(Math.round(price * 100));

describe('fitIntensity', () => {
  const cells = [412, 233, 138, 79, 44].map((fills, index) => ({
    distance: (index + 1) / 100,
    seconds: 3_600,
    fills,
  }));

  it('finds the A and k of the market-making formulas, with their standard errors', () => {
    const fit = fitIntensity(cells)!;
    expect(Math.exp(fit.lnA)).toBeCloseTo(0.19847, 6);
    expect(fit.k).toBeCloseTo(55.333358, 5);
    expect(fit.errorOfLnA).toBeCloseTo(0.0658, 4);
    expect(fit.errorOfK).toBeCloseTo(2.81, 2);
  });

  it('agrees with a search that goes nowhere near a derivative', () => {
    const fit = fitIntensity(cells)!;
    const likelihood = (lnA: number, k: number) =>
      cells.reduce((sum, { distance, seconds, fills }) => {
        const mean = seconds * Math.exp(lnA - k * distance);
        return sum + fills * Math.log(mean) - mean;
      }, 0);
    const best = likelihood(fit.lnA, fit.k);
    for (let turn = 0; turn < 36; turn++) {
      const [lnA, k] = [fit.lnA + 1e-3 * Math.cos(turn / 5.7), fit.k + 0.1 * Math.sin(turn / 5.7)];
      expect(likelihood(lnA, k)).toBeLessThan(best);
    }
  });

  it('says nothing when only one distance was reached', () => {
    expect(fitIntensity([{ distance: 0.01, seconds: 60, fills: 9 }])).toBeNull();
    expect(fitIntensity(cells.map((cell, index) => ({ ...cell, fills: index === 0 ? 5 : 0 })))).toBeNull();
  });
});

/**
 * Twenty minutes in which takers want to reach exponentially far, 0.3 a second and side; the mid is one of the grid's prices or
 * half way between two, as the spread is. They print at the furthest price of the grid on their way.
 */
function planted({ tick, k, seed }: { readonly tick: number; readonly k: number; readonly seed: number }) {
  const random = seededRandom(`tape ${seed}`);
  const one = new Calibrator({ step: null, distances: 5, tickOf: () => tick });
  let [bid, spread] = [Math.round(5_000 / tick), 2];
  for (let second = 0; second < 1_200; second++) {
    if (random.uniform() < 0.2) bid += random.uniform() < 0.5 ? 1 : -1;
    if (random.uniform() < 0.2) spread = 1 + Math.floor(random.uniform() * 3);
    one.book(MARKET, at(second), priceUnits(bid * tick), priceUnits((bid + spread) * tick));
    for (const taker of ['bid', 'ask'] as const) {
      if (random.uniform() >= 0.3) continue;
      const wanted = ((-Math.log(1 - random.uniform()) / k) * 10_000) / tick;
      const offset = (spread % 2) / 2;
      const reach = Math.floor(wanted - offset) + offset;
      if (reach < 0) continue;
      const mid = bid + spread / 2;
      one.trade(
        MARKET,
        at(second + 0.5),
        priceUnits((taker === 'bid' ? mid + reach : mid - reach) * tick),
        taker,
      );
    }
  }
  one.close(MARKET, at(1_200));
  return one.figures().intensity!;
}

describe('Calibrator', () => {
  const calibrator = () => new Calibrator({ step: 100, distances: 3, tickOf: () => 100 });

  it('takes the prints of one taker as one, up to the furthest, from the mid before them', () => {
    const one = calibrator();
    one.book(MARKET, at(0), cents(49), cents(51));
    one.trade(MARKET, at(10), cents(51), 'bid');
    one.trade(MARKET, at(10), cents(52), 'bid');
    one.book(MARKET, at(10), cents(51), cents(53));
    one.trade(MARKET, at(20), cents(51), 'ask');
    one.trade(MARKET, at(20), cents(53), 'bid');
    one.close(MARKET, at(30));
    const { cells, trades, sweeps, seconds } = one.figures();
    // Two cents above 0.50, one below 0.52, one above it.
    expect(cells.map(({ fills }) => fills)).toEqual([3, 1, 0]);
    expect({ trades, sweeps, seconds }).toEqual({ trades: 4, sweeps: 3, seconds: 30 });
    expect(cells.map((cell) => cell.seconds)).toEqual([60, 60, 60]);
  });

  it('counts nothing while there is no mid', () => {
    const one = calibrator();
    one.trade(MARKET, at(0), cents(51), 'bid');
    one.book(MARKET, at(5), null as never, cents(51));
    one.book(MARKET, at(10), cents(49), cents(51));
    one.close(MARKET, at(15));
    one.trade(MARKET, at(16), cents(60), 'bid');
    expect(one.figures()).toMatchObject({ seconds: 5, sweeps: 0 });
  });

  it('takes moves of the mid over whole intervals', () => {
    const one = calibrator();
    one.book(MARKET, at(0), cents(49), cents(51));
    one.book(MARKET, at(2.5), cents(51), cents(53));
    one.close(MARKET, at(4.5));
    const [second] = one.figures().volatility;
    // Samples at 1, 2, 3 and 4 s: one move of two cents in four seconds.
    expect(second).toMatchObject({ seconds: 1, moves: 4 });
    expect(second!.sigma!.value).toBeCloseTo(Math.sqrt(0.02 ** 2 / 4), 12);
  });

  it('knows no error of a figure below ten stretches of ten seconds', () => {
    const errorAfter = (seconds: number): number | null => {
      const one = calibrator();
      for (let second = 0; second <= seconds; second += 1) {
        const mid = 50 + (second % 7);
        one.book(MARKET, at(second), cents(mid - 1), cents(mid + 1));
      }
      return one.figures().volatility[0]!.sigma!.error;
    };
    expect(errorAfter(60)).toBeNull();
    expect(errorAfter(120)).toBeGreaterThan(0);
  });

  it('finds the parameters that a market was drawn with, within its own errors', () => {
    const [intensity, k, sigma] = [0.4, 60, 0.004];
    const random = seededRandom(11);
    const one = new Calibrator({ step: 100, distances: 4, tickOf: () => 1 });
    let mid = 0.5;
    for (let second = 0; second < 7_200; second++) {
      mid += (random.uniform() < 0.5 ? 1 : -1) * sigma;
      // The mid wanders on a grid of half a price unit; takers come on either side with exponential reach.
      const units = Math.round(mid * 10_000);
      one.book(MARKET, at(second), priceUnits(units - 1), priceUnits(units + 1));
      for (const side of ['bid', 'ask'] as const)
        if (random.uniform() < 1 - Math.exp(-intensity)) {
          const reach = -Math.log(1 - random.uniform()) / k;
          const price = priceUnits(units + (side === 'bid' ? 1 : -1) * Math.round(reach * 10_000));
          one.trade(MARKET, at(second + 0.5), price, side);
        }
    }
    one.close(MARKET, at(7_200));
    const { intensity: fit, volatility } = one.figures();
    const arrivals = 1 - Math.exp(-intensity);
    expect(Math.abs(fit!.lnA.value - Math.log(arrivals))).toBeLessThan(4 * fit!.lnA.error!);
    expect(Math.abs(fit!.k.value - k)).toBeLessThan(4 * fit!.k.error!);
    const [second] = volatility;
    expect(Math.abs(second!.sigma!.value - sigma)).toBeLessThan(1e-4);
  });

  it.each([
    // A grid that is coarse for takers, one that is fine, and a market quoted wide.
    { tick: 100, k: 100 },
    { tick: 10, k: 60 },
    { tick: 100, k: 30 },
  ])('has errors that cover A and k as often as they claim, on any grid: $tick units, $k', ({ tick, k }) => {
    const tapes = Array.from({ length: 60 }, (_, seed) => planted({ tick, k, seed }));
    const covers = ({ value, error }: Estimate, truth: number): boolean =>
      Math.abs(value - truth) < 1.96 * error!;
    // Of 60 that cover it with 95 % fewer than 52 do in one of 140 cases.
    expect(tapes.filter((found) => covers(found.k, k)).length).toBeGreaterThanOrEqual(52);
    expect(tapes.filter((found) => covers(found.lnA, Math.log(0.3))).length).toBeGreaterThanOrEqual(52);
    const bias = tapes.reduce((sum, { k: found }) => sum + found.value / 60, 0) - k;
    const error = tapes.reduce((sum, { k: found }) => sum + found.error! / 60, 0);
    expect(Math.abs(bias)).toBeLessThan(error / 2);
  });

  it('tells how far the mid moves against a quote, and what is left of its distance', () => {
    const one = calibrator();
    one.book(MARKET, at(0), cents(49), cents(51));
    // A buyer reaches two cents; the mid is a cent higher from the third second, two from the twentieth.
    one.trade(MARKET, at(1), cents(51), 'bid');
    one.trade(MARKET, at(1), cents(52), 'bid');
    one.book(MARKET, at(4), cents(50), cents(52));
    one.book(MARKET, at(20), cents(51), cents(53));
    one.close(MARKET, at(101));
    const { rows, best, xi } = one.figures().edges;
    const moves = rows.map((row) => row.moves.map((move) => move?.value ?? null));
    expect(moves).toEqual([
      [0, 0.01, 0.01, 0.02],
      [0, 0.01, 0.01, 0.02],
      [null, null, null, null],
    ]);
    expect(rows.map(({ takers, prints, edge }) => [takers, prints, edge?.value ?? null])).toEqual([
      [1, 2, 0],
      [1, 2, 0.01],
      [0, 0, null],
    ]);
    // One taker in 101 s on one of two sides.
    expect(best).toMatchObject({ distance: 0.02, earns: { value: 0.01 / 202, error: null } });
    expect(xi).toEqual({ value: 0.02, error: null });
  });

  it('finds no distance that earns where the mid runs over every quote, an empty side included', () => {
    const one = calibrator();
    one.book(MARKET, at(0), cents(49), cents(51));
    one.trade(MARKET, at(1), cents(53), 'bid');
    one.book(MARKET, at(2), cents(90), null as never);
    one.book(MARKET, at(60), cents(90), cents(99));
    one.close(MARKET, at(61));
    const { rows, best } = one.figures().edges;
    // Half way from 0.90 to 1.
    expect(rows[2]!.moves[2]!.value).toBeCloseTo(0.45, 12);
    expect(best).toBeNull();
  });

  it('forgets what a close leaves unseen', () => {
    const one = calibrator();
    one.book(MARKET, at(0), cents(49), cents(51));
    one.trade(MARKET, at(1), cents(51), 'bid');
    one.close(MARKET, at(7));
    one.book(MARKET, at(8), cents(89), cents(91));
    one.close(MARKET, at(60));
    expect(one.figures().edges.rows[0]!.moves.map((move) => move?.value ?? null)).toEqual([0, 0, null, null]);
  });

  it('gives quantiles of delays', () => {
    const one = calibrator();
    for (let ms = 0; ms <= 100; ms++) one.heard(ms);
    const { feed, roundTrip } = one.figures();
    expect(feed).toMatchObject({ count: 101, median: 50 });
    expect(feed!.quantiles.map((ms) => Number(ms.toFixed(9)))).toEqual(
      Array.from({ length: 21 }, (_, index) => index * 5),
    );
    expect(roundTrip).toBeNull();
  });
});

describe('TimeBlocks', () => {
  class Count {
    count = 0;
    add(other: Count): void {
      this.count += other.count;
    }
  }

  it('doubles its stretches instead of their number, and loses nothing', () => {
    const blocks = new TimeBlocks(1e6, 4, () => new Count());
    for (let second = 0; second < 100; second++) blocks.at(second * 1e6).count += 1;
    expect(blocks.width).toBe(32e6);
    expect(blocks.all.map(({ count }) => count)).toEqual([32, 32, 32, 4]);
  });

  it('does not widen its stretches for a pause between recordings', () => {
    const blocks = new TimeBlocks(1e6, 4, () => new Count());
    for (const second of [0, 1, 400_000, 400_001]) blocks.at(second * 1e6).count += 1;
    expect(blocks.width).toBe(1e6);
    expect(blocks.all.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
    blocks.at(0).count += 1;
    blocks.at(400_002e6).count += 1;
    expect(blocks.width).toBe(2e6);
    expect(blocks.all.map(({ count }) => count)).toEqual([3, 2, 1]);
  });

  it('gives the error of a mean that everybody knows', () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6];
    class Mean {
      sum = 0;
      count = 0;
      add(other: Mean): void {
        this.sum += other.sum;
        this.count += other.count;
      }
    }
    const blocks = values.map((value) => Object.assign(new Mean(), { sum: value, count: 1 }));
    const error = jackknifeError(
      blocks,
      () => new Mean(),
      ({ sum, count }) => sum / count,
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    expect(error).toBeCloseTo(Math.sqrt(variance / values.length), 12);
  });
});
