/** What a worker does with a job that it has taken. */
import { openShared, type SharedRecording } from '../../../storage/index.js';
import { type FinishedScreens, runBatch, type ScreenBatch } from '../../screen/screen-batch.js';
import { type FinishedJob, runJob, type ThreadTask } from '../job.js';

/** Plain values that can be sent to a thread. */
export type TakenJob =
  | ({ readonly kind: 'backtest' } & ThreadTask)
  | {
      readonly kind: 'screen';
      readonly batch: ScreenBatch;
      /** The configuration file: strategies are found from its folder. */
      readonly file: string;
      readonly recordings: readonly SharedRecording[];
    };

/** What comes back to the sender. */
export type DoneJob = FinishedJob | FinishedScreens;

/** @throws as {@link runJob} and {@link runBatch} */
export function runTaken(taken: TakenJob): Promise<DoneJob> {
  const recordings = taken.recordings.map(openShared);
  return taken.kind === 'screen'
    ? runBatch(taken.batch, taken.file, recordings)
    : runJob(taken.job, taken.file, recordings);
}
