import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { invariant } from '../../domain/errors.js';
import type { Random } from '../../core/ports/random.js';

const LARGEST_RANGE = 2 ** 32;

/**
 * Seeded randomness (xoroshiro128+). The same seed gives the same numbers on every machine; a fork depends on the
 * seed and the names that lead to it, not on how many numbers were drawn before.
 */
export const seededRandom = (seed: number | string): Random => stream(`oddsmith\0${seed}`);

/** The path is hashed, so that neighbouring seeds and similar names have nothing in common. */
function stream(path: string): Random {
  const digest = createHash('sha256').update(path).digest();
  const state = [0, 4, 8, 12].map((offset) => digest.readInt32LE(offset));
  const generator = xoroshiro128plusFromState(state);
  return {
    uniform: () => uniformFloat64(generator),
    below(n) {
      invariant(Number.isInteger(n) && n >= 1 && n <= LARGEST_RANGE, `no integer below ${n} can be drawn`);
      return uniformInt(generator, 0, n - 1);
    },
    fork: (name) => stream(`${path}\0${name}`),
  };
}
