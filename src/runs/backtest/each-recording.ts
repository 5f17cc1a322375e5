/** Backtests every instance of a configuration alone on every recording alone. */
import { basename, dirname, resolve } from 'node:path';
import type { RunAnalysis } from '../../analytics/analysis.js';
import { dayName, dayOf } from '../../domain/days.js';
import type { BotSettings, SettingsSource } from '../../settings/index.js';
import { openRecording } from '../../storage/recordings/recording.js';
import { unlessStopped } from '../interruption.js';
import { type BacktestResult, runBacktest, sectionOf } from './run-backtest.js';

/** One instance on one recording. */
export interface RecordingResult {
  /** Folder and name of the recording. */
  readonly recording: string;
  /** On which it begins, UTC. */
  readonly day: string;
  readonly instance: string;
  readonly strategy: string;
  readonly result: BacktestResult;
  /** Of the scenario of the headline. */
  readonly analysis: RunAnalysis;
}

const RECORDING = /\.ndjson(\.gz)?$/;

/** Folder and name of a recording. @param file its path */
export const recordingName = (file: string): string =>
  `${basename(dirname(resolve(file)))}/${basename(file).replace(RECORDING, '')}`;

/**
 * Backtests recording by recording, instance by instance. Markets are those of the recording.
 * @param told of a recording that is named twice: it counts once
 * @param out each run is written into its own folder below this one; left out: none is
 * @throws RecordingError, TapeError, SettingsError, UsageError, the reason of the stop
 */
export async function* backtestEach(
  { settings, source }: { readonly settings: BotSettings; readonly source: SettingsSource },
  recordings: readonly string[],
  stop?: AbortSignal,
  out?: string,
  told: (text: string) => void = () => undefined,
): AsyncGenerator<RecordingResult> {
  const names = new Map<string, string>();
  for (const file of recordings) {
    const { trades } = sectionOf(settings);
    const recording = recordingName(file);
    const opened = await unlessStopped(openRecording(file, { trades: trades.model }), stop);
    const before = names.get(opened.sha256);
    if (before !== undefined) {
      told(`${recording}: the same recording as ${before}; it counts once`);
      continue;
    }
    names.set(opened.sha256, recording);
    for (const instance of settings.instances) {
      const alone = settingsFor(settings, file, instance);
      const result = await runBacktest({
        settings: alone,
        source,
        recordings: [opened],
        analyse: true,
        ...(out !== undefined && { out }),
        ...(stop !== undefined && { stop }),
      });
      const { name, strategy } = instance;
      const analysis = result.analyses[result.scenarios.indexOf(result.headline)]!;
      yield { recording, day: dayName(dayOf(opened.firstAt)), instance: name, strategy, result, analysis };
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
