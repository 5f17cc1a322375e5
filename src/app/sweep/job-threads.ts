/** The jobs of a sweep, in this thread or in several; which runs which changes nothing but the time. */
import { Piscina } from 'piscina';
import { InvariantError, UsageError } from '../../domain/errors.js';
import type { SharedRecording } from '../../tape/index.js';
import { type FinishedJob, runJob, type SweepJob } from './job.js';
import type { TradedPiece } from './pieces.js';

/** What every thread is given once; decoded blocks lie in shared memory. */
export interface ThreadInputs {
  /** The configuration file. */
  readonly file: string;
  /** By place of the piece. */
  readonly pieces: readonly (readonly SharedRecording[])[];
}

/** What a thread says of a job. */
export type JobAnswer =
  | { readonly ok: true; readonly finished: FinishedJob }
  | { readonly ok: false; readonly isUsage: boolean; readonly text: string };

export interface JobRunning {
  readonly file: string;
  readonly pieces: readonly TradedPiece[];
  readonly threads: number;
  readonly onFinished: (finished: FinishedJob, job: SweepJob) => void;
}

/** As much as the command itself has: a run makes much that is soon garbage, and copies less of it where it has room. */
const YOUNG_MB = 192;

/** @throws whatever the first job throws that fails; jobs that are finished by then have been told of */
export async function runJobs(jobs: readonly SweepJob[], running: JobRunning): Promise<void> {
  const { file, pieces, threads, onFinished } = running;
  if (threads > 1 && jobs.length > 1) return runInPool(jobs, running);
  for (const job of jobs) onFinished(await runJob(job, file, pieces[job.piece]!.recordings), job);
}

async function runInPool(
  jobs: readonly SweepJob[],
  { file, pieces, threads, onFinished }: JobRunning,
): Promise<void> {
  const shared = pieces.map(({ recordings }) => recordings.map((source) => source.shared));
  const pool = new Piscina<SweepJob, JobAnswer>({
    filename: new URL('./sweep-worker.js', import.meta.url).href,
    minThreads: Math.min(threads, jobs.length),
    maxThreads: Math.min(threads, jobs.length),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    workerData: { file, pieces: shared } satisfies ThreadInputs,
  });
  try {
    await Promise.all(jobs.map(async (job) => onFinished(finishedOf(await pool.run(job)), job)));
  } finally {
    await pool.destroy();
  }
}

function finishedOf(answer: JobAnswer): FinishedJob {
  if (answer.ok) return answer.finished;
  throw answer.isUsage ? new UsageError(answer.text) : new InvariantError(answer.text);
}
