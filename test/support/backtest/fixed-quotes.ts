/** Backtests of quotes that stand where they stand, over lines that a test writes down. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BacktestResult, runBacktest } from '../../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { recordingOf } from '../tape/neutral-lines.js';
import { ROOT } from '../project/small-house.js';

const FIXED = fileURLToPath(new URL('../strategies/fixed-prices.ts', import.meta.url));
const WIDE = {
  maxPositionShares: 100_000,
  maxEventLoss: 100_000,
  maxLoss: 100_000,
  maxOrderShares: 100_000,
  maxOrderAmount: 100_000,
  maxTakenAmount: null,
  priceCollar: '0.9',
  fillBreaker: { maxShares: null, maxAmount: null },
  markOut: { maxLoss: null },
};

/** @param shares of each quote @param overrides of the configuration, as `--set` takes them */
export const fixedQuotes = (
  lines: readonly string[],
  shares: number,
  ...overrides: readonly string[]
): Promise<BacktestResult> =>
  runBacktest({
    ...loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
      `backtest.recordings=["${recordingOf(lines)}"]`,
      'backtest.markets=recorded',
      'backtest.balance=100000',
      'backtest.latency={ feedMs: 10, requestMs: 10, responseMs: 10 }',
      `instances.0.strategy=${FIXED}`,
      `instances.0.params={ shares: ${shares} }`,
      `instances.0.limits=${JSON.stringify(WIDE)}`,
      ...overrides,
    ]),
    analyse: true,
  });
