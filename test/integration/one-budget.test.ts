/** Memory must not grow with the number of recordings: all that a command holds are counted against one budget. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { calibrate } from '../../src/runs/calibrate.js';
import { explainOrder } from '../../src/runs/explain/explain.js';
import { planSweep } from '../../src/runs/sweep/plan.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { BlockBudget, openTogether } from '../../src/storage/index.js';
import { linesOfMarket } from '../support/tape/neutral-lines.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';
import { bytesOf } from '../../src/storage/recordings/blocks.js';

afterEach(() => vi.restoreAllMocks());

const configOf = (name: string): string => join(ROOT, 'config', name);

/** Three recordings of a market, one after the other, with trades. */
function threeFiles(): readonly string[] {
  const { book, trade } = linesOfMarket(3001);
  const folder = scratchFolder();
  return [0, 1, 2].map((place) => {
    const lines = Array.from({ length: 100 }, (_, at) => {
      const t = place * 20_000 + at * 100;
      return [book(t, [[0.5 - (at % 3) / 100, 10]], [[0.6, 10]]), trade(t + 50, 0.5, 1, 'ask')];
    });
    writeFileSync(join(folder, `${place}.ndjson`), lines.flat().join('\n'));
    return join(folder, `${place}.ndjson`);
  });
}

/** How many budgets held what a command decoded, and how often blocks were put to one. */
async function budgetsOf(
  command: () => Promise<unknown>,
): Promise<readonly [budgets: number, blocks: number]> {
  const take = vi.spyOn(BlockBudget.prototype, 'take');
  await command();
  return [new Set(take.mock.contexts).size, take.mock.calls.length];
}

it('a calibration', async () => {
  const files = threeFiles();
  expect(await budgetsOf(() => calibrate(files, { step: null, distances: 4 }))).toEqual([1, 3]);
});

it('a backtest, and one that is run again to explain it', async () => {
  const { settings, source } = loadBotSettings(configOf('backtest.yaml'), {}, [
    `backtest.recordings=${JSON.stringify(threeFiles())}`,
  ]);
  const out = scratchFolder();
  expect(await budgetsOf(() => runBacktest({ settings, source, out }))).toEqual([1, 3]);
  vi.restoreAllMocks();
  const run = join(out, readdirSync(out)[0]!);
  expect(await budgetsOf(() => explainOrder(run, { order: null, scenario: 'expected' }))).toEqual([1, 3]);
});

it('a sweep', async () => {
  const overrides = [`backtest.recordings=${JSON.stringify(threeFiles())}`];
  const inputs = { file: configOf('sweep.yaml'), environment: {}, overrides };
  expect(await budgetsOf(() => planSweep(inputs))).toEqual([1, 3]);
});

it('and what does not fit besides the others is decoded again', async () => {
  const taken = vi.spyOn(BlockBudget.prototype, 'take');
  const files = threeFiles();
  await openTogether(files);
  const bytes = Math.max(...taken.mock.calls.map(([block]) => bytesOf(block)));
  const opened = await openTogether(files, { budget: new BlockBudget(bytes * 2) });
  expect(opened.filter(({ shared }) => shared.kept === null)).toHaveLength(1);
});
