/** One configuration on one piece: the unit of a sweep that is done or not. */
import { createHash } from 'node:crypto';
import { type BotSettings, SettingsSource } from '../../settings/index.js';
import type { RecordingSource } from '../../storage/index.js';
import { runBacktest } from '../backtest/run-backtest.js';
import { backtestId } from '../backtest/run-id.js';
import { programIdentity } from '../program-version.js';
import { strategyFilesOf } from '../strategies/files.js';
import { ChangedStrategyError, loadedStrategyHash, strategyFile } from '../strategies/strategies.js';
import { failuresOf, type ScenarioCourse, stopRulesOf } from './failures.js';
import { settingsFor, type TradedPiece } from './pieces.js';
import { withoutKeys } from './without-keys.js';

/** Plain values, so that a thread can be sent them. */
export interface SweepJob {
  /** Hash of all that determines the result: configuration, strategies, recordings and notes beside them, stretch, seed, program. */
  readonly key: string;
  /** Place of the piece. */
  readonly piece: number;
  /** Without keys: nothing of a backtest needs them, and jobs travel. */
  readonly settings: BotSettings;
  /** Hash of each instance's strategy, in their order, as the key has them. */
  readonly strategies: readonly string[];
}

export interface FinishedJob {
  readonly key: string;
  /** In the order of the scenarios; currency. */
  readonly profits: readonly number[];
  readonly fills: readonly number[];
  /** Of each scenario: the rules of guards that stopped quoting, and what else did. */
  readonly stops: readonly (readonly string[])[];
  /** Of each scenario: what makes it a failure of the configuration, a line each. */
  readonly faults: readonly (readonly string[])[];
}

/** @param file the configuration file: strategies are found from its folder @throws UsageError when one is not */
export function jobOf(
  given: BotSettings,
  file: string,
  piece: Pick<TradedPiece, 'recordings' | 'from' | 'to'>,
  place: number,
): SweepJob {
  const settings = withoutKeys(settingsFor(given, piece));
  const strategies = strategyFilesOf(settings, file).map(({ sha256 }) => sha256);
  const run = backtestId(settings, strategies, piece.recordings);
  const determined = JSON.stringify([programIdentity(), run, piece.from, piece.to]);
  return { key: createHash('sha256').update(determined).digest('hex'), piece: place, settings, strategies };
}

/**
 * @param pause awaited many times a second; what it throws ends the job
 * @throws SettingsError, RecordingError, UsageError; ChangedStrategyError where a strategy is not the one any more that the key was made
 *   of: what it came to would be filed as another's
 */
export async function runJob(
  { key, settings, strategies }: SweepJob,
  file: string,
  recordings: readonly RecordingSource[],
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<FinishedJob> {
  const source = SettingsSource.parse('{}', file, {});
  const { scenarios, guarded, scenarioFaults } = await runBacktest({ settings, source, recordings, pause });
  requireStrategies(strategies, settings, file);
  const courses = scenarios.map(({ outcome }, place): ScenarioCourse => {
    const stops = guarded[place]!.guards?.stops ?? [];
    return { outcome, stops, strategyFaults: scenarioFaults[place]! };
  });
  return {
    key,
    profits: scenarios.map(({ profit }) => profit),
    fills: scenarios.map(({ fills }) => fills),
    stops: courses.map(stopRulesOf),
    faults: courses.map(failuresOf),
  };
}

/** Asked once they are loaded, and of what was: the disk may have changed again since. */
function requireStrategies(strategies: readonly string[], settings: BotSettings, file: string): void {
  for (const [place, { strategy }] of settings.instances.entries()) {
    const found = strategyFile(strategy, file);
    if (loadedStrategyHash(found) !== strategies[place])
      throw new ChangedStrategyError(
        `the strategy file ${found} changed while the sweep ran; run the sweep again`,
      );
  }
}
