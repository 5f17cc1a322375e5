import { runSweep } from '../../runs/sweep/run-sweep.js';
import type { SweepReport, SweptStop } from '../../report/sweep-report.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { ProgressBar } from '../screen/progress.js';
import { hearStopSignals } from '../signals.js';
import { runSweepWorker } from '../../runs/sweep/redis/worker.js';
import { print, printJson, remark } from '../output.js';

export interface SweepArguments {
  readonly set: readonly string[];
  readonly json: boolean;
  readonly out?: string;
  readonly threads: number;
  readonly redis?: string;
}

/** Rows of the ranking on the screen; the file has all. */
const SHOWN = 20;

/** `oddsmith sweep`: many configurations on the same recordings. */
export async function sweepConfiguration(file: string, given: SweepArguments): Promise<ExitCode> {
  const bar = new ProgressBar(process.stderr, 'sweep');
  const say = (text: string): void => {
    bar.close();
    remark(text);
  };
  const stop = new AbortController();
  const signals = hearStopSignals('stopped at once');
  signals.onStop(() => stop.abort());
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
  const { result, file: json, page } = written;
  if (given.json) printJson({ ...result, file: json, page });
  else print(...sweepTable(result), '', page, json);
  return written.result.faults.length === 0 ? EXIT.clean : EXIT.internal;
}

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
      row.allProfit.toFixed(2),
      stopsText(row.stoppedBy, result.pieces.length),
      ...candidates[row.candidate]!.values.map(String),
    ]);
  const stopped = stopsText(outOfSample.baseStoppedBy, result.pieces.length);
  const baseText = stopped === '' ? '' : `, stopped by ${stopped}`;
  const names = parameters.map((path) => path.split('.').at(-1) ?? path);
  const head = ['train rank', 'test rank', 'chosen', 'test', 'all', 'stopped by', ...names];
  return [
    `sweep ${result.id}: ${tried} configurations tried on ${result.pieces.length} pieces, ${folds.length} tests (${result.splits})`,
    `chosen by training: ${amount(outOfSample.profit)} out of sample; the file as it is: ${amount(outOfSample.base)}${baseText}`,
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

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join('  '));
}

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
