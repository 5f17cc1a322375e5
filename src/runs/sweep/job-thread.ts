/** The thread that runs jobs of a sweep, one at a time. */
import { openShared } from '../../storage/index.js';
import { type ThreadTask, answerTo, type JobAnswer } from './job.js';

export default function run({ job, file, recordings }: ThreadTask): Promise<JobAnswer> {
  return answerTo(job, file, recordings.map(openShared));
}
