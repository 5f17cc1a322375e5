/** Runs the jobs of a sweep in this thread or in several. The number of threads changes only the time. */
import { Piscina } from 'piscina';
import type { SharedRecording } from '../../storage/index.js';
import { breath, unlessStopped } from '../interruption.js';
import { type FinishedJob, finishedOf, type JobAnswer, runJob, type SweepJob } from './job.js';
import type { TradedPiece } from './pieces.js';

/** A job with everything that it reads. Decoded blocks lie in shared memory. */
export interface ThreadTask {
  readonly job: SweepJob;
  /** The configuration file: strategies are found from its folder. */
  readonly file: string;
  readonly recordings: readonly SharedRecording[];
}

export interface JobRunning {
  readonly file: string;
  readonly pieces: readonly TradedPiece[];
  readonly threads: number;
  readonly onFinished: (finished: FinishedJob, job: SweepJob) => void;
  /** Ends everything at once when it is aborted, with its reason. */
  readonly stop: AbortSignal;
}

/** As much as the command itself has: backtests make much short-lived garbage. */
const YOUNG_MB = 192;

/** Threads that run one job at a time. */
export const openJobThreads = (threads: number): Piscina<ThreadTask, JobAnswer> =>
  new Piscina({
    filename: new URL('./job-thread.js', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });

/** @throws the error of the first job that fails; `onFinished` was called for the jobs finished before */
export async function runJobs(jobs: readonly SweepJob[], running: JobRunning): Promise<void> {
  const { file, pieces, threads, onFinished, stop } = running;
  if (threads <= 1 || jobs.length <= 1) {
    for (const job of jobs)
      onFinished(await runJob(job, file, pieces[job.piece]!.recordings, breath(stop)), job);
    return;
  }
  const shared = pieces.map(({ recordings }) => recordings.map((source) => source.shared));
  const pool = openJobThreads(Math.min(threads, jobs.length));
  const runOn = async (job: SweepJob): Promise<void> =>
    onFinished(finishedOf(await pool.run({ job, file, recordings: shared[job.piece]! })), job);
  try {
    await unlessStopped(Promise.all(jobs.map(runOn)), stop);
  } finally {
    await pool.destroy();
  }
}
