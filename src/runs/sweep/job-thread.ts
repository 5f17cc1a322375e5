/** The thread that runs jobs of a sweep, one at a time. */
import { openShared } from '../../storage/index.js';
import { type Answer, answerOf } from '../threads.js';
import { type FinishedJob, runJob, type ThreadTask } from './job.js';

export default ({ job, file, recordings }: ThreadTask): Promise<Answer<FinishedJob>> =>
  answerOf(runJob(job, file, recordings.map(openShared)));
