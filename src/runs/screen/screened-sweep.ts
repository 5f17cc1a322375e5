/** Screens every configuration of a sweep, and lets the engine confirm the best of them and the file as it is. */
import { join } from 'node:path';
import { UsageError } from '../../domain/errors.js';
import { sweepsFolder } from '../../ops/state/run-folders.js';
import { screenPage } from '../../report/html.js';
import type { ScreenDifference, ScreenReport } from '../../report/screen-report.js';
import { type BotSettings, SCENARIOS } from '../../settings/index.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import { lockResult } from '../../storage/state/lock-file.js';
import { breath, Interrupted, unlessStopped } from '../interruption.js';
import { openThreads, resultOf } from '../threads.js';
import { type FinishedJob, runJobs, type SweepJob } from '../sweep/job.js';
import { screenOnRedis } from '../sweep/redis/screens.js';
import { runJobsOnRedis } from '../sweep/redis/sender.js';
import { planSweep, type SweepPlan, type SweepInputs } from '../sweep/plan.js';
import { bestFirst, screenReport } from '../sweep/screen-result.js';
import { explainDifferences } from './differences.js';
import { batchesOf, type ScreenBatch } from './screen-batch.js';
import { screenPiece } from './screen-piece.js';
import type { ScreenTask } from './screen-thread.js';
import type { ScreenTotals } from './screen.js';

export interface ScreenedSweepOptions extends SweepInputs {
  /** Folder of the result; default: the sweeps of the stateDir. */
  readonly out?: string | undefined;
  readonly threads: number;
  /** `redis://...`: workers elsewhere screen and confirm; undefined: threads here. */
  readonly redis?: string | undefined;
  /** How many of the best configurations the engine confirms. */
  readonly confirm: number;
  /** Whether to explain where the two differ, which takes four times as long as to confirm. */
  readonly explain?: boolean | undefined;
  readonly stop: AbortSignal;
  readonly onNews: (text: string) => void;
  /** `done` of `all` pieces are behind. */
  readonly onProgress: (done: number, all: number) => void;
}

export interface WrittenScreen {
  readonly result: ScreenReport;
  readonly plan: SweepPlan;
  /** Path of the result as JSON. */
  readonly file: string;
  /** Path of its page. */
  readonly page: string;
}

/**
 * Screens a sweep on all its pieces. The result is `<out>/<id>-screen` with the endings `.json` and `.html`.
 * @throws SettingsError, UsageError (also for what a screen does not have), RecordingError, Interrupted, LockHeldError
 */
export async function runScreenedSweep(options: ScreenedSweepOptions): Promise<WrittenScreen> {
  const { stop } = options;
  const begun = performance.now();
  const plan = await interruptible(planSweep(options, breath(stop)), stop);
  plan.notes.forEach(options.onNews);
  for (const { settings } of [...plan.jobs, plan.baseJobs].flat()) refuseUnscreened(settings);
  const { out = sweepsFolder(plan.stateDir) } = options;
  const lock = lockResult(join(out, `${plan.id}-screen.lock`), `the screen ${plan.id}`);
  try {
    const result = await screenPlan(plan, options, begun);
    return { result, plan, ...writeScreen(out, result) };
  } finally {
    lock.release();
  }
}

async function screenPlan(
  plan: SweepPlan,
  options: ScreenedSweepOptions,
  begun: number,
): Promise<ScreenReport> {
  const { stop } = options;
  const jobs = [...plan.jobs, plan.baseJobs];
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
  const confirmed = new Map(chosen.map((at, place) => [at, finished[place]!]));
  const differences =
    options.explain === true ? { differences: await explained(order, jobs, plan, options) } : {};
  const seconds = (performance.now() - begun) / 1_000;
  return { ...screenReport(plan, screened, confirmed, seconds), ...differences };
}

function writeScreen(out: string, result: ScreenReport): Pick<WrittenScreen, 'file' | 'page'> {
  const [file, page] = ['json', 'html'].map((ending) => join(out, `${result.id}-screen.${ending}`));
  replaceFile(page!, screenPage(result));
  replaceFile(file!, `${JSON.stringify(result, null, 2)}\n`);
  return { file: file!, page: page! };
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

/** @param order places of the configurations, the best first */
function explained(
  order: readonly number[],
  jobs: readonly (readonly SweepJob[])[],
  plan: SweepPlan,
  options: ScreenedSweepOptions,
): Promise<readonly ScreenDifference[]> {
  const { stop, confirm: most } = options;
  const scenario = SCENARIOS.indexOf(plan.headline);
  const chosen = [...order.slice(0, most), plan.jobs.length].map((at) => jobs[at]!);
  const quiet = { ...options, onProgress: () => undefined };
  const differenceOf = async (
    configurations: readonly (readonly SweepJob[])[],
  ): Promise<readonly number[]> => {
    const screens = await screenAll(configurations.flat(), plan, quiet);
    const engine = await confirm(configurations, plan, quiet);
    const perPiece = plan.pieces.length;
    return engine.map((pieces, at) =>
      pieces.reduce(
        (sum, { profits }, piece) =>
          sum + screens[at * perPiece + piece]![scenario]!.profit - profits[scenario]!,
        0,
      ),
    );
  };
  return interruptible(explainDifferences(chosen, differenceOf), stop);
}

/** @returns what each job came to, in their order */
async function screenAll(
  jobs: readonly SweepJob[],
  plan: SweepPlan,
  { redis, ...options }: ScreenedSweepOptions,
): Promise<readonly (readonly ScreenTotals[])[]> {
  if (redis !== undefined) return screenOnRedis(jobs, { ...options, redis, plan });
  const { traded } = plan;
  const { file, threads, stop, onProgress } = options;
  const found = new Map<string, readonly ScreenTotals[]>();
  const batches = batchesOf(jobs, threads);
  const all = batches.reduce((sum, batch) => sum + batch.jobs.length, 0);
  const keep = ({ jobs: own }: ScreenBatch, totals: readonly (readonly ScreenTotals[])[]): void => {
    own.forEach(({ key }, at) => found.set(key, totals[at]!));
    onProgress(found.size, all);
  };
  const inOrder = () => jobs.map(({ key }) => found.get(key)!);
  const settingsOf = ({ jobs: own }: ScreenBatch) => own.map(({ settings }) => settings);
  if (threads <= 1) {
    const pause = breath(stop);
    for (const batch of batches)
      keep(batch, await screenPiece(settingsOf(batch), file, traded[batch.piece]!.recordings, pause));
    return inOrder();
  }
  const shared = traded.map(({ recordings }) => recordings.map((source) => source.shared));
  const url = new URL('./screen-thread.js', import.meta.url);
  const pool = await openThreads<ScreenTask, readonly (readonly ScreenTotals[])[]>(
    url,
    Math.min(threads, batches.length),
  );
  const runOn = async (batch: ScreenBatch): Promise<void> => {
    const task = { configurations: settingsOf(batch), file, recordings: shared[batch.piece]! };
    keep(batch, resultOf(await pool.run(task)));
  };
  try {
    await unlessStopped(Promise.all(batches.map(runOn)), stop);
  } finally {
    await pool.destroy();
  }
  return inOrder();
}

async function confirm(
  jobs: readonly (readonly SweepJob[])[],
  plan: SweepPlan,
  { file, threads, stop, redis, environment, onNews }: ScreenedSweepOptions,
): Promise<readonly (readonly FinishedJob[])[]> {
  const finished = new Map<string, FinishedJob>();
  const onFinished = (job: FinishedJob): void => void finished.set(job.key, job);
  const distinct = [...new Map(jobs.flat().map((job) => [job.key, job])).values()];
  const { id, traded: pieces } = plan;
  if (redis === undefined) await runJobs(distinct, { file, pieces, threads, onFinished, stop });
  else await runJobsOnRedis(distinct, { id, file, pieces, redis, environment, onFinished, onNews, stop });
  return jobs.map((pieces) => pieces.map(({ key }) => finished.get(key)!));
}
