/** The thread of a worker that runs jobs from Redis, one at a time. */
import { openShared, type SharedRecording } from '../../../storage/index.js';
import { answerTo, type JobAnswer } from '../job-answer.js';
import type { SweepJob } from '../job.js';

/** A job with all that it reads; decoded blocks lie in shared memory. */
export interface ThreadTask {
  readonly job: SweepJob;
  /** The configuration file, where it would lie on this machine. */
  readonly file: string;
  readonly recordings: readonly SharedRecording[];
}

export default async function run({ job, file, recordings }: ThreadTask): Promise<JobAnswer> {
  return answerTo(job, file, recordings.map(openShared));
}
