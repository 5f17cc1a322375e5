import type { GuardFigures, RunAnalysis } from '../../analytics/analysis.js';
import { StopLog } from '../../analytics/guard-figures.js';
import type { RunAnalyst } from '../../analytics/run-analyst.js';
import type { RowRange } from './merged-recordings.js';
import type { ScenarioRun } from './scenario-run.js';
import { type EngineObserver, severalObservers } from '../../core/engine/observing/observer.js';
import type { SettingsSource } from '../../settings/index.js';
import { DecisionLog } from './decision-log.js';
import { QueueWatch } from './queue-watch.js';
import { endAnalysis, scenarioAnalyst, tellOfTrade } from './scenario-report.js';
import { closingDepth, type ScenarioTotals, TradeTotals } from './scenario-totals.js';
import type { ScenarioName } from '../../settings/index.js';
import { openScenario } from './scenarios.js';
import type { BacktestStage } from './stage.js';

/** One scenario of a backtest and what is wanted of it; plain values, so that a thread can be sent them. */
export interface ScenarioTask {
  readonly scenario: ScenarioName;
  readonly runId: string;
  /** Whether it is analysed while it runs; a ranking of many runs need not spend the time. */
  readonly analyse: boolean;
  /** Where its decisions are written down; null: nowhere. */
  readonly decisionsFile: string | null;
}

export interface ScenarioResult {
  readonly totals: ScenarioTotals;
  /** What stopped strategies. */
  readonly faults: readonly string[];
  /** How often orders were refused, by the rule of the limits or the code of the venue. */
  readonly refusals: Readonly<Record<string, number>>;
  /** What guards stopped; how long quoting was held back, where it was analysed. */
  readonly guards: GuardFigures;
  /** null unless it was asked for. */
  readonly analysis: RunAnalysis | null;
}

/** A scenario that is under way, with everybody who looks on. */
export class ScenarioSession {
  private constructor(
    private readonly task: ScenarioTask,
    private readonly stage: BacktestStage,
    private readonly run: ScenarioRun,
    private readonly trades: TradeTotals,
    private readonly analyst: RunAnalyst | null,
    private readonly log: DecisionLog | null,
    private readonly stops: StopLog,
  ) {}

  /** @throws SettingsError, UsageError for strategies that cannot be loaded */
  static async open(
    task: ScenarioTask,
    stage: BacktestStage,
    source: SettingsSource,
    watcher: EngineObserver | null = null,
  ): Promise<ScenarioSession> {
    const trades = new TradeTotals();
    const log = task.decisionsFile === null ? null : new DecisionLog(task.decisionsFile);
    const heard: { analyst: RunAnalyst | null } = { analyst: null };
    const stops = new StopLog();
    const others = [hearing(stops), log, watcher].filter((one) => one !== null);
    const run: ScenarioRun = await openScenario(stage, source, task.scenario, task.runId, (engine) => {
      if (!task.analyse) return { ...observing(others), onTrade: (trade) => trades.take(trade) };
      const analyst = (heard.analyst = scenarioAnalyst(stage, task.scenario, engine));
      const queues = new QueueWatch(engine.terms.mode);
      return {
        ...observing([analyst, queues.observer, ...others]),
        onPrints: (market) => queues.look(run.venue.exchange, market),
        onPrinted: (trade) => queues.traded(analyst, trade),
        onTrade: (trade) => {
          trades.take(trade);
          tellOfTrade(analyst, trade);
        },
      };
    });
    return new ScenarioSession(task, stage, run, trades, heard.analyst, log, stops);
  }

  /** @param passed awaited now and then with the number of rows taken since; 0 within a long silence */
  async take(range: RowRange, passed: (rows: number) => unknown): Promise<void> {
    for (const rows of this.run.take(range)) {
      await this.log?.drain();
      await passed(rows);
    }
  }

  async finish(): Promise<ScenarioResult> {
    const { task, stage, run, trades, analyst, log, stops } = this;
    const end = run.finish();
    await log?.close();
    const { instances, counts } = run.engine.view();
    const analysis = analyst === null ? null : endAnalysis(analyst, closingDepth(run, stage), end.at);
    return {
      totals: trades.total(task.scenario, run, end, stage),
      faults: instances.flatMap(({ name, fault }) =>
        fault === null ? [] : [`strategy instance ${name} was stopped: ${fault}`],
      ),
      refusals: counts.refusals,
      guards: analysis?.guards ?? { stops: stops.figures(), held: [], markets: [] },
      analysis,
    };
  }
}

const hearing = (stops: StopLog): EngineObserver => ({ stopped: (stop, at) => stops.stopped(stop, at) });

/** Nobody, one, or several as one. */
function observing(observers: readonly EngineObserver[]): { readonly observer?: EngineObserver } {
  const [only] = observers;
  if (only === undefined) return {};
  return { observer: observers.length === 1 ? only : severalObservers(observers) };
}
