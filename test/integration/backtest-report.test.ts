import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { writeBacktestReport } from '../../src/runs/backtest/backtest-folder.js';
import { readReport } from '../../src/report/report-files.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { ROOT } from '../support/project/small-house.js';

const CONFIG = join(ROOT, 'config', 'backtest.yaml');

/** Kept for all tests. */
const out = mkdtempSync(join(tmpdir(), 'oddsmith-report-'));
afterAll(() => rmSync(out, { recursive: true }));

const analysed = (folder = out) => runBacktest({ ...loadBotSettings(CONFIG, {}), out: folder });
let first: ReturnType<typeof analysed> | null = null;
const PARQUET = 'report-fills.parquet';
/** One run that all tests look at. */
const firstRun = () => (first ??= analysed());

function written(result: Awaited<ReturnType<typeof analysed>>): string {
  const folder = scratchFolder();
  writeBacktestReport(folder, 'config/backtest.yaml', { ...result, fills: null }, result.analyses);
  return folder;
}

describe('the report of a backtest', () => {
  it('comes to what the books of the simulated venue say, under every scenario', async () => {
    const result = await firstRun();
    const report = readReport(written(result));
    expect(report.scenarios.map(({ scenario }) => scenario)).toEqual([
      'pessimistic',
      'expected',
      'optimistic',
    ]);
    result.scenarios.forEach(({ profit, fills, shares, fees }, index) => {
      const { total } = report.scenarios[index]!;
      expect(total.profit.executable).toBeCloseTo(profit, 6);
      expect(total.fills.count).toBe(fills);
      expect(total.fills.shares).toBeCloseTo(shares, 9);
      expect(total.queue.fills).toBeGreaterThan(0.9 * fills);
      expect(total.queue.meanRelative).toBeLessThan(0.5);
      expect(total.profit.fees - total.profit.rebates).toBeCloseTo(fees, 6);
    });
    expect(report.headline.profit).toBeCloseTo(result.headline.profit, 6);
  });

  it('shows no more reads of holdings than a minute asks for, the resolution at the end included', async () => {
    for (const { requests } of (await firstRun()).analyses)
      expect(requests.byKind['read-holdings']).toBeLessThan(20);
  });

  it('is the same bytes when it is run again', async () => {
    const [one, again] = [await firstRun(), await analysed(scratchFolder())].map(({ report }) =>
      dirname(report!),
    );
    for (const name of ['report.json', 'report.html', 'report-groups.csv', 'report-fills.csv', PARQUET])
      expect(readFileSync(join(again!, name)).equals(readFileSync(join(one!, name)))).toBe(true);
  });

  it('leaves the run as it is without one', async () => {
    const result = await firstRun();
    const alone = await runBacktest(loadBotSettings(CONFIG, {}));
    expect(alone.scenarios).toEqual(result.scenarios);
    expect(alone.analyses).toEqual([]);
  });
});
