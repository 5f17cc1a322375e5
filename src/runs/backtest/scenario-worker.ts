/** The thread that runs scenarios: one job at a time, each answered by one message. */
import { parentPort } from 'node:worker_threads';
import { MergedRecordings } from './merged-recordings.js';
import { UsageError } from '../../domain/errors.js';
import { SettingsSource } from '../../settings/index.js';
import { openShared, withOffsets } from '../../storage/index.js';
import { ScenarioSession, type ScenarioResult } from './scenario-session.js';
import type { ThreadAnswer, ThreadJob, ThreadProgress } from './scenario-threads.js';
import { stageOf } from './stage.js';

async function run({ settings, file, recordings: shared, task }: ThreadJob): Promise<ScenarioResult> {
  const recordings = shared.map(openShared);
  const stage = stageOf(settings, settings.backtest!, recordings);
  const session = await ScenarioSession.open(task, stage, SettingsSource.parse('{}', file, {}));
  let [rows, toldAt] = [0, 0];
  const tell = (passed: number): void => {
    rows += passed;
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    parentPort?.postMessage({ rows } satisfies ThreadProgress);
    [rows, toldAt] = [0, performance.now()];
  };
  for await (const range of new MergedRecordings(recordings, stage.markets).ranges())
    await session.take(range, tell);
  return session.finish();
}

/** Often enough for a person, seldom enough to cost nothing. */
const TOLD_EVERY_MS = 50;

async function answer(job: ThreadJob): Promise<ThreadAnswer> {
  try {
    return { ok: true, result: await withOffsets(run(job)) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, isUsage: error instanceof UsageError, text };
  }
}

parentPort?.on('message', (job: ThreadJob) => {
  void answer(job).then((told) => parentPort?.postMessage(told));
});
