/** Backtests every instance of a configuration alone on every recording alone. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { RunAnalysis } from '../../analytics/analysis.js';
import { UsageError } from '../../domain/errors.js';
import type { BotSettings, SettingsSource } from '../../settings/index.js';
import { openRecording } from '../../storage/recordings/recording.js';
import { unlessStopped } from '../interruption.js';
import { type BacktestResult, runBacktest, sectionOf } from './run-backtest.js';

/** One instance on one recording. */
export interface RecordingResult {
  /** Folder and name of the recording. */
  readonly recording: string;
  readonly instance: string;
  readonly strategy: string;
  readonly result: BacktestResult;
  /** Of the scenario with the least profit. */
  readonly analysis: RunAnalysis;
}

const RECORDING = /\.ndjson(\.gz)?$/;
/** `000001.ndjson.gz`: a segment of an own tape, which is read as a whole. */
const SEGMENT = /^\d{6}\.ndjson\.gz$/;

/**
 * @param paths recordings, and folders of recordings in the neutral form
 * @returns recordings in the order in which they are named; within a folder by name
 * @throws UsageError for a path that does not exist
 */
export function recordingsIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new UsageError(`${path}: there is no such recording or folder`);
    if (!found.isDirectory()) return [path];
    const names = readdirSync(path)
      .filter((name) => RECORDING.test(name))
      .toSorted();
    const isTape = names.length === 0 || names.some((name) => SEGMENT.test(name));
    return isTape ? [path] : names.map((name) => join(path, name));
  });
}

/** Folder and name of a recording. @param file of {@link recordingsIn} */
export const recordingName = (file: string): string =>
  `${basename(dirname(resolve(file)))}/${basename(file).replace(RECORDING, '')}`;

/**
 * Backtests recording by recording, instance by instance. Markets are those of the recording.
 * @param out each run is written into its own folder below this one; left out: none is
 * @throws RecordingError, TapeError, SettingsError, UsageError, the reason of the stop
 */
export async function* backtestEach(
  { settings, source }: { readonly settings: BotSettings; readonly source: SettingsSource },
  recordings: readonly string[],
  stop?: AbortSignal,
  out?: string,
): AsyncGenerator<RecordingResult> {
  for (const file of recordings) {
    const { trades } = sectionOf(settings);
    const opened = [await unlessStopped(openRecording(file, { trades: trades.model }), stop)];
    for (const instance of settings.instances) {
      const alone = settingsFor(settings, file, instance);
      const result = await runBacktest({
        settings: alone,
        source,
        recordings: opened,
        analyse: true,
        ...(out !== undefined && { out }),
        ...(stop !== undefined && { stop }),
      });
      const { name, strategy } = instance;
      const recording = recordingName(file);
      const analysis = result.analyses[result.scenarios.indexOf(result.headline)]!;
      yield { recording, instance: name, strategy, result, analysis };
    }
  }
}

const settingsFor = (
  settings: BotSettings,
  file: string,
  instance: BotSettings['instances'][number],
): BotSettings => ({
  ...settings,
  instances: [instance],
  backtest: { ...sectionOf(settings), markets: 'recorded', recordings: [file] },
});
