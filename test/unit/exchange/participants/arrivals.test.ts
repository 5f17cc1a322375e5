import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { Arrivals } from '../../../../src/exchange/participants/arrivals.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';

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
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('arrivals', () => {
  it.each([0.2, 2, 30])('come at %s a second, as often as their variance says', (rate) => {
    const counts = countsPerSecond(rate, 20_000);
    const average = mean(counts);
    const variance = mean(counts.map((count) => (count - average) ** 2));
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
