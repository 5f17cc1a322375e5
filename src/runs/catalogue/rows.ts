/** What runs, sweeps and screens came to, as rows of the catalogue. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { RunAnalysis } from '../../analytics/analysis.js';
import type { Micros } from '../../domain/units.js';
import { type RunReport, stoppedBy } from '../../report/run-report.js';
import type { ScreenReport } from '../../report/screen-report.js';
import type { SweepReport, SweptBest } from '../../report/sweep-report.js';
import { type BotSettings, SCENARIOS } from '../../settings/index.js';
import { readRunFile, type RunFile } from '../../storage/recordings/run-file.js';
import type { BacktestResult } from '../backtest/run-backtest.js';
import { programIdentity } from '../program.js';
import type { SweepPlan } from '../sweep/plan.js';
import { sum } from '../sweep/ranking.js';
import { addToCatalogue, type CatalogueRow } from './catalogue.js';

/** Enters a run into the catalogue, from the files in its folder. @throws UsageError when they cannot be read, or it cannot be written */
export async function enterRun(
  stateDir: string,
  folder: string,
  {
    scenarios,
    headline,
  }: Pick<RunReport, 'scenarios'> & { readonly headline: Pick<RunReport['headline'], 'scenario'> },
  time: Micros,
): Promise<void> {
  const run = readRunFile(folder);
  await addToCatalogue(stateDir, run.runId, rowsOfRun(run, scenarios, headline.scenario, time));
}

/** Enters a backtest that was analysed, whether it has a folder or not. @param file its configuration @throws UsageError when it cannot be written */
export async function enterBacktest(
  file: string,
  { runId, setup: { settings, backtest }, analyses, headline, scenarios, report }: BacktestResult,
  time: Micros,
): Promise<void> {
  // The folder of a run lists each recording of a folder or a pattern.
  const inputs =
    report === null
      ? backtest.recordings.map((name) => ({ file: name }))
      : readRunFile(dirname(report)).inputs;
  const made = { mode: 'backtest', configFile: resolve(file), program: programIdentity() } as const;
  const run = { runId, ...made, configuration: settings, inputs };
  // As on the screen and in sweeps: fills at the venue. The bot may hear of two at once.
  const rows = rowsOfRun(run, analyses, headline.scenario, time).map((row, at) => ({
    ...row,
    fills: scenarios[at]!.fills,
  }));
  await addToCatalogue(settings.stateDir, runId, rows);
}

type Instances = BotSettings['instances'];
type Described = Pick<RunFile, 'runId' | 'mode' | 'configFile' | 'program' | 'configuration'>;

/** A run, one row for each scenario. @param headline the scenario that its configuration goes by */
function rowsOfRun(
  run: Described & { readonly inputs: readonly { readonly file: string }[] },
  analyses: readonly RunAnalysis[],
  headline: string,
  time: Micros,
): readonly CatalogueRow[] {
  const { instances } = run.configuration as { readonly instances: Instances };
  return analyses.map(({ scenario, currency, total, guards }) => ({
    run: run.runId,
    time,
    kind: run.mode,
    ...fileOf(run.configFile),
    program: run.program,
    ...instancesOf(instances),
    params: JSON.stringify(paramsOf(instances)),
    recordings: run.inputs.map(({ file }) => basename(file)).join(', '),
    scenario,
    headline: scenario === headline ? 1 : 0,
    currency,
    profit: total.profit.executable,
    fills: total.fills.count,
    volume: total.fills.shares,
    fees: total.profit.fees,
    drawdown: total.drawdown.worst,
    ...UNSCORED,
    stopped_by: stoppedBy(guards?.stops ?? []).join(', '),
  }));
}

const UNSCORED = { objective: null, score: null, deflated: null, chance: null, tried: null } as const;

/** What the rows of a sweep or a screen have in common. */
function sharedOf(plan: SweepPlan, kind: 'sweep' | 'screen', file: string, time: Micros, tried: number) {
  const { instances } = plan.baseJobs[0]!.settings;
  return {
    time,
    kind,
    ...fileOf(file),
    program: programIdentity(),
    ...instancesOf(instances),
    recordings: recordingsOf(plan),
    currency: plan.currency,
    volume: null,
    fees: null,
    drawdown: null,
    objective: plan.sweep.objective,
    tried,
  };
}

/** Every configuration of a sweep under every scenario. */
export function rowsOfSweep(
  plan: SweepPlan,
  { id, ranking, candidates, parameters, best, tried }: SweepReport,
  file: string,
  time: Micros,
): readonly CatalogueRow[] {
  const base = paramsOf(plan.baseJobs[0]!.settings.instances);
  const shared = sharedOf(plan, 'sweep', file, time, tried);
  return ranking.flatMap(({ candidate, score }) => {
    const { values, profits, fills, stops, faults } = candidates[candidate]!;
    const sound = faults.flat(2).length > 0 ? null : score;
    const own = Object.fromEntries(parameters.map((path, at) => [path, values[at]]));
    return SCENARIOS.map((scenario, at) => ({
      ...shared,
      run: `${id}/${candidate}`,
      params: JSON.stringify({ ...base, ...own }),
      scenario,
      profit: sum(profits.map((piece) => piece[at]!)),
      fills: sum(fills.map((piece) => piece[at]!)),
      ...scored(plan, scenario, sound, best, candidate),
      stopped_by: [...new Set(stops.flatMap((piece) => piece[at]!))].join(', '),
    }));
  });
}

/** Every configuration of a screen, and the file as it is, under every scenario: by the engine where it confirmed. */
export function rowsOfScreen(
  plan: SweepPlan,
  { id, rows, best, screened }: ScreenReport,
  file: string,
  time: Micros,
): readonly CatalogueRow[] {
  const base = paramsOf(plan.baseJobs[0]!.settings.instances);
  const shared = sharedOf(plan, 'screen', file, time, screened);
  return rows.flatMap(({ params, screen, engine, score, engineScore, faults }, place) =>
    SCENARIOS.map((scenario) => ({
      ...shared,
      kind: engine === null ? shared.kind : 'confirmed',
      run: `${id}-screen/${place}`,
      params: JSON.stringify({ ...base, ...params }),
      scenario,
      profit: (engine ?? screen)[scenario],
      fills: (engine ?? screen).fills[scenario],
      ...scored(plan, scenario, faults.length > 0 ? null : (engineScore ?? score), best, place),
      stopped_by: faults.join(', '),
    })),
  );
}

/** Scores are of the scenario that the configuration goes by. @param score null: its strategy failed */
function scored(
  { headline }: SweepPlan,
  scenario: string,
  score: number | null,
  best: SweptBest | null,
  candidate: number,
): Pick<CatalogueRow, 'headline' | 'score' | 'deflated' | 'chance'> {
  if (scenario !== headline) return { headline: 0, score: null, deflated: null, chance: null };
  return {
    headline: 1,
    score,
    deflated: best === null || score === null ? null : score - best.expectedMaximum,
    chance: best?.candidate === candidate ? best.chance : null,
  };
}

const recordingsOf = ({ pieces }: SweepPlan): string =>
  [...new Set(pieces.flatMap(({ recordings }) => recordings.map(({ name }) => basename(name))))].join(', ');

const HASH_DIGITS = 12;

/** The file as it is now: a run may have begun with another text. */
const fileOf = (path: string): Pick<CatalogueRow, 'file' | 'file_hash'> => ({
  file: path,
  file_hash: existsSync(path)
    ? createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, HASH_DIGITS)
    : null,
});

const instancesOf = (instances: Instances): Pick<CatalogueRow, 'strategy' | 'instance'> => ({
  strategy: [...new Set(instances.map(({ strategy }) => basename(strategy)))].join(', '),
  instance: instances.map(({ name }) => name).join(', '),
});

/** Parameters by path of the configuration. */
const paramsOf = (instances: Instances): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    instances.flatMap(({ name, params }) =>
      Object.entries(params).map(([param, value]) => [`instances.${name}.params.${param}`, value]),
    ),
  );
