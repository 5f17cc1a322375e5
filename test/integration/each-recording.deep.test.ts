import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backtestEach, type RecordingResult } from '../../src/runs/backtest/each-recording.js';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { ROOT } from '../support/project/small-house.js';

const RAIN = join(ROOT, 'config/recordings/synthetic-rain.ndjson.gz');
const settings = () => loadBotSettings(join(ROOT, 'config/recordings.yaml'), {});

async function rowsOf(recordings: readonly string[]): Promise<readonly RecordingResult[]> {
  const rows: RecordingResult[] = [];
  for await (const row of backtestEach(settings(), recordings)) rows.push(row);
  return rows;
}

describe('every instance on every recording', () => {
  it('is traded alone, as if it were the only one', async () => {
    const rows = await rowsOf([RAIN]);
    expect(rows.map(({ recording, instance }) => [recording, instance])).toEqual([
      ['recordings/synthetic-rain', 'fixed-spread'],
      ['recordings/synthetic-rain', 'inventory-skew'],
    ]);
    const alone = await runBacktest(settings());
    expect(rows[0]!.result.scenarios).toEqual(alone.scenarios);
    expect(rows[1]!.result.scenarios).not.toEqual(alone.scenarios);
  });

  it('tells where the profit of the headline came from', async () => {
    for (const { result, analysis } of await rowsOf([RAIN])) {
      expect(result.headline.profit).toBe(result.scenarios[0]!.profit);
      expect(analysis.total.profit.executable).toBeCloseTo(result.headline.profit, 6);
    }
  });
});
