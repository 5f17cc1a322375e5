/** A job of a sweep: one configuration on one piece. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type BotSettings, SettingsSource } from '../../settings/index.js';
import { type RecordingSource, type SharedRecording } from '../../storage/index.js';
import { fairFileOf } from '../backtest/recorded-values.js';
import { runBacktest, sectionOf } from '../backtest/run-backtest.js';
import { backtestId } from '../backtest/backtest-setup.js';
import { programIdentity } from '../program.js';
import {
  strategyFilesOf,
  ChangedStrategyError,
  loadedStrategyHash,
  strategyFile,
} from '../strategies/strategies.js';
import { settingsFor, type TradedPiece } from './pieces.js';
import type { StopFigures } from '../../analytics/guard-figures.js';
import { STRATEGY_FAULT } from '../../core/engine/quoting/quoted-market.js';
import { stoppedBy } from '../../report/run-report.js';
import type { ScenarioTotals } from '../backtest/scenario-totals.js';
import { breath, unlessStopped } from '../interruption.js';
import { openThreads, resultOf } from '../threads.js';

/** Plain values that can be sent to a thread or another machine. */
export interface SweepJob {
  /** Hash of everything that determines the result: configuration, strategies, recordings, notes, time, seed, program. */
  readonly key: string;
  /** Index of the piece. */
  readonly piece: number;
  /** Without keys, because jobs travel. */
  readonly settings: BotSettings;
  /** Hash of each instance's strategy, in their order. */
  readonly strategies: readonly string[];
}

/** Schema of a finished job. */
export const finishedJobSchema = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  profits: z.array(z.number()),
  fills: z.array(z.number()),
  stops: z.array(z.array(z.string())),
  faults: z.array(z.array(z.string())),
});

export interface FinishedJob {
  readonly key: string;
  /** In the order of the scenarios; currency. */
  readonly profits: readonly number[];
  readonly fills: readonly number[];
  /** What stopped quoting in each scenario: rules of guards and other reasons. */
  readonly stops: readonly (readonly string[])[];
  /** Failures of the configuration in each scenario. */
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
  const run = backtestId(settings, strategies, piece.recordings, fairFileOf(sectionOf(settings), file));
  const determined = JSON.stringify([programIdentity(), run, piece.from, piece.to]);
  return { key: createHash('sha256').update(determined).digest('hex'), piece: place, settings, strategies };
}

/**
 * @param pause awaited many times a second; what it throws ends the job
 * @throws SettingsError, RecordingError, UsageError; ChangedStrategyError when a strategy changed since the key was made
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

/** Compares the strategies as they were loaded. @throws ChangedStrategyError where a file changed since the key was made */
export function requireStrategies(strategies: readonly string[], settings: BotSettings, file: string): void {
  for (const [place, { strategy }] of settings.instances.entries()) {
    const found = strategyFile(strategy, file);
    if (loadedStrategyHash(found) !== strategies[place])
      throw new ChangedStrategyError(
        `the strategy file ${found} changed while the sweep ran; run the sweep again`,
      );
  }
}

/** Result of a scenario. */
export interface ScenarioCourse {
  readonly outcome: ScenarioTotals['outcome'];
  /** What guards stopped. */
  readonly stops: readonly StopFigures[];
  /** What stopped strategies, a line for each instance. */
  readonly strategyFaults: readonly string[];
}

/** The only stop that no limit of the configuration causes. */
const VENUE_REFUSAL = 'venue-refusal';

/**
 * Failures of a configuration: failed strategies, refusals of the venue, and ends that are not clean. Stops by configured
 * limits (losses, fills, mark-outs) are no failures: the sweep tries them, and their cost is in the profit.
 */
export const failuresOf = ({ outcome, stops, strategyFaults }: ScenarioCourse): readonly string[] => [
  ...strategyFaults,
  ...stops.flatMap(({ rule, text }) => (rule === VENUE_REFUSAL ? [`stopped by ${rule}: ${text}`] : [])),
  ...(outcome === 'clean' ? [] : [`the run did not end clean: ${outcome}`]),
];

/** Why a scenario stopped quoting: rules of guards, `strategy-fault`, and an end that was not clean. */
export const stopRulesOf = ({ outcome, stops, strategyFaults }: ScenarioCourse): readonly string[] => [
  ...stoppedBy(stops),
  ...(strategyFaults.length === 0 ? [] : [STRATEGY_FAULT]),
  ...(outcome === 'clean' ? [] : [outcome]),
];

/**
 * Removes keys, tokens and accounts from settings. It stays visible whether a guard has its own keys, because they leave
 * the bot its allowance.
 */
export function withoutKeys(settings: BotSettings): BotSettings {
  const { venue, exchange, guard, http, fairValues, alerts } = settings;
  return {
    ...settings,
    venue: venue && { ...venue, publicKey: '', privateKey: '' },
    exchange: exchange && { ...exchange, adminToken: '', accounts: [] },
    guard: { ...guard, publicKey: blank(guard.publicKey), privateKey: blank(guard.privateKey) },
    http: { ...http, token: null },
    alerts: { ...alerts, receivers: [] },
    fairValues: fairValues.map((source) => (source.kind === 'url' ? { ...source, token: null } : source)),
  };
}

const blank = (key: string | null): '' | null => (key === null ? null : '');

/** A job with everything that it reads. Decoded blocks lie in shared memory. */
export interface ThreadTask {
  readonly job: SweepJob;
  /** The configuration file: strategies are found from its folder. */
  readonly file: string;
  readonly recordings: readonly SharedRecording[];
}

export interface JobRunning {
  readonly file: string;
  readonly pieces: readonly TradedPiece[];
  readonly threads: number;
  readonly onFinished: (finished: FinishedJob, job: SweepJob) => void;
  /** Ends everything at once when it is aborted, with its reason. */
  readonly stop: AbortSignal;
}

/** Threads that run one job at a time. */
const openJobThreads = (threads: number) =>
  openThreads<ThreadTask, FinishedJob>(new URL('./job-thread.js', import.meta.url), threads);

/** @throws the error of the first job that fails; `onFinished` was called for the jobs finished before */
export async function runJobs(jobs: readonly SweepJob[], running: JobRunning): Promise<void> {
  const { file, pieces, threads, onFinished, stop } = running;
  if (threads <= 1 || jobs.length <= 1) {
    for (const job of jobs)
      onFinished(await runJob(job, file, pieces[job.piece]!.recordings, breath(stop)), job);
    return;
  }
  const shared = pieces.map(({ recordings }) => recordings.map((source) => source.shared));
  const pool = await openJobThreads(Math.min(threads, jobs.length));
  const runOn = async (job: SweepJob): Promise<void> =>
    onFinished(resultOf(await pool.run({ job, file, recordings: shared[job.piece]! })), job);
  try {
    await unlessStopped(Promise.all(jobs.map(runOn)), stop);
  } finally {
    await pool.destroy();
  }
}
