/** The thread that runs jobs of a sweep, one at a time. */
import { Piscina } from 'piscina';
import { openShared } from '../../storage/index.js';
import { answerTo, type JobAnswer } from './job-answer.js';
import type { ThreadInputs } from './job-threads.js';
import type { SweepJob } from './job.js';

const { file, pieces: shared } = Piscina.workerData as ThreadInputs;
const pieces = shared.map((recordings) => recordings.map(openShared));

export default function run(job: SweepJob): Promise<JobAnswer> {
  return answerTo(job, file, pieces[job.piece]!);
}
