import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../../src/domain/errors.js';
import type { Random } from '../../../../src/core/ports/random.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';

const draw = (random: Random, count = 20): number[] => Array.from({ length: count }, () => random.uniform());

describe('seeded random', () => {
  it('gives the same numbers for the same seed, on every machine', () => {
    expect(draw(seededRandom(42))).toEqual(draw(seededRandom(42)));
    const random = seededRandom(42);
    expect([1, 2, 3, 4, 5].map(() => random.below(1_000))).toEqual([481, 145, 384, 670, 448]);
  });

  it('gives unrelated numbers for neighbouring seeds', () => {
    expect(draw(seededRandom(42))).not.toEqual(draw(seededRandom(43)));
  });

  it('forks by name, whatever was drawn before', () => {
    const parent = seededRandom(7);
    const before = draw(parent.fork('noise'));
    draw(parent);
    expect(draw(parent.fork('noise'))).toEqual(before);
    expect(draw(parent.fork('informed'))).not.toEqual(before);
    expect(draw(parent)).not.toEqual(before);
  });

  it('does not confuse a fork of a fork with a fork of a longer name', () => {
    expect(draw(seededRandom(1).fork('a').fork('b'))).not.toEqual(draw(seededRandom(1).fork('a/b')));
  });

  it('stays within [0, 1) and spreads evenly', () => {
    const values = draw(seededRandom(3), 20_000);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean).toBeGreaterThan(0.49);
    expect(mean).toBeLessThan(0.51);
  });

  it('draws every integer below n, also for n = 1 and n = 2^32', () => {
    const random = seededRandom(5);
    const seen = new Set(Array.from({ length: 1_000 }, () => random.below(7)));
    expect([...seen].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(random.below(1)).toBe(0);
    expect(random.below(2 ** 32)).toBeLessThan(2 ** 32);
  });

  it.each([0, -1, 1.5, 2 ** 32 + 1, Number.NaN])('refuses to draw below %s', (n) => {
    expect(() => seededRandom(5).below(n)).toThrow(InvariantError);
  });
});
