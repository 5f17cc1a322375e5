/** A backtest that was kept, run once more from what it kept. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../domain/errors.js';
import { type BotSettings, SettingsSource } from '../../settings/index.js';
import type { RecordingSource, RunFile } from '../../storage/index.js';
import { programIdentity } from '../program-version.js';
import { strategyFilesOf } from '../strategies/files.js';
import { type BacktestOptions, openAll, runBacktest, sectionOf } from './run-backtest.js';

/**
 * The configuration is the one that the run kept, whatever became of its file; recordings and strategies have to be
 * what they were.
 * @throws UsageError naming what is not; RecordingError
 */
export async function runAgain(
  run: RunFile,
  watching: Pick<BacktestOptions, 'watch' | 'onStage'>,
): Promise<void> {
  const settings = run.configuration as BotSettings;
  refuseChangedStrategies(run, settings);
  const recordings = await recordingsOf(run, settings);
  const source = SettingsSource.parse('{}', run.configFile, {});
  const { headline } = await runBacktest({ ...watching, settings, source, recordings, runId: run.runId });
  const { decisions } = run;
  if (headline.decisions.hash === decisions?.hash && headline.decisions.count === decisions.count) return;
  throw new UsageError(
    `this program (${programIdentity()}) decides otherwise than the one that ran it (${run.program})`,
  );
}

function refuseChangedStrategies(run: RunFile, settings: BotSettings): void {
  for (const { instance, file, sha256 } of strategyFilesOf(settings, run.configFile)) {
    const before = run.strategies.find((one) => one.instance === instance);
    if (before?.sha256 !== sha256)
      throw new UsageError(
        `${file}, or what it imports, is not what it was when this ran; the run keeps the hash of a strategy alone`,
      );
  }
}

async function recordingsOf({ inputs }: RunFile, settings: BotSettings): Promise<readonly RecordingSource[]> {
  for (const { file } of inputs)
    if (!existsSync(file)) throw new UsageError(`${file}, which this run traded on, is not there any more`);
  const files = inputs.map(({ file }) => file);
  const sources = await openAll(files, sectionOf(settings).trades);
  const other = sources.find(({ sha256 }, place) => sha256 !== inputs[place]!.sha256);
  if (other !== undefined) throw new UsageError(`${other.name} is not what it was when this ran`);
  return sources;
}
