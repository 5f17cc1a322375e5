import { dirname, resolve } from 'node:path';
import { MountedTape, type ScenarioRun } from '../../backtest/index.js';
import type { RunAnalysis } from '../../analytics/analysis.js';
import type { RunAnalyst } from '../../analytics/run-analyst.js';
import type { EngineObserver } from '../../engine/observer.js';
import { severalObservers } from '../../engine/several-observers.js';
import { UsageError } from '../../domain/errors.js';
import type { BacktestSettings, BotSettings, SettingsSource } from '../../settings/index.js';
import { openRecording, type RecordingSource } from '../../tape/index.js';
import { QueueWatch } from './queue-watch.js';
import { backtestId } from './run-id.js';
import { endAnalysis, scenarioAnalyst, tellOfTrade } from './scenario-report.js';
import { type ScenarioTotals, TradeTotals } from './scenario-totals.js';
import { openScenario, type ScenarioName, SCENARIOS } from './scenarios.js';
import { type BacktestStage, stageOf } from './stage.js';

export interface BacktestOptions {
  readonly settings: BotSettings;
  readonly source: SettingsSource;
  /** Recordings that are open already, for many runs on the same ones; left out, those of the settings are opened. */
  readonly recordings?: readonly RecordingSource[];
  /** Whether the scenarios are analysed while they run; it takes time that a ranking of many runs need not spend. */
  readonly analyse?: boolean;
  /** Who looks on at a scenario besides; null: nobody. */
  readonly watch?: (scenario: ScenarioName) => EngineObserver | null;
  /** Told what is traded, before the first row. */
  readonly onStage?: (stage: BacktestStage) => void;
  /** Told now and then; `done` of `all` rows are behind. */
  readonly onProgress?: (done: number, all: number) => void;
}

export interface BacktestResult {
  readonly runId: string;
  readonly stage: BacktestStage;
  /** In the order of {@link SCENARIOS}. */
  readonly scenarios: readonly ScenarioTotals[];
  /** Of each scenario, in their order; empty when none was asked for. */
  readonly analyses: readonly RunAnalysis[];
  /** The scenario with the least profit. */
  readonly headline: ScenarioTotals;
}

/**
 * Runs the three scenarios over the recordings, all in one pass. Free of state outside: the same options give the same
 * result, byte for byte.
 * @throws RecordingError, SettingsError, UsageError
 */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const { settings, source, analyse = false } = options;
  const backtest = sectionOf(settings);
  const recordings = options.recordings ?? (await openRecordings(backtest, source));
  const stage = stageOf(settings, backtest, recordings);
  options.onStage?.(stage);
  const runId = backtestId(settings, [], recordings);
  const tape = new MountedTape(recordings, stage.markets);
  const { watch = () => null } = options;
  const opened = await Promise.all(
    SCENARIOS.map((name) => open({ stage, source, name, runId, analyse, watcher: watch(name) })),
  );
  let done = 0;
  for await (const { mounted, from, to } of tape.ranges()) {
    for (const { run } of opened) run.take(mounted, from, to);
    done += to - from;
    options.onProgress?.(done, tape.rows);
  }
  const ended = opened.map((scenario) => ({ ...scenario, end: scenario.run.finish() }));
  const scenarios = ended.map(({ name, run, trades, end }) => trades.total(name, run, end, stage));
  const analyses = ended.flatMap(({ analyst, run, end }) =>
    analyst === null ? [] : [endAnalysis(analyst, run.engine, end.at)],
  );
  const headline = scenarios.reduce((least, one) => (one.profit < least.profit ? one : least));
  return { runId, stage, scenarios, analyses, headline };
}

/** The recordings that settings name, looked through. @throws RecordingError */
export const openRecordings = (
  { recordings }: BacktestSettings,
  { file }: SettingsSource,
): Promise<readonly RecordingSource[]> =>
  Promise.all(recordings.map((recording) => openRecording(resolve(dirname(file), recording))));

function sectionOf({ backtest }: BotSettings): BacktestSettings {
  if (backtest !== null) return backtest;
  throw new UsageError(
    'this configuration has no backtest section; it names the recordings, as in config/backtest.yaml',
  );
}

interface OpenScenario {
  readonly name: ScenarioName;
  readonly run: ScenarioRun;
  readonly trades: TradeTotals;
  readonly analyst: RunAnalyst | null;
}

interface Opening {
  readonly stage: BacktestStage;
  readonly source: SettingsSource;
  readonly name: ScenarioName;
  readonly runId: string;
  readonly analyse: boolean;
  readonly watcher: EngineObserver | null;
}

async function open({ stage, source, name, runId, analyse, watcher }: Opening): Promise<OpenScenario> {
  const trades = new TradeTotals();
  let analyst: RunAnalyst | null = null;
  const run: ScenarioRun = await openScenario(stage, source, name, runId, (engine) => {
    const watching = watcher === null ? [] : [watcher];
    if (!analyse) return { ...observing(watching), onTrade: (trade) => trades.take(trade) };
    const hearing = (analyst = scenarioAnalyst(stage, name, engine));
    const queues = new QueueWatch(engine.terms.mode);
    return {
      ...observing([hearing, queues.observer, ...watching]),
      onPrints: (market) => queues.look(run.exchange, market),
      onTrade: (trade) => {
        trades.take(trade);
        tellOfTrade(hearing, trade);
        queues.traded(hearing, trade);
      },
    };
  });
  return { name, run, trades, analyst };
}

/** Nobody, one, or several as one. */
function observing(observers: readonly EngineObserver[]): { readonly observer?: EngineObserver } {
  const [only] = observers;
  if (only === undefined) return {};
  return { observer: observers.length === 1 ? only : severalObservers(observers) };
}
