import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Axis, candidatesOf, gridSize } from '../../../../src/runs/sweep/plan.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';

const range = (path: string, from: number, to: number, step: number | null = null): Axis => ({
  path,
  choice: { from, to, step },
});
const list = (path: string, ...choice: readonly (string | number | boolean | null)[]): Axis => ({
  path,
  choice,
});

describe('candidates of a sweep', () => {
  it('are every combination in a grid, the last axis fastest, on steps without noise', () => {
    const axes = [range('a', 0.1, 0.3, 0.1), list('b', 'x', null)];
    expect(gridSize(axes)).toBe(6);
    expect(candidatesOf('grid', axes, 1, seededRandom(1))).toEqual([
      [0.1, 'x'],
      [0.1, null],
      [0.2, 'x'],
      [0.2, null],
      [0.3, 'x'],
      [0.3, null],
    ]);
  });

  it('leave out what lies behind the last step', () => {
    expect(candidatesOf('grid', [range('a', 0, 1, 0.4)], 1, seededRandom(1))).toEqual([[0], [0.4], [0.8]]);
  });

  it('lie on the grid of prices where no step is stated', () => {
    for (const [value] of candidatesOf('random', [range('a', 0.01, 0.02)], 50, seededRandom(1)))
      expect(String(value)).toMatch(/^0\.0[12]\d{0,2}$/);
  });

  it('count a configuration once that is drawn twice', () => {
    const drawn = candidatesOf('random', [list('a', 1, 2)], 40, seededRandom(3));
    expect(drawn.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([[1], [2]]);
  });

  it('are the same for the same seed, and others for another', () => {
    const axes = [range('a', 0, 1), range('b', 0, 1)];
    const drawn = (seed: number) => candidatesOf('random', axes, 5, seededRandom(seed));
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    expect(drawn(1).map(([a]) => a)).not.toEqual(drawn(1).map(([, b]) => b));
  });

  it('of a Latin hypercube have one value in each equal part of every axis', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(), (samples, seed) => {
        const axes = [range('a', 0, samples - 1 / 1_000, 1 / 1_000), list('b', ...Array(samples).keys())];
        const drawn = candidatesOf('latin-hypercube', axes, samples, seededRandom(seed));
        for (const axis of [0, 1]) {
          const parts = drawn.map((candidate) => Math.floor(Number(candidate[axis])));
          expect(parts.toSorted((a, b) => a - b)).toEqual([...Array(samples).keys()]);
        }
      }),
    );
  });
});
