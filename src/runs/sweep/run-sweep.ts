import { join, dirname } from 'node:path';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Lock, lockResult } from '../../storage/state/lock-file.js';
import { sweepPage } from '../../report/html.js';
import { replaceFile, makeFolder } from '../../storage/files/whole-files.js';
import { type FinishedJob, finishedJobSchema, type SweepJob, runJobs } from './job.js';
import { breath, Interrupted, unlessStopped } from '../interruption.js';
import { runJobsOnRedis } from './redis/sender.js';
import { sweepsFolder } from '../../ops/state/run-folders.js';
import { planSweep, type SweepInputs, type SweepPlan } from './plan.js';
import { writeResultTable, resultOf } from './result.js';
import type { SweepReport } from '../../report/sweep-report.js';
import { cannotWrite, UsageError } from '../../domain/errors.js';

export interface SweepOptions extends SweepInputs {
  /** Folder of the results; default: the sweeps of the stateDir. Jobs finished there are not run again. */
  readonly out?: string | undefined;
  readonly threads?: number;
  /** Workers at this Redis run the backtests. Default: this process. */
  readonly redis?: string | undefined;
  /** Ends the sweep early. Finished jobs are kept. */
  readonly stop?: AbortSignal;
  /** Called with news of workers and connections, and with remarks about recordings. */
  readonly onNews?: (text: string) => void;
  /** Called once, before anything is traded. */
  readonly onPlan?: (jobs: number, finishedBefore: number) => void;
  /** `done` of `all` rows of recordings are behind. */
  readonly onProgress?: (done: number, all: number) => void;
}

export interface WrittenSweep {
  readonly result: SweepReport;
  readonly plan: SweepPlan;
  /** Path of the result as JSON. */
  readonly file: string;
  /** Path of its page. */
  readonly page: string;
}

/**
 * Tries every configuration on every piece and ranks them. Each finished job is a line of `<out>/jobs.ndjson`, the
 * result is `<out>/<id>` with the endings `.json`, `.parquet` and `.html`: the same bytes for any number of threads, also
 * after an interruption.
 * @throws SettingsError, UsageError, RecordingError, RedisError, Interrupted, LockHeldError
 */
export async function runSweep(options: SweepOptions): Promise<WrittenSweep> {
  const { stop = new AbortController().signal } = options;
  const plan = await unlessStopped(planSweep(options, breath(stop)), stop).catch((error: unknown) => {
    throw stop.aborted
      ? new Interrupted('interrupted before anything was traded; nothing is written')
      : error;
  });
  const { out = sweepsFolder(plan.stateDir) } = options;
  const finished = FinishedJobs.open(join(out, 'jobs.ndjson'));
  let lock: Lock | null = null;
  try {
    lock = lockResult(join(out, `${plan.id}.lock`), `the sweep ${plan.id}`);
    await finishAll(plan, finished, { ...options, out, stop });
    const result = resultOf(plan, (job) => finished.get(job.key)!);
    return { result, plan, ...(await writeResult(out, result)) };
  } finally {
    finished.close();
    lock?.release();
  }
}

/** Writes each file completely or not at all. @throws UsageError when the folder cannot be written */
async function writeResult(out: string, result: SweepReport): Promise<Pick<WrittenSweep, 'file' | 'page'>> {
  const [file, page, table] = ['json', 'html', 'parquet'].map((ending) =>
    join(out, `${result.id}.${ending}`),
  );
  try {
    await writeResultTable(table!, result);
    replaceFile(page!, sweepPage(result));
    replaceFile(file!, `${JSON.stringify(result, null, 2)}\n`);
  } catch (error) {
    throw cannotKeep(out, error);
  }
  return { file: file!, page: page! };
}

/** Runs the longest jobs first, so that threads end at about the same time. */
async function finishAll(
  plan: SweepPlan,
  finished: FinishedJobs,
  options: SweepOptions & { readonly out: string; readonly stop: AbortSignal },
): Promise<void> {
  const { id, traded: pieces } = plan;
  const jobs = distinct([...plan.baseJobs, ...plan.jobs.flat()]);
  const left = jobs
    .filter(({ key }) => finished.get(key) === undefined)
    .toSorted((a, b) => pieces[b.piece]!.rows - pieces[a.piece]!.rows);
  options.onPlan?.(jobs.length, jobs.length - left.length);
  const all = left.reduce((sum, { piece }) => sum + pieces[piece]!.rows, 0);
  let [done, rows] = [0, 0];
  const onFinished = (job: FinishedJob, { piece }: SweepJob): void => {
    finished.add(job);
    done += 1;
    rows += pieces[piece]!.rows;
    options.onProgress?.(rows, all);
  };
  const { stop, file, environment, threads = 1, redis, onNews = () => undefined } = options;
  plan.notes.forEach(onNews);
  for (const name of tooLarge(pieces))
    onNews(`${name} is too large to be held: each backtest decodes it again`);
  try {
    if (redis === undefined) await runJobs(left, { file, pieces, threads, onFinished, stop });
    else await runJobsOnRedis(left, { id, file, pieces, redis, environment, onFinished, onNews, stop });
  } catch (error) {
    throw stop.aborted ? interrupted(jobs.length - left.length + done, jobs.length, options.out) : error;
  }
}

const interrupted = (done: number, all: number, out: string): Interrupted =>
  new Interrupted(
    `interrupted: ${done} of ${all} backtests are finished and kept in ${out}; the same command goes on from there`,
  );

const tooLarge = (pieces: SweepPlan['traded']): ReadonlySet<string> =>
  new Set(
    pieces.flatMap(({ recordings }) => recordings.flatMap(({ name, shared }) => (shared.kept ? [] : name))),
  );

/** Equal configurations are run once. */
const distinct = (jobs: readonly SweepJob[]): readonly SweepJob[] => [
  ...new Map(jobs.map((job) => [job.key, job])).values(),
];

/** File of finished jobs, a line each. A killed sweep goes on behind the last line. */
export class FinishedJobs {
  private readonly jobs = new Map<string, FinishedJob>();

  private constructor(
    private readonly handle: number,
    text: string,
    private readonly file: string,
  ) {
    text.split('\n').forEach((line, at) => {
      if (line !== '') this.keep(parsed(line, file, at + 1));
    });
  }

  /**
   * Reads the file. An incomplete last line is removed: the sweep was killed while writing it.
   * @throws UsageError when the file cannot be opened, or another line is no finished job
   */
  static open(file: string): FinishedJobs {
    const handle = openFile(file);
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) ftruncateSync(handle, Buffer.byteLength(whole));
    return new FinishedJobs(handle, whole, file);
  }

  get(key: string): FinishedJob | undefined {
    return this.jobs.get(key);
  }

  /** Appends a job, once. */
  add(job: FinishedJob): void {
    if (this.jobs.has(job.key)) return;
    this.append(`${JSON.stringify(job)}\n`);
    this.keep(job);
  }

  close(): void {
    closeSync(this.handle);
  }

  /** A full disk may leave a part of a line: the next start removes it. */
  private append(line: string): void {
    try {
      const bytes = Buffer.from(line);
      for (let at = 0; at < bytes.length;) at += writeSync(this.handle, bytes, at);
    } catch (error) {
      throw cannotKeep(this.file, error);
    }
  }

  private keep(job: FinishedJob): void {
    if (!this.jobs.has(job.key)) this.jobs.set(job.key, job);
  }
}

function openFile(file: string): number {
  try {
    makeFolder(dirname(file));
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw cannotKeep(file, error);
  }
}

/** As {@link cannotWrite}; finished jobs are kept. */
const cannotKeep = (path: string, error: unknown): Error =>
  cannotWrite(path, error, 'what is finished is kept: make room, run the same again');

function parsed(line: string, file: string, number: number): FinishedJob {
  try {
    return finishedJobSchema.parse(JSON.parse(line));
  } catch {
    throw new UsageError(`${file}:${number}: no finished job; move the file away to begin anew`);
  }
}
