import { fillNotesFile, writeFillTables } from '../../report/fill-table.js';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { RunAnalysis } from '../../analytics/analysis.js';
import { MergedRecordings } from './merged-recordings.js';
import { ITEM_REFUSED } from '../../venues/futuur/protocol/errors.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import { UsageError } from '../../domain/errors.js';
import {
  type BacktestSettings,
  type BotSettings,
  SettingsError,
  type SettingsSource,
} from '../../settings/index.js';
import { type GuardedScenario, titlesOf } from '../../report/run-report.js';
import { pacedLines } from '../live/live-report.js';
import { readableRecordings } from '../../recordings/index.js';
import { BlockBudget, openTogether, type RecordingSource } from '../../storage/recordings/recording.js';
import { breath, unlessStopped } from '../interruption.js';
import { strategyFilesOf } from '../strategies/strategies.js';
import {
  abandonBacktest,
  type BacktestFolder,
  decisionsFile,
  openBacktestFolder,
  writeBacktestRun,
  writeBacktestReport,
} from './backtest-folder.js';
import { endLines, type ScenarioTotals } from './scenario-totals.js';
import { fairFileOf } from './recorded-values.js';
import { type RecordedScope, recordedScope } from './recorded-events.js';
import { backtestId, type BacktestSetup, setupOf } from './backtest-setup.js';
import { type ScenarioResult, ScenarioSession, type ScenarioTask } from './scenario-session.js';
import { runInThreads } from './scenario-threads.js';
import { type ScenarioName, SCENARIOS } from '../../settings/index.js';

export interface BacktestOptions {
  readonly settings: BotSettings;
  readonly source: SettingsSource;
  /** Open recordings, for many runs on the same ones. Default: those of the settings. */
  readonly recordings?: readonly RecordingSource[];
  /** Whether to analyse the scenarios; a sweep saves the time. Default: when the run is written. */
  readonly analyse?: boolean;
  /** Default: the hash of everything that determines the run. */
  readonly runId?: string;
  /** Writes the run into its own folder below this one. */
  readonly out?: string;
  /** Threads that share the scenarios. Default: 1, all of them in one pass in this thread. */
  readonly threads?: number;
  /** A further observer of a scenario; with one thread only. */
  readonly watch?: (scenario: ScenarioName) => EngineObserver | null;
  /** Awaited many times a second, with one thread only. An error ends the run. */
  readonly pause?: () => Promise<void>;
  /** Ends the run early with its reason. Files of the run are removed. */
  readonly stop?: AbortSignal;
  /** Called before the first row. */
  readonly onSetup?: (setup: BacktestSetup) => void;
  /** Called now and then: `done` of `all` rows are behind, under all three scenarios. */
  readonly onProgress?: (done: number, all: number) => void;
}

export interface BacktestResult {
  readonly runId: string;
  readonly setup: BacktestSetup;
  readonly scope: RecordedScope;
  /** In the order of {@link SCENARIOS}. */
  readonly scenarios: readonly ScenarioTotals[];
  /** Of each scenario, in their order; empty when not asked for. */
  readonly analyses: readonly RunAnalysis[];
  /** The scenario that the configuration names for it. */
  readonly headline: ScenarioTotals;
  /** What stopped strategies, a line for each instance. */
  readonly faults: readonly string[];
  /** The faults of each scenario, in their order. */
  readonly scenarioFaults: readonly (readonly string[])[];
  /** Which rules refused orders and how often, a line for each. */
  readonly refusals: readonly string[];
  /** Open positions at the end, and scenarios that did not end clean; a line for each kind. */
  readonly ends: readonly string[];
  /** What guards did in each scenario. */
  readonly guarded: readonly GuardedScenario[];
  /** Path of the page of its report; null unless it was written. */
  readonly report: string | null;
}

/**
 * Runs the three scenarios over the recordings. The same options give the same result and files, byte for byte, on any
 * number of threads.
 * @throws RecordingError, SettingsError, UsageError, the reason of the stop
 */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const { settings, source, out, analyse = out !== undefined } = options;
  const backtest = sectionOf(settings);
  const recordings =
    options.recordings ?? (await unlessStopped(openRecordings(settings, source), options.stop));
  const fairFile = fairFileOf(backtest, source.file);
  const setup = setupOf(settings, backtest, recordings, fairFile);
  options.onSetup?.(setup);
  const strategies = strategyFilesOf(settings, source.file);
  const hashes = strategies.map(({ sha256 }) => sha256);
  const runId = options.runId ?? backtestId(settings, hashes, recordings, fairFile);
  const folder = out === undefined ? null : openBacktestFolder(out, runId);
  const run = { runId, setup, recordings, strategies, analyse };
  return runInto(folder, run, options).finally(() => folder?.lock.release());
}

interface OpenRun {
  readonly runId: string;
  readonly setup: BacktestSetup;
  readonly recordings: readonly RecordingSource[];
  readonly strategies: ReturnType<typeof strategyFilesOf>;
  readonly analyse: boolean;
}

/** @param folder null: nothing is written */
async function runInto(
  folder: BacktestFolder | null,
  { runId, setup, recordings, strategies, analyse }: OpenRun,
  options: BacktestOptions,
): Promise<BacktestResult> {
  const { source } = options;
  const tasks = SCENARIOS.map((scenario): ScenarioTask => {
    const [decisions, fills] =
      folder === null
        ? [null, null]
        : [decisionsFile(folder.path, scenario), fillNotesFile(folder.path, scenario)];
    return { scenario, runId, analyse, decisionsFile: decisions, fillsFile: analyse ? fills : null };
  });
  const results = await runTasks(tasks, options, setup, recordings).catch((error: unknown) => {
    if (folder !== null) abandonBacktest(folder);
    throw error;
  });
  const scenarios = results.map(({ totals }) => totals);
  const analyses = results.flatMap(({ analysis }) => analysis ?? []);
  const headline = scenarios[SCENARIOS.indexOf(setup.backtest.headline)]!;
  const scope = recordedScope(setup.settings, recordings, analyses[scenarios.indexOf(headline)]);
  if (folder !== null)
    writeBacktestRun(folder.path, { runId, setup, source, strategies, recordings, headline });
  const fills =
    folder === null || analyses.length === 0
      ? null
      : await writeFillTables(
          folder.path,
          tasks.flatMap(({ fillsFile }) => fillsFile ?? []),
          headline.scenario,
          titlesOf(analyses),
        );
  const faults = faultLines(results);
  const paced = pacedLines(results.map(({ pacedMs }) => pacedMs));
  const refusals = [...refusalLines(results), ...cashLines(results), ...paced];
  const ends = endLines(scenarios);
  const guarded = results.map(({ totals, guards }) => ({ scenario: totals.scenario, guards }));
  const report =
    folder === null
      ? null
      : writeBacktestReport(
          folder.path,
          source.file,
          { runId, setup, faults, refusals, ends, fills },
          analyses,
        ).page;
  const scenarioFaults = results.map((result) => result.faults);
  const told = { faults, scenarioFaults, refusals, ends, guarded, report };
  return { runId, setup, scope, scenarios, analyses, headline, ...told };
}

/** Each fault once, with the scenarios in which it came. */
function faultLines(results: readonly ScenarioResult[]): readonly string[] {
  const scenarios = new Map<string, ScenarioName[]>();
  for (const { totals, faults } of results)
    for (const fault of faults) scenarios.set(fault, [...(scenarios.get(fault) ?? []), totals.scenario]);
  return [...scenarios].map(([fault, names]) => `${fault} (${names.join(', ')})`);
}

/** The venue gives no code, only a sentence, for updates and cancels that met no open order. */
const CAME_TOO_LATE =
  'updates and cancels that came too late, for orders filled, cancelled or being processed when they arrived';

/** Quotes that found no cash, at the worst of each scenario. */
const cashLines = (results: readonly ScenarioResult[]): readonly string[] =>
  results.flatMap(({ totals, cashShort }) =>
    cashShort === null ? [] : [`at the worst ${cashShort} (${totals.scenario})`],
  );

/** A limit that blocks every order would look like a market without trades, so refusals are reported. */
function refusalLines(results: readonly ScenarioResult[]): readonly string[] {
  const rules = new Set(results.flatMap(({ refusals }) => Object.keys(refusals)));
  return [...rules].toSorted().map((rule) => {
    const times = results.map(({ totals, refusals }) => `${refusals[rule] ?? 0} (${totals.scenario})`);
    const what = rule === ITEM_REFUSED ? CAME_TOO_LATE : `orders refused by ${rule}`;
    return `${what}: ${times.join(', ')}`;
  });
}

function runTasks(
  tasks: readonly ScenarioTask[],
  options: BacktestOptions,
  setup: BacktestSetup,
  recordings: readonly RecordingSource[],
): Promise<readonly ScenarioResult[]> {
  const { settings, source, threads = 1, onProgress, stop } = options;
  if (threads <= 1) return runInOnePass(tasks, options, setup, recordings);
  const setting = { settings, file: source.file, recordings: recordings.map(({ shared }) => shared) };
  const all = recordings.reduce((sum, { rows }) => sum + rows, 0);
  let passed = 0;
  return runInThreads(
    tasks.map((task) => ({ ...setting, task })),
    threads,
    (rows) => {
      passed += rows;
      onProgress?.(passed / tasks.length, all);
    },
    stop,
  );
}

/** Signals are handled this often. */
const BREATH_EVERY_MS = 20;

async function runInOnePass(
  tasks: readonly ScenarioTask[],
  { source, onProgress, pause, stop, watch = () => null }: BacktestOptions,
  setup: BacktestSetup,
  recordings: readonly RecordingSource[],
): Promise<readonly ScenarioResult[]> {
  const tape = new MergedRecordings(recordings, setup.markets);
  const sessions = await Promise.all(
    tasks.map((task) => ScenarioSession.open(task, setup, source, watch(task.scenario))),
  );
  const breathe = breath(stop);
  let [done, heardAt] = [0, performance.now()];
  const passed = async (rows: number): Promise<void> => {
    await pause?.();
    done += rows / tasks.length;
    if (performance.now() - heardAt < BREATH_EVERY_MS) return;
    onProgress?.(done, tape.rows);
    await breathe();
    heardAt = performance.now();
  };
  for await (const range of tape.ranges()) for (const session of sessions) await session.take(range, passed);
  onProgress?.(tape.rows, tape.rows);
  return Promise.all(sessions.map((session) => session.finish()));
}

/** Bytes of decoded recordings that a run holds at most. */
const KEPT_MOST = 64 * 1024 * 1024;

/** Opens and checks recordings for one backtest. @throws RecordingError, TapeError */
export const openAll = (
  files: readonly string[],
  { model }: BacktestSettings['trades'],
): Promise<readonly RecordingSource[]> =>
  openTogether(files, { trades: model, budget: new BlockBudget(KEPT_MOST) });

/** Opens the recordings of the settings. @throws RecordingError; SettingsError when one does not exist */
export async function openRecordings(
  settings: BotSettings,
  source: SettingsSource,
): Promise<readonly RecordingSource[]> {
  const { recordings, trades } = sectionOf(settings);
  const paths = recordings.map((recording) => resolve(dirname(source.file), recording));
  const problems = paths.flatMap((path, place) => {
    if (existsSync(path) || /[*?]/.test(path)) return [];
    const text = `there is no ${path}; a path starts from the folder of the configuration`;
    return [source.problem(['backtest', 'recordings', place], text)];
  });
  if (problems.length > 0) throw new SettingsError(source.file, problems);
  return openAll(await readableRecordings(paths, settings.stateDir), trades);
}

/** @throws UsageError when there is none */
export function sectionOf({ backtest }: BotSettings): BacktestSettings {
  if (backtest !== null) return backtest;
  throw new UsageError(
    'this configuration has no backtest section; it names the recordings, as in config/backtest.yaml',
  );
}
