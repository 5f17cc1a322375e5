/** Backtests a second of a sweep: half-spreads of `fixed-spread` on every recording by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSweep } from '../../../src/runs/sweep/run-sweep.js';

const SECOND = 1_000;

/**
 * @param file       configuration of a sweep; its recordings and parameters are replaced
 * @param recordings files, each an event of its own
 * @returns the rate from the plan, with every recording decoded, to the last backtest; threads start in it
 */
export async function sweptPerSecond(
  file: string,
  recordings: readonly string[],
  threads: number,
): Promise<number> {
  const out = mkdtempSync(join(tmpdir(), 'oddsmith-sweep-'));
  const plan = { begun: 0, backtests: 0, ended: 0 };
  await runSweep({
    file,
    environment: {},
    overrides: [
      `backtest.recordings=${JSON.stringify(recordings)}`,
      'backtest.markets=recorded',
      'sweep.parameters={ instances.rain.params.halfSpread: { from: 0.01, to: 0.14, step: 0.01 } }',
      'sweep.splits=leave-one-event-out',
      'sweep.windows=1',
    ],
    out,
    threads,
    onPlan: (backtests) => Object.assign(plan, { backtests, begun: performance.now() }),
    onProgress: () => (plan.ended = performance.now()),
  });
  rmSync(out, { recursive: true });
  return (plan.backtests * SECOND) / (plan.ended - plan.begun);
}
