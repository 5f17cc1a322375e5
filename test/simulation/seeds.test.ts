import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { canarySeam } from '../support/simulation/canaries/canaries.js';
import { type Edition, LATEST } from '../support/simulation/edition.js';
import { runSeed } from '../support/simulation/scenario/run-seed.js';

/** `npm run test:deep` and `npm test`; `npm run simulate -- --seeds N` takes any number. */
const SEEDS = process.env['ODDSMITH_DEEP'] === '1' ? 300 : 50;
const SEEDS_PER_TEST = 25;

const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

interface Recorded {
  readonly seed: number;
  /** In which it was found: houses of later ones live another life. */
  readonly edition: Edition;
}

interface Regression extends Recorded {
  readonly why: string;
}

const regressions = read('regressions.json') as readonly Regression[];
const canaries = Object.entries(read('canaries.json') as Readonly<Record<string, Recorded>>);

/** What the auditor says to a seed, with how to see it again. */
async function findingsOf(seed: number, edition = LATEST): Promise<readonly string[]> {
  const { findings } = await runSeed(seed, { folder: scratchFolder(), edition });
  return findings.map(
    ({ rule, text }) => `npm run simulate -- --seed ${seed} --edition ${edition}: ${rule}: ${text}`,
  );
}

describe('a house in trouble keeps its promises', () => {
  const beginnings = Array.from({ length: SEEDS / SEEDS_PER_TEST }, (_, part) => 1 + part * SEEDS_PER_TEST);

  test.each(beginnings)('in 25 lives from seed %i on', async (first) => {
    for (let seed = first; seed < first + SEEDS_PER_TEST; seed++) expect(await findingsOf(seed)).toEqual([]);
  });

  test.each(regressions)('as in seed $seed, where once $why', async ({ seed, edition }) => {
    expect(await findingsOf(seed, edition)).toEqual([]);
  });

  test('and two lives of one seed are the same', async () => {
    const [first, second] = [
      await runSeed(5, { folder: scratchFolder() }),
      await runSeed(5, { folder: scratchFolder() }),
    ];
    expect(second).toEqual(first);
    expect(first.requests).toBeGreaterThan(100);
  });
});

describe('the auditor finds', () => {
  test.each(canaries)('%s', async (name, { seed, edition }) => {
    const { findings } = await runSeed(seed, {
      folder: scratchFolder(),
      edition,
      seam: canarySeam(name),
      isImpatient: true,
    });
    expect(findings).not.toEqual([]);
  });
});
