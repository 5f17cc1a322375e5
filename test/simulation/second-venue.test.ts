/** The same houses, stories and auditor, with Harbour as the venue. */
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { HARBOUR } from '../support/second-venue/profile.js';
import { HarbourWorld } from '../support/second-venue/world.js';
import { runSeed } from '../support/simulation/scenario/run-seed.js';

/** `npm run test:deep` and `npm test`. */
const SEEDS = process.env['ODDSMITH_DEEP'] === '1' ? 100 : 5;
const SEEDS_PER_TEST = 5;

async function findingsOf(seed: number, profile = HARBOUR): Promise<readonly string[]> {
  const { findings } = await runSeed(seed, {
    folder: scratchFolder(),
    makeWorld: (options) => new HarbourWorld({ ...options, profile }),
  });
  return findings.map(({ rule, text }) => `seed ${seed}: ${rule}: ${text}`);
}

describe('a house at the second venue keeps its promises', () => {
  const beginnings = Array.from({ length: SEEDS / SEEDS_PER_TEST }, (_, part) => 1 + part * SEEDS_PER_TEST);

  test.each(beginnings)('in 5 lives from seed %i on', async (first) => {
    for (let seed = first; seed < first + SEEDS_PER_TEST; seed++) expect(await findingsOf(seed)).toEqual([]);
  });
});

describe('the auditor finds', () => {
  test('a core that is told that long and short are held side by side', async () => {
    expect(await findingsOf(1, { ...HARBOUR, legs: 'both' })).not.toEqual([]);
  });
});
