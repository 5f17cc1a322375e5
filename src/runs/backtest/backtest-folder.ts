/** The folder of a backtest: `run.json`, the decisions of each scenario, and the report. */
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Micros } from '../../domain/units.js';
import type { SettingsSource } from '../../settings/index.js';
import { type RecordingSource, type StrategyFile, writeRunFile } from '../../storage/index.js';
import { createRedactor } from '../../ops/telemetry/redaction.js';
import { programIdentity } from '../program.js';
import { secretsOf } from '../secrets.js';
import type { ScenarioTotals } from './scenario-totals.js';
import { unfinished } from './decision-log.js';
import { type ScenarioName, SCENARIOS } from '../../settings/index.js';
import type { BacktestStage } from './stage.js';
import { makeFolder } from '../../storage/files/whole-files.js';

export interface BacktestFolder {
  readonly path: string;
  /** Whether nothing was there before. */
  readonly isNew: boolean;
}

/** @throws UsageError when it cannot be made */
export function openBacktestFolder(out: string, runId: string): BacktestFolder {
  const path = join(out, runId);
  const isNew = !existsSync(path);
  makeFolder(path);
  return { path, isNew };
}

/** Takes away what a run left that came to no end; the same run of before stays as it was. */
export function abandonBacktest({ path, isNew }: BacktestFolder): void {
  if (isNew) return rmSync(path, { recursive: true, force: true });
  for (const scenario of SCENARIOS) rmSync(unfinished(decisionsFile(path, scenario)), { force: true });
}

/** Gzipped NDJSON, a line a decision. */
export const decisionsFile = (folder: string, scenario: ScenarioName): string =>
  join(folder, `decisions-${scenario}.ndjson.gz`);

export interface BacktestRun {
  readonly runId: string;
  readonly stage: BacktestStage;
  readonly source: SettingsSource;
  readonly strategies: readonly StrategyFile[];
  readonly recordings: readonly RecordingSource[];
  readonly headline: ScenarioTotals;
}

/** Writes `run.json`; the decisions it names are those of the headline. @throws UsageError when it cannot be written */
export function writeBacktestRun(folder: string, run: BacktestRun): void {
  const { runId, stage, source, headline } = run;
  const { settings } = stage;
  const redactor = createRedactor(secretsOf(settings, null));
  writeRunFile(folder, {
    kind: 'oddsmith-run',
    version: 1,
    runId,
    mode: 'backtest',
    program: programIdentity(),
    startedAt: stage.start,
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
