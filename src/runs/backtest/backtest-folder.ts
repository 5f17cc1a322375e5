/** The folder of a backtest: `run.json`, the decisions of each scenario, and the report. */
import { existsSync, rmSync, createWriteStream, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type { Micros } from '../../domain/units.js';
import { type SettingsSource, type ScenarioName, SCENARIOS } from '../../settings/index.js';
import { type RecordingSource, type StrategyFile, writeRunFile } from '../../storage/index.js';
import { createRedactor } from '../../ops/telemetry/redaction.js';
import { programIdentity } from '../program.js';
import { secretsOf } from '../secrets.js';
import type { ScenarioTotals } from './scenario-totals.js';
import type { BacktestSetup } from './backtest-setup.js';
import { makeFolder } from '../../storage/files/whole-files.js';
import { cannotWrite } from '../../domain/errors.js';
import type { EngineObserver } from '../../core/engine/observing/observer.js';

export interface BacktestFolder {
  readonly path: string;
  /** Whether the folder was made now. */
  readonly isNew: boolean;
}

/** Makes the folder of a run. @throws UsageError when it cannot be made */
export function openBacktestFolder(out: string, runId: string): BacktestFolder {
  const path = join(out, runId);
  const isNew = !existsSync(path);
  makeFolder(path);
  return { path, isNew };
}

/** Removes the files of an unfinished run. Files of an earlier finished run stay. */
export function abandonBacktest({ path, isNew }: BacktestFolder): void {
  if (isNew) return rmSync(path, { recursive: true, force: true });
  for (const scenario of SCENARIOS) rmSync(unfinished(decisionsFile(path, scenario)), { force: true });
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
