/** The thread that runs scenarios, one job at a time. */
import { parentPort } from 'node:worker_threads';
import { MergedRecordings } from './merged-recordings.js';
import { UsageError } from '../../domain/errors.js';
import { SettingsSource } from '../../settings/index.js';
import { openShared } from '../../storage/index.js';
import { ScenarioSession, type ScenarioResult } from './scenario-session.js';
import type { ThreadAnswer, ThreadJob, ThreadProgress } from './scenario-threads.js';
import { setupOf } from './backtest-setup.js';

async function run({ settings, file, recordings: shared, task }: ThreadJob): Promise<ScenarioResult> {
  const recordings = shared.map(openShared);
  const setup = setupOf(settings, settings.backtest!, recordings);
  const session = await ScenarioSession.open(task, setup, SettingsSource.parse('{}', file, {}));
  let [rows, toldAt] = [0, 0];
  const tell = (passed: number): void => {
    rows += passed;
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    parentPort?.postMessage({ rows } satisfies ThreadProgress);
    [rows, toldAt] = [0, performance.now()];
  };
  for await (const range of new MergedRecordings(recordings, setup.markets).ranges())
    await session.take(range, tell);
  return session.finish();
}

const TOLD_EVERY_MS = 50;

async function answer(job: ThreadJob): Promise<ThreadAnswer> {
  try {
    return { ok: true, result: await run(job) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, isUsage: error instanceof UsageError, text };
  }
}

parentPort?.on('message', (job: ThreadJob) => {
  void answer(job).then((told) => parentPort?.postMessage(told));
});
