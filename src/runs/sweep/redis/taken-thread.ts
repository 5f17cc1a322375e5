/** The thread that runs what a worker took, one job at a time. */
import { type Answer, answerOf } from '../../threads.js';
import { type DoneJob, runTaken, type TakenJob } from './taken-job.js';

export default (taken: TakenJob): Promise<Answer<DoneJob>> => answerOf(runTaken(taken));
