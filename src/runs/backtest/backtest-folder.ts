/** The folder of a backtest: `run.json`, the decisions of each scenario, and the report. */
import { existsSync, rmSync, createWriteStream, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type { Micros } from '../../domain/units.js';
import {
  type SettingsSource,
  type ScenarioName,
  SCENARIOS,
  type FillSettings,
} from '../../settings/index.js';
import type { RecordingSource } from '../../storage/recordings/recording.js';
import type { StrategyFile } from '../../storage/tape/records.js';
import { writeRunFile } from '../../storage/recordings/run-file.js';
import { createRedactor } from '../../ops/telemetry/redaction.js';
import { programIdentity } from '../program.js';
import { secretsOf } from '../secrets.js';
import type { ScenarioTotals } from './scenario-totals.js';
import { type BacktestSetup, ACCOUNT } from './backtest-setup.js';
import { type Lock, lockResult } from '../../storage/state/lock-file.js';
import { cannotWrite } from '../../domain/errors.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { RunAnalysis } from '../../analytics/analysis.js';
import { RunAnalyst } from '../../analytics/run-analyst.js';
import { marketId as nameOfMarket } from '../../domain/ids.js';
import { describeRun } from '../../core/engine/observing/describe-run.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { TradeEvent } from '../../exchange/contract.js';
import { fillNotesFile } from '../../report/fill-table.js';
import { type WrittenReport, writeReport } from '../../report/report-files.js';
import { type ReportedFills, reportOf } from '../../report/run-report.js';

export interface BacktestFolder {
  readonly path: string;
  /** Whether the folder was made now. */
  readonly isNew: boolean;
  /** No other process writes there until it is released. */
  readonly lock: Lock;
}

/** Makes the folder of a run. @throws UsageError when it cannot be made, LockHeldError when the same run is under way */
export function openBacktestFolder(out: string, runId: string): BacktestFolder {
  const path = join(out, runId);
  const isNew = !existsSync(path);
  return { path, isNew, lock: lockResult(join(path, 'run.lock'), `the backtest ${runId}`) };
}

/** Removes the files of an unfinished run. Files of an earlier finished run stay. */
export function abandonBacktest({ path, isNew }: BacktestFolder): void {
  if (isNew) return rmSync(path, { recursive: true, force: true });
  for (const scenario of SCENARIOS)
    for (const file of [unfinished(decisionsFile(path, scenario)), fillNotesFile(path, scenario)])
      rmSync(file, { force: true });
}

/** Gzipped NDJSON, a line a decision. */
export const decisionsFile = (folder: string, scenario: ScenarioName): string =>
  join(folder, `decisions-${scenario}.ndjson.gz`);

export interface BacktestRun {
  readonly runId: string;
  readonly setup: BacktestSetup;
  readonly source: SettingsSource;
  readonly strategies: readonly StrategyFile[];
  readonly recordings: readonly RecordingSource[];
  readonly headline: ScenarioTotals;
}

/** Writes `run.json`; the decisions it names are those of the headline. @throws UsageError when it cannot be written */
export function writeBacktestRun(folder: string, run: BacktestRun): void {
  const { runId, setup, source, headline } = run;
  const { settings } = setup;
  const redactor = createRedactor(secretsOf(settings, null));
  writeRunFile(folder, {
    kind: 'oddsmith-run',
    version: 1,
    runId,
    mode: 'backtest',
    program: programIdentity(),
    startedAt: setup.start,
    endedAt: Math.max(...run.recordings.map(({ lastAt }) => lastAt)) as Micros,
    outcome: headline.outcome,
    configFile: resolve(source.file),
    overrides: source.overrides.map((override) => redactor.text(override)),
    seed: settings.seed,
    configuration: redactor.value(settings),
    strategies: run.strategies,
    inputs: run.recordings.map(({ name, sha256 }) => ({ file: resolve(name), sha256 })),
    ...(setup.fairFile !== null && {
      fairValues: { file: setup.fairFile.file, sha256: setup.fairFile.sha256 },
    }),
    decisions: headline.decisions,
  });
}

/** Writes every decision of a scenario as a line: the same run gives the same bytes. */
export class DecisionLog implements Pick<EngineObserver, 'decided'> {
  private readonly gzip: Gzip = createGzip();
  private readonly written: Promise<void>;
  private isFull = false;

  /** @param file gzipped NDJSON; replaces an existing file once it is complete */
  constructor(private readonly file: string) {
    const target = createWriteStream(unfinished(file), { mode: 0o600 });
    this.written = finished(this.gzip.pipe(target)).catch((error: unknown) => {
      throw cannotWrite(file, error);
    });
    this.written.catch(() => undefined);
  }

  decided(line: string): void {
    this.isFull = !this.gzip.write(`${line}\n`);
  }

  /** Waits until buffered lines are written, so that memory does not grow. */
  async drain(): Promise<void> {
    if (!this.isFull) return;
    this.isFull = false;
    await Promise.race([new Promise((resolve) => this.gzip.once('drain', resolve)), this.written]);
  }

  /** @throws UsageError when it could not be written */
  async close(): Promise<void> {
    this.gzip.end();
    await this.written;
    renameSync(unfinished(this.file), this.file);
  }
}

/** Name of the file until it is complete. */
const unfinished = (file: string): string => `${file}.new`;

/** Analyses the scenarios of a backtest and writes their report. */

/** Analyst of one scenario: observes the engine and hears the trades of others from the exchange. */
export function scenarioAnalyst(setup: BacktestSetup, name: ScenarioName, engine: EngineOptions): RunAnalyst {
  const assumptions = assumptionsOf(setup, name);
  const { start: startedAt, recorded } = setup;
  return new RunAnalyst(describeRun(engine, { scenario: name, startedAt, assumptions, recorded }));
}

/** Counts a trade without us as volume of others. */
export function tellOfTrade(
  analyst: RunAnalyst,
  { maker, taker, marketId, price, shares, at }: TradeEvent,
): void {
  if (maker.account !== ACCOUNT && taker.account !== ACCOUNT)
    analyst.traded(nameOfMarket(marketId), at, price, shares);
}

/**
 * Writes the report of a backtest into its existing folder.
 * @param analyses one per scenario, in the order of the scenarios
 * @throws Error of the file system
 */
export function writeBacktestReport(
  folder: string,
  file: string,
  {
    runId,
    setup,
    faults,
    refusals,
    ends,
    fills,
  }: {
    readonly runId: string;
    readonly setup: BacktestSetup;
    readonly faults: readonly string[];
    readonly refusals: readonly string[];
    readonly ends: readonly string[];
    readonly fills: ReportedFills | null;
  },
  analyses: readonly RunAnalysis[],
): WrittenReport {
  const { settings, backtest } = setup;
  const strategies = [...new Set(settings.instances.map(({ strategy }) => strategy))].join(', ');
  const facts = [
    { name: 'run', value: runId },
    { name: 'configuration', value: file },
    { name: 'recordings', value: backtest.recordings.join(', ') },
    { name: 'seed', value: String(settings.seed) },
    ...faults.map((value) => ({ name: 'stopped', value })),
    ...refusals.map((value) => ({ name: 'refused', value })),
    ...ends.map((value) => ({ name: 'at the end', value })),
    ...setup.notes.map((value) => ({ name: 'note', value })),
  ];
  const report = reportOf({
    title: `${strategies} backtested`,
    mode: 'backtest',
    headline: { scenario: backtest.headline },
    facts,
    scenarios: analyses,
    fills,
  });
  return writeReport(folder, report);
}

function assumptionsOf({ backtest, venue, settings }: BacktestSetup, name: ScenarioName): readonly string[] {
  const { feedMs, requestMs, responseMs } = backtest.latency;
  const ways = Object.entries({ feed: feedMs, request: requestMs, response: responseMs });
  const fees = venue.fees[settings.currencyMode];
  return [
    fillSentence(backtest.scenarios[name]),
    `latency: ${ways.map(([way, ms]) => `${way} ${latencyText(ms)}`).join(', ')}`,
    `books cut to ${backtest.depth ?? 'the recorded'} levels; what lies behind them is unseen, its queue stands still`,
    `cash at the start: ${backtest.balance / 1e6} ${settings.currency}`,
    `fees per share: taker ${fees.taker / 1e6}, maker ${fees.maker / 1e6} ${settings.currency}; at most ${venue.rateLimit.perMinute} requests a minute`,
    `${CONSUMPTIONS[backtest.scenarios[name].consumption]}; others do not react to us`,
    tradesSentence(backtest.trades),
    'prints without a side were bought when nearer to the ask, else sold; decreases of a level that no print explains are cancellations',
  ];
}

const QUEUES: Readonly<Record<FillSettings['queue'], (fills: FillSettings) => string>> = {
  'risk-averse': () => 'cancellations are behind us as long as they can be (risk-averse)',
  power: ({ power }) => `cancellations are split by the size ahead and behind to the power of ${power}`,
  log: () => 'cancellations are split by the logarithm of the size ahead and behind',
  front: () => 'our orders stand in front',
};

const CONSUMPTIONS: Readonly<Record<FillSettings['consumption'], string>> = {
  'until-refreshed':
    'what we take stays missing until the recorded size at that price rises or the level vanishes',
  'until-vanished': 'what we take stays missing until the level vanishes',
  returns: 'what we take is back with the next book line',
};

const fillSentence = (fills: FillSettings): string =>
  `queue: ${QUEUES[fills.queue](fills)}; a recorded level that crosses our order ${fills.crossing === 'fill' ? 'fills it up to its size' : 'does not fill it, only prints do'}`;

const tradesSentence = ({ model }: BacktestSetup['backtest']['trades']): string =>
  model === 'recorded'
    ? 'trades of others: those that were recorded alone'
    : `trades of others: as recorded; on own tapes, which tell none, what left the touch as far as the turnover of its event rose with it, own fills deducted, and what takers took from own orders`;

const latencyText = (ms: number | readonly number[]): string =>
  typeof ms === 'number'
    ? `${ms} ms`
    : `drawn from ${ms.length} quantiles between ${ms[0]} and ${ms.at(-1)} ms`;

/** Ends the analysis of a finished scenario. @throws InvariantError when the attribution does not add up */
export const endAnalysis = (
  analyst: RunAnalyst,
  depth: Parameters<RunAnalyst['end']>[1],
  at: Micros,
): RunAnalysis => analyst.end(at, depth);
