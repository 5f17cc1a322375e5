/** The thread that runs scenarios, one job at a time. */
import { SettingsSource } from '../../settings/index.js';
import { openShared } from '../../storage/recordings/recording.js';
import { type Answer, answerOf } from '../threads.js';
import { setupOf } from './backtest-setup.js';
import { fairFileOf } from './recorded-values.js';
import { MergedRecordings } from './merged-recordings.js';
import { type ScenarioResult, ScenarioSession } from './scenario-session.js';
import type { ThreadJob } from './scenario-threads.js';

const TOLD_EVERY_MS = 50;

export default (job: ThreadJob): Promise<Answer<ScenarioResult>> => answerOf(run(job));

async function run({ settings, file, recordings: shared, task, port }: ThreadJob): Promise<ScenarioResult> {
  const recordings = shared.map(openShared);
  const backtest = settings.backtest!;
  const setup = setupOf(settings, backtest, recordings, fairFileOf(backtest, file));
  const session = await ScenarioSession.open(task, setup, SettingsSource.parse('{}', file, {}));
  let [rows, toldAt] = [0, 0];
  const tell = (passed: number): void => {
    rows += passed;
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    port.postMessage(rows);
    [rows, toldAt] = [0, performance.now()];
  };
  for await (const range of new MergedRecordings(recordings, setup.markets).ranges())
    await session.take(range, tell);
  return session.finish();
}
