import { runSweep } from '../../runs/sweep/run-sweep.js';
import { runScreenedSweep } from '../../runs/screen/screened-sweep.js';
import { CAUSES, isDoubtful, type ScreenReport } from '../../report/screen-report.js';
import type { SweepReport, SweptStop } from '../../report/sweep-report.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { ProgressBar } from '../screen/progress.js';
import { aligned } from '../screen/text.js';
import { hearStopSignals } from '../signals.js';
import { runSweepWorker } from '../../runs/sweep/redis/worker.js';
import { addToCatalogue } from '../../runs/catalogue/catalogue.js';
import { rowsOfScreen, rowsOfSweep } from '../../runs/catalogue/rows.js';
import { catalogued } from '../catalogued.js';
import { print, printJson, remark } from '../output.js';

export interface SweepArguments {
  readonly set: readonly string[];
  readonly json: boolean;
  readonly out?: string;
  readonly threads: number;
  readonly redis?: string;
  /** Ranks by a model of the engine; the engine confirms the best. */
  readonly screen?: boolean;
  /** Left out: {@link CONFIRMED}. */
  readonly confirm?: number;
  readonly explainDifferences?: boolean;
}

/** How many configurations the engine confirms after a screen. */
const CONFIRMED = 10;
/** Rows of the ranking on the screen; the file has all. */
const SHOWN = 20;

/** `oddsmith sweep`: many configurations on the same recordings. */
export async function sweepConfiguration(file: string, given: SweepArguments): Promise<ExitCode> {
  if (given.screen !== true && (given.confirm !== undefined || given.explainDifferences === true))
    throw new UsageError('--confirm and --explain-differences need --screen: add it, or leave them out');
  const bar = new ProgressBar(process.stderr, 'sweep');
  const say = (text: string): void => {
    bar.close();
    remark(text);
  };
  const stop = new AbortController();
  const signals = hearStopSignals('stopped at once');
  signals.onStop(() => stop.abort());
  if (given.screen === true) return screenConfiguration(file, given, { bar, say, stop: stop.signal });
  const written = await runSweep({
    file,
    environment: process.env,
    overrides: given.set,
    out: given.out,
    threads: given.threads,
    redis: given.redis,
    stop: stop.signal,
    onNews: say,
    onPlan: (jobs, before) => say(planSentence(jobs, before)),
    onProgress: (done, all) => bar.show(done, all),
  }).finally(() => bar.close());
  const { result, plan, file: json, page } = written;
  await catalogued((time) => addToCatalogue(plan.stateDir, result.id, rowsOfSweep(plan, result, file, time)));
  if (given.json) printJson({ ...result, file: json, page });
  else print(...sweepTable(result), '', page, json);
  return written.result.faults.length === 0 ? EXIT.clean : EXIT.internal;
}

interface Surroundings {
  readonly bar: ProgressBar;
  readonly say: (text: string) => void;
  readonly stop: AbortSignal;
}

async function screenConfiguration(
  file: string,
  given: SweepArguments,
  { bar, say, stop }: Surroundings,
): Promise<ExitCode> {
  const written = await runScreenedSweep({
    file,
    environment: process.env,
    overrides: given.set,
    out: given.out,
    threads: given.threads,
    redis: given.redis,
    confirm: given.confirm ?? CONFIRMED,
    explain: given.explainDifferences,
    stop,
    onNews: say,
    onProgress: (done, all) => bar.show(done, all),
  }).finally(() => bar.close());
  const { result, plan, file: json, page } = written;
  await catalogued((time) =>
    addToCatalogue(plan.stateDir, `${result.id}-screen`, rowsOfScreen(plan, result, file, time)),
  );
  if (given.json) printJson({ ...result, file: json, page });
  else print(...screenTable(result), '', page, json);
  return EXIT.clean;
}

/** The lines that a person reads; whether the screen can be believed comes first. */
function screenTable(result: ScreenReport): readonly string[] {
  const { headline, rows, profitCorrelation } = result;
  const names = [...new Set(rows.flatMap(({ params }) => Object.keys(params)))];
  const head = ['screen', 'engine', 'fills', ...names.map(lastOf)];
  const lines = rows
    .filter(({ engine }, at) => engine !== null || at < SHOWN)
    .map(({ screen, engine, params }) => [
      screen[headline].toFixed(2),
      amountOrDash(engine?.[headline] ?? null),
      String(screen.fills[headline]),
      ...(Object.keys(params).length === 0
        ? names.map((_, at) => (at === 0 ? 'as it is' : ''))
        : names.map((name) => String(params[name]))),
    ]);
  const warning = isDoubtful(result)
    ? [
        `do not trust this ranking: screen and engine agree with ${profitCorrelation[headline]!.toFixed(3)} only`,
      ]
    : [];
  const scenarios = Object.entries(profitCorrelation)
    .map(([name, value]) => `${name} ${value?.toFixed(3) ?? '-'}`)
    .join(', ');
  return [
    ...warning,
    `${result.screened} configurations screened, ${result.confirmed} confirmed by the engine, in ${result.seconds} s`,
    `correlation of ranks ${result.rankCorrelation?.toFixed(3) ?? '-'}; of profits: ${scenarios}; largest difference ${amountOrDash(result.largestDifference)}`,
    ...bestLines(
      result,
      'best by the engine',
      result.rows.map(({ params }) => params),
      `${result.screened} configurations screened`,
    ),
    '',
    ...aligned([head, ...lines]),
    ...differenceLines(result),
    ...result.rows.flatMap(({ faults }) => faults).filter((text, at, all) => all.indexOf(text) === at),
  ];
}

/** What of each difference is gone without a cause. */
function differenceLines({ rows, differences }: ScreenReport): readonly string[] {
  if (differences === undefined) return [];
  const confirmed = rows.filter(({ engine }) => engine !== null);
  const lines = differences.map(({ difference, parts, rest }, at) => {
    const params = Object.values(confirmed[at]!.params);
    return [
      ...[difference, ...CAUSES.map((cause) => parts[cause]), rest].map((amount) => amount.toFixed(2)),
      params.length === 0 ? 'as it is' : params.join(', '),
    ];
  });
  return [
    '',
    'screen less engine, and what of it is gone without a cause:',
    ...aligned([['difference', ...CAUSES, 'rest', 'configuration'], ...lines]),
  ];
}

const amountOrDash = (value: number | null): string => value?.toFixed(2) ?? '-';

/** The best, and what of it may be luck. @param params of each place */
function bestLines(
  { best, objective, headline }: Pick<SweepReport, 'best' | 'objective' | 'headline'>,
  name: string,
  params: readonly Readonly<Record<string, unknown>>[],
  tried: string,
): readonly string[] {
  if (best === null) return [];
  const amountOf = (value: number): string =>
    objective.unit === '' ? value.toFixed(3) : `${value.toFixed(2)} ${objective.unit}`;
  const { candidate, score, expectedMaximum, deflated, chance, verdict } = best;
  const named = Object.entries(params[candidate]!).map(([path, value]) => `${lastOf(path)} ${String(value)}`);
  return [
    `${name} in ${objective.text}, ${headline} scenario: ${amountOf(score)} (${named.join(', ')})`,
    `deflated for ${tried}: ${amountOf(deflated)}, for the best of as many without any edge comes to ${amountOf(expectedMaximum)}; luck alone reaches the best in ${(100 * chance).toFixed(1)} % of cases: ${verdict}`,
  ];
}

const lastOf = (path: string): string => path.split('.').at(-1) ?? path;

const planSentence = (jobs: number, before: number): string =>
  `${jobs} backtests${before === 0 ? '' : `, ${before} of them finished before`}`;

/** The lines that a person reads. */
function sweepTable(result: SweepReport): readonly string[] {
  const { tried, folds, outOfSample, ranking, candidates, parameters } = result;
  const rows = ranking
    .slice(0, SHOWN)
    .map((row) => [
      row.meanTrainRank?.toFixed(1) ?? '-',
      row.meanTestRank.toFixed(1),
      String(row.timesChosen),
      row.testProfit.toFixed(2),
      row.score.toFixed(2),
      row.allProfit.toFixed(2),
      stopsText(row.stoppedBy, result.pieces.length),
      ...candidates[row.candidate]!.values.map(String),
    ]);
  const stopped = stopsText(outOfSample.baseStoppedBy, result.pieces.length);
  const baseText = stopped === '' ? '' : `, stopped by ${stopped}`;
  const names = parameters.map(lastOf);
  const head = ['train rank', 'test rank', 'chosen', 'test', 'score', 'all', 'stopped by', ...names];
  return [
    `sweep ${result.id}: ${tried} configurations tried on ${result.pieces.length} pieces, ${folds.length} tests (${result.splits})`,
    `chosen by training: ${amount(outOfSample.profit)} out of sample; the file as it is: ${amount(outOfSample.base)}${baseText}`,
    ...bestLines(
      result,
      'best on everything',
      candidates.map(({ values }) => Object.fromEntries(parameters.map((path, at) => [path, values[at]]))),
      `${tried} configurations tried`,
    ),
    ...result.remarks,
    `against the file as it is: ${outOfSample.judgement.text}`,
    '',
    ...aligned([head, ...rows]),
    ...(ranking.length > SHOWN ? [`and ${ranking.length - SHOWN} more`] : []),
    ...result.faults.map(({ text, backtests }) => `${text} (in ${backtests} backtests)`),
  ];
}

const amount = (profit: number | null): string => profit?.toFixed(2) ?? 'none';

/** `drawdown-limit (3 of 12 pieces)`. */
const stopsText = (stops: readonly SweptStop[], pieces: number): string =>
  stops.map(({ rule, pieces: on }) => `${rule} (${on} of ${pieces})`).join(', ');

export interface SweepWorkerArguments {
  readonly redis: string;
  readonly threads: number;
  readonly folder?: string;
  readonly stalledAfter: number;
}

/** `oddsmith sweep worker`: backtests of sweeps that other machines started, until it is stopped. */
export async function workOnSweeps(given: SweepWorkerArguments): Promise<ExitCode> {
  const stop = new AbortController();
  const signals = hearStopSignals('stopped at once; what was begun is run again elsewhere');
  signals.onStop((signal) => {
    remark(`${signal}: finishing what was begun`);
    stop.abort();
  });
  const jobs = await runSweepWorker({
    redis: given.redis,
    environment: process.env,
    threads: given.threads,
    folder: given.folder,
    stalledAfterMs: given.stalledAfter,
    stop: stop.signal,
    onNews: remark,
    onFinished: (count) => remark(`${count} backtest${count === 1 ? '' : 's'} done`),
  });
  print(`${jobs} backtest${jobs === 1 ? '' : 's'} done`);
  return EXIT.clean;
}
