/** The same houses, stories and auditor, with Harbour as the venue. */
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { HarbourWorld } from '../support/second-venue/world.js';
import { runSeed } from '../support/simulation/scenario/run-seed.js';

/** `npm run test:deep` and `npm test`. */
const SEEDS = process.env['ODDSMITH_DEEP'] === '1' ? 50 : 5;
const SEEDS_PER_TEST = 5;

const beginnings = Array.from({ length: SEEDS / SEEDS_PER_TEST }, (_, part) => 1 + part * SEEDS_PER_TEST);

test.each(beginnings)(
  'a house at the second venue keeps its promises in 5 lives from seed %i on',
  async (first) => {
    let trades = 0;
    for (let seed = first; seed < first + SEEDS_PER_TEST; seed++) {
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
      expect(findings.map(({ rule, text }) => `seed ${seed}: ${rule}: ${text}`)).toEqual([]);
    }
    expect(trades).toBeGreaterThan(5);
  },
);
