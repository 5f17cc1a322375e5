/** The same houses, stories and auditor, with Harbour as the venue. */
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { HarbourWorld } from '../support/second-venue/world.js';
import { runSeed } from '../support/simulation/scenario/run-seed.js';

/** `npm run test:deep` and `npm test`. ODDSMITH_SEEDS_FROM moves the first seed. */
const SEEDS = process.env['ODDSMITH_DEEP'] === '1' ? 100 : 5;
const FIRST = Number(process.env['ODDSMITH_SEEDS_FROM'] ?? 1);
const SEEDS_PER_TEST = 5;

const beginnings = Array.from({ length: SEEDS / SEEDS_PER_TEST }, (_, part) => FIRST + part * SEEDS_PER_TEST);

/** @returns what the auditor found, and how many trades there were */
async function lived(seed: number): Promise<{ readonly found: readonly string[]; readonly trades: number }> {
  let trades = 0;
  const { findings } = await runSeed(seed, {
    folder: scratchFolder(),
    makeWorld: (options) => {
      const world = new HarbourWorld(options);
      world.record.listen((entry) => {
        if (entry.kind === 'said') trades += entry.events.filter(({ kind }) => kind === 'trade').length;
      });
      return world;
    },
  });
  return { found: findings.map(({ rule, text }) => `seed ${seed}: ${rule}: ${text}`), trades };
}

test.each(beginnings)(
  'a house at the second venue keeps its promises in 5 lives from seed %i on',
  async (first) => {
    let trades = 0;
    for (let seed = first; seed < first + SEEDS_PER_TEST; seed++) {
      const life = await lived(seed);
      expect(life.found).toEqual([]);
      trades += life.trades;
    }
    expect(trades).toBeGreaterThan(5);
  },
);

// The name of a create was taken, and the search for the order of that name was lost while the market paused.
test('a create that is still looked for holds back the cancels of its market', async () => {
  expect((await lived(59)).found).toEqual([]);
});
