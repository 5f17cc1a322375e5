/** Screens every configuration of a sweep, and lets the engine confirm the best of them and the file as it is. */
import { join } from 'node:path';
import { correlationOf, ranksOf } from '../../analytics/statistics.js';
import { UsageError } from '../../domain/errors.js';
import { sweepsFolder } from '../../ops/state/run-folders.js';
import { type BotSettings, SCENARIOS, type ScenarioName } from '../../settings/index.js';
import { replaceFile, makeFolder } from '../../storage/files/whole-files.js';
import { breath, Interrupted, unlessStopped } from '../interruption.js';
import { openThreads, resultOf } from '../threads.js';
import { type FinishedJob, runJobs, type SweepJob } from '../sweep/job.js';
import { planSweep, type SweepPlan, type SweepInputs } from '../sweep/plan.js';
import { screenPiece } from './screen-piece.js';
import type { ScreenTask } from './screen-thread.js';
import type { ScreenTotals } from './screen.js';

export interface ScreenedSweepOptions extends SweepInputs {
  /** Folder of the result; default: the sweeps of the stateDir. */
  readonly out?: string | undefined;
  readonly threads: number;
  /** How many of the best configurations the engine confirms. */
  readonly confirm: number;
  readonly stop: AbortSignal;
  readonly onNews: (text: string) => void;
  /** `done` of `all` pieces are behind. */
  readonly onProgress: (done: number, all: number) => void;
}

/** Totals over all pieces; profits in currency units. */
export type ScenarioProfits = Readonly<Record<ScenarioName, number>> & {
  readonly fills: Readonly<Record<ScenarioName, number>>;
};

export interface ScreenedRow {
  /** By path; empty: the file as it is. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly screen: ScenarioProfits;
  /** null: not confirmed. */
  readonly engine: ScenarioProfits | null;
  /** What stopped strategies in the screen. */
  readonly faults: readonly string[];
}

export interface ScreenedSweep {
  readonly id: string;
  readonly headline: ScenarioName;
  readonly currency: string;
  readonly screened: number;
  readonly confirmed: number;
  readonly seconds: number;
  /** Of ranks by profit in the scenario of the headline, over the confirmed rows; null below three rows. */
  readonly rankCorrelation: number | null;
  readonly profitCorrelation: Readonly<Record<ScenarioName, number | null>>;
  /** Greatest difference of profit between screen and engine in the scenario of the headline. */
  readonly largestDifference: number | null;
  /** The best first; the file as it is comes last. */
  readonly rows: readonly ScreenedRow[];
}

/** Below this correlation the ranking is not to be believed. */
export const TRUSTED_CORRELATION = 0.9;

/**
 * Screens a sweep on all its pieces. The result is `<out>/<id>-screen.json`.
 * @throws SettingsError, UsageError (also for what a screen does not have), RecordingError, Interrupted
 */
export async function runScreenedSweep(
  options: ScreenedSweepOptions,
): Promise<{ readonly result: ScreenedSweep; readonly file: string }> {
  const { stop } = options;
  const begun = performance.now();
  const plan = await interruptible(planSweep(options, breath(stop)), stop);
  plan.notes.forEach(options.onNews);
  const jobs = [...plan.jobs, plan.baseJobs];
  for (const { settings } of jobs.flat()) refuseUnscreened(settings);
  const screens = await interruptible(screenAll(jobs.flat(), plan, options), stop);
  const perPiece = plan.pieces.length;
  const screened = jobs.map((_, at) => screens.slice(at * perPiece, (at + 1) * perPiece));
  const order = bestFirst(plan, screened.slice(0, -1));
  const chosen = [...order.slice(0, options.confirm), plan.jobs.length];
  const finished = await interruptible(
    confirm(
      chosen.map((at) => jobs[at]!),
      plan,
      options,
    ),
    stop,
  );
  const rows = [...order, plan.jobs.length].map((at): ScreenedRow => {
    const place = chosen.indexOf(at);
    return {
      params: paramsOf(plan, at),
      screen: totalsOf(screened[at]!),
      engine: place === -1 ? null : totalsOf(finished[place]!.map(totalsOfJob)),
      faults: [...new Set(screened[at]!.flatMap((piece) => piece.flatMap(({ faults }) => faults)))],
    };
  });
  const result = judged(plan, rows, order.length, (performance.now() - begun) / 1_000);
  const { out = sweepsFolder(plan.stateDir) } = options;
  const file = join(out, `${plan.id}-screen.json`);
  makeFolder(out);
  replaceFile(file, `${JSON.stringify(result, null, 2)}\n`);
  return { result, file };
}

/** @throws UsageError for what a screen cannot show a strategy, or let it do */
function refuseUnscreened({ fairValues, backtest, instances }: BotSettings): void {
  const found =
    fairValues.length > 0 || (backtest?.fairValues ?? null) !== null
      ? 'fair values from outside'
      : instances.some(({ limits }) => limits.taking !== null)
        ? 'limits.taking'
        : null;
  if (found !== null)
    throw new UsageError(
      `a screen has no ${found}, which this file asks for: run the sweep without --screen`,
    );
}

function interruptible<Result>(work: Promise<Result>, stop: AbortSignal): Promise<Result> {
  return unlessStopped(work, stop).catch((error: unknown) => {
    throw stop.aborted ? new Interrupted('interrupted: nothing is written') : error;
  });
}

/** @returns what each job came to, in their order */
async function screenAll(
  jobs: readonly SweepJob[],
  { traded }: SweepPlan,
  { file, threads, stop, onProgress }: ScreenedSweepOptions,
): Promise<readonly (readonly ScreenTotals[])[]> {
  let done = 0;
  const passed = <Result>(result: Result): Result => {
    onProgress((done += 1), jobs.length);
    return result;
  };
  if (threads <= 1) {
    const found: (readonly ScreenTotals[])[] = [];
    const pause = breath(stop);
    for (const { settings, piece } of jobs) {
      found.push(passed(await screenPiece(settings, file, traded[piece]!.recordings)));
      await pause();
    }
    return found;
  }
  const shared = traded.map(({ recordings }) => recordings.map((source) => source.shared));
  const url = new URL('./screen-thread.js', import.meta.url);
  const pool = await openThreads<ScreenTask, readonly ScreenTotals[]>(url, Math.min(threads, jobs.length));
  const runOn = async ({ settings, piece }: SweepJob): Promise<readonly ScreenTotals[]> =>
    passed(resultOf(await pool.run({ settings, file, recordings: shared[piece]! })));
  try {
    return await unlessStopped(Promise.all(jobs.map(runOn)), stop);
  } finally {
    await pool.destroy();
  }
}

/** Places of the configurations, most profit first; one whose strategy was stopped comes last. */
function bestFirst(
  { headline }: SweepPlan,
  screened: readonly (readonly (readonly ScreenTotals[])[])[],
): readonly number[] {
  const failed = screened.map((pieces) =>
    pieces.some((piece) => piece.some(({ faults }) => faults.length > 0)),
  );
  const profits = screened.map((pieces) => totalsOf(pieces)[headline]);
  return screened
    .map((_, at) => at)
    .toSorted((a, b) => Number(failed[a]) - Number(failed[b]) || profits[b]! - profits[a]! || a - b);
}

async function confirm(
  jobs: readonly (readonly SweepJob[])[],
  plan: SweepPlan,
  { file, threads, stop }: ScreenedSweepOptions,
): Promise<readonly (readonly FinishedJob[])[]> {
  const finished = new Map<string, FinishedJob>();
  const onFinished = (job: FinishedJob): void => void finished.set(job.key, job);
  const distinct = [...new Map(jobs.flat().map((job) => [job.key, job])).values()];
  await runJobs(distinct, { file, pieces: plan.traded, threads, onFinished, stop });
  return jobs.map((pieces) => pieces.map(({ key }) => finished.get(key)!));
}

const totalsOfJob = ({ profits, fills }: FinishedJob): readonly ScreenTotals[] =>
  profits.map((profit, at) => ({ profit, fills: fills[at]!, faults: [] }));

function totalsOf(pieces: readonly (readonly ScreenTotals[])[]): ScenarioProfits {
  const summed = (of: (totals: ScreenTotals) => number): Record<ScenarioName, number> =>
    Object.fromEntries(
      SCENARIOS.map((name, at) => [name, pieces.reduce((sum, piece) => sum + of(piece[at]!), 0)]),
    ) as Record<ScenarioName, number>;
  return { ...summed(({ profit }) => profit), fills: summed(({ fills }) => fills) };
}

const paramsOf = ({ axes, candidates }: SweepPlan, at: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    at < candidates.length ? axes.map(({ path }, axis) => [path, candidates[at]![axis]]) : [],
  );

function judged(
  plan: SweepPlan,
  rows: readonly ScreenedRow[],
  screened: number,
  seconds: number,
): ScreenedSweep {
  const { id, headline, currency } = plan;
  const confirmed = rows.filter(({ engine }) => engine !== null);
  const of = (scenario: ScenarioName) => ({
    screen: confirmed.map(({ screen }) => screen[scenario]),
    engine: confirmed.map(({ engine }) => engine![scenario]),
  });
  if (rows.length === 0) throw new UsageError('the sweep has no configuration');
  const { screen, engine } = of(headline);
  return {
    id,
    headline,
    currency,
    screened,
    confirmed: confirmed.length - 1,
    seconds: Math.round(seconds * 100) / 100,
    rankCorrelation: correlationOf(ranksOf(screen), ranksOf(engine)),
    profitCorrelation: Object.fromEntries(
      SCENARIOS.map((name) => [name, correlationOf(of(name).screen, of(name).engine)]),
    ) as ScreenedSweep['profitCorrelation'],
    largestDifference:
      confirmed.length === 0 ? null : Math.max(...screen.map((profit, at) => Math.abs(profit - engine[at]!))),
    rows,
  };
}
