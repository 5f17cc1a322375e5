import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { LatentPath, Arrivals } from '../../../../src/exchange/participants/draws.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';

const HORIZON = 1_000_000;
const PATHS = 20_000;
const TIMES = [0.1, 0.5, 0.9, 0.999].map((part) => (part * HORIZON) as Micros);

const pathOf = (probability: number, seed: number): LatentPath =>
  new LatentPath(probability, HORIZON, seededRandom(seed), 0 as Micros);

/** Beliefs at the four times, and whether the outcome was long, of many paths. */
const sample = (probability: number) =>
  Array.from({ length: PATHS }, (_, seed) => {
    const path = pathOf(probability, seed);
    return { beliefs: TIMES.map((time) => path.advanceTo(time)), isLong: path.resolvesLong };
  });
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a latent path', () => {
  it('begins at its probability and ends at its outcome, not before', () => {
    const path = pathOf(0.62, 1);
    expect(path.advanceTo(0 as Micros)).toBeCloseTo(0.62, 12);
    const almost = path.advanceTo((0.9 * HORIZON) as Micros);
    expect(almost > 0 && almost < 1).toBe(true);
    expect(path.advanceTo(HORIZON as Micros)).toBe(path.resolvesLong ? 1 : 0);
    expect(path.advanceTo((2 * HORIZON) as Micros)).toBe(path.resolvesLong ? 1 : 0);
  });

  it.each([0.1, 0.5, 0.62])(
    'is a martingale from %s: its mean stays, and outcomes are as likely as it said',
    (p) => {
      const paths = sample(p);
      const error = 4.5 * Math.sqrt((p * (1 - p)) / PATHS);
      for (const time of TIMES.keys())
        expect(Math.abs(mean(paths.map(({ beliefs }) => beliefs[time]!)) - p)).toBeLessThan(error);
      expect(Math.abs(mean(paths.map(({ isLong }) => (isLong ? 1 : 0))) - p)).toBeLessThan(error);
    },
  );

  it('is calibrated: among paths that stand at a belief, that part ends long', () => {
    const paths = sample(0.5);
    for (const low of [0.1, 0.3, 0.5, 0.7]) {
      const here = paths.filter(({ beliefs }) => beliefs[1]! >= low && beliefs[1]! < low + 0.2);
      const believed = mean(here.map(({ beliefs }) => beliefs[1]!));
      const came = mean(here.map(({ isLong }) => (isLong ? 1 : 0)));
      expect(here.length).toBeGreaterThan(1_000);
      expect(Math.abs(came - believed)).toBeLessThan(4.5 * Math.sqrt(0.25 / here.length));
    }
  });

  it('has gone far at half time and almost all the way near the end', () => {
    const paths = sample(0.5);
    const spread = (time: number) => mean(paths.map(({ beliefs }) => Math.abs(beliefs[time]! - 0.5)));
    expect(spread(0)).toBeLessThan(0.13);
    expect(spread(1)).toBeGreaterThan(0.2);
    expect(spread(3)).toBeGreaterThan(0.49);
  });

  it('is the same for the same seed, however often it is asked', () => {
    const ask = () => TIMES.map((time) => pathOf(0.5, 3).advanceTo(time));
    expect(ask()).toEqual(ask());
  });

  it('never changes its mind when nothing is uncertain', () => {
    expect(TIMES.map((time) => pathOf(0, 5).advanceTo(time))).toEqual([0, 0, 0, 0]);
    expect(TIMES.map((time) => pathOf(1, 5).advanceTo(time))).toEqual([1, 1, 1, 1]);
  });
});

const SECOND = 1_000_000;
const START = 0 as Micros;

/** Arrivals within each second, asked exactly when due unless late. */
function countsPerSecond(ratePerS: number, seconds: number, lateMicros = 0): readonly number[] {
  const arrivals = new Arrivals(ratePerS, seededRandom(7), START);
  const counts = Array.from({ length: seconds }, () => 0);
  while (arrivals.next < seconds * SECOND) {
    const second = Math.floor(arrivals.next / SECOND);
    counts[second] = (counts[second] ?? 0) + 1;
    arrivals.pass((arrivals.next + lateMicros) as Micros);
  }
  return counts;
}
const meanWait = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('arrivals', () => {
  it.each([0.2, 2, 30])('come at %s a second, as often as their variance says', (rate) => {
    const counts = countsPerSecond(rate, 20_000);
    const average = meanWait(counts);
    const variance = meanWait(counts.map((count) => (count - average) ** 2));
    // Five standard errors of a Poisson mean, and the index of dispersion, which is one.
    expect(Math.abs(average - rate)).toBeLessThan(5 * Math.sqrt(rate / 20_000));
    expect(variance / average).toBeGreaterThan(0.93);
    expect(variance / average).toBeLessThan(1.07);
  });

  it('keep their rate when whoever asks is always late', () => {
    expect(countsPerSecond(5, 1_000, 900_000)).toEqual(countsPerSecond(5, 1_000));
  });

  it('are the same for the same seed and different for another', () => {
    const first = (seed: number) => new Arrivals(1, seededRandom(seed), START).next;
    expect(first(1)).toBe(first(1));
    expect(first(1)).not.toBe(first(2));
  });

  it('do not come in a burst after a long sleep', () => {
    const arrivals = new Arrivals(100, seededRandom(1), START);
    const woken = (3_600 * SECOND) as Micros;
    let burst = 0;
    while (arrivals.next <= woken) {
      burst += 1;
      arrivals.pass(woken);
    }
    expect(burst).toBeLessThan(200);
  });
});
