import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainDifferences } from '../../../../src/runs/screen/differences.js';
import type { SweepJob } from '../../../../src/runs/sweep/job.js';
import { type BotSettings, loadBotSettings } from '../../../../src/settings/index.js';
import { ROOT } from '../../../support/project/small-house.js';

const { settings } = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, []);
const job: SweepJob = { key: 'a', piece: 0, settings, strategies: [] };

/** What the two differ by while each cause is there. */
const BY = {
  late: ({ backtest }: BotSettings) => (backtest!.latency.requestMs === 0 ? 0 : 4),
  poor: ({ venue, instances: [one] }: BotSettings) =>
    venue?.rateLimit.perMinute === 1_000_000 && one!.limits.ordersPerMinute === 1_000_000 ? 0 : 3,
  copied: ({ backtest }: BotSettings) => (backtest!.duplicateWindowMs === 0 ? 0 : -2),
  blind: ({ backtest }: BotSettings) => (backtest!.depth === null ? 0 : 1),
};

describe('the differences of screen and engine', () => {
  it('are what is gone without a cause, and the rest', async () => {
    const keys: string[] = [];
    const [found] = await explainDifferences([[job]], (configurations) => {
      keys.push(...configurations.flat().map(({ key }) => key));
      return Promise.resolve(
        configurations.map(([one]) => Object.values(BY).reduce((sum, by) => sum + by(one!.settings), 0.5)),
      );
    });
    expect(found).toEqual({
      difference: 6.5,
      parts: { latency: 4, budget: 3, copies: -2, levels: 1 },
      rest: 0.5,
    });
    expect(new Set(keys).size).toBe(5);
  });
});
