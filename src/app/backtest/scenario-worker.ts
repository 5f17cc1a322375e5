/** The thread that runs scenarios: one job at a time, each answered by one message. */
import { parentPort } from 'node:worker_threads';
import { MountedTape } from '../../backtest/index.js';
import { UsageError } from '../../domain/errors.js';
import { SettingsSource } from '../../settings/index.js';
import { openShared, withOffsets } from '../../tape/index.js';
import { ScenarioSession, type ScenarioResult } from './scenario-session.js';
import type { ThreadAnswer, ThreadJob, ThreadProgress } from './scenario-threads.js';
import { stageOf } from './stage.js';

async function run({ settings, file, recordings: shared, task }: ThreadJob): Promise<ScenarioResult> {
  const recordings = shared.map(openShared);
  const stage = stageOf(settings, settings.backtest!, recordings);
  const session = await ScenarioSession.open(task, stage, SettingsSource.parse('{}', file, {}));
  let rows = 0;
  for await (const range of new MountedTape(recordings, stage.markets).ranges()) {
    await session.take(range);
    rows += range.to - range.from;
    if (rows < TOLD_EVERY) continue;
    parentPort?.postMessage({ rows } satisfies ThreadProgress);
    rows = 0;
  }
  return session.finish();
}

/** Rows: often enough for a person, seldom enough to cost nothing. */
const TOLD_EVERY = 2_000;

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
