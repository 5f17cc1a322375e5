/** The folder of a backtest: `run.json`, the decisions of each scenario, and the report. */
import { join, resolve } from 'node:path';
import { cannotWrite } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { SettingsSource } from '../../settings/index.js';
import { type RecordingSource, type StrategyFile, writeRunFile } from '../../tape/index.js';
import { createRedactor } from '../../telemetry/redaction.js';
import { programVersion } from '../program-version.js';
import { secretsOf } from '../secrets.js';
import type { ScenarioTotals } from './scenario-totals.js';
import type { ScenarioName } from './scenario-names.js';
import type { BacktestStage } from './stage.js';
import { makeFolder } from '../../runtime/made-folder.js';

/** @throws UsageError when it cannot be made */
export function openBacktestFolder(out: string, runId: string): string {
  const folder = join(out, runId);
  try {
    makeFolder(folder);
  } catch (error) {
    throw cannotWrite(folder, error);
  }
  return folder;
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
    program: programVersion(),
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
