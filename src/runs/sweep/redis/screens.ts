/** Screens over Redis: workers on any machine screen the configurations, a batch at a time. */
import type { Environment } from '../../../settings/index.js';
import { batchesOf, finishedScreensSchema, type FinishedScreens } from '../../screen/screen-batch.js';
import type { SweepJob } from '../job.js';
import type { SweepPlan } from '../plan.js';
import { sentScreens } from './job-taker.js';
import { runOnRedis } from './sender.js';

export interface ScreenSending {
  readonly redis: string;
  /** May have the password. */
  readonly environment: Environment;
  readonly file: string;
  readonly plan: Pick<SweepPlan, 'id' | 'traded'>;
  readonly stop: AbortSignal;
  readonly onNews: (text: string) => void;
  /** `done` of `all` configurations on pieces are behind. */
  readonly onProgress: (done: number, all: number) => void;
}

/**
 * Each job counts once, whatever happens to workers or the connection.
 * @returns what each job came to, in their order
 */
export async function screenOnRedis(
  jobs: readonly SweepJob[],
  { plan, onProgress, ...sending }: ScreenSending,
): Promise<readonly FinishedScreens['totals'][number][]> {
  const found = new Map<string, FinishedScreens['totals'][number]>();
  const sweep = { id: plan.id, file: sending.file, pieces: plan.traded };
  const batches = batchesOf(jobs);
  const all = batches.reduce((sum, batch) => sum + batch.jobs.length, 0);
  await runOnRedis(batches, {
    ...sending,
    sentOf: (batch) => sentScreens(batch, sweep),
    schema: finishedScreensSchema,
    onFinished: ({ totals }, batch) => {
      batch.jobs.forEach(({ key }, at) => found.set(key, totals[at]!));
      onProgress(found.size, all);
    },
  });
  return jobs.map(({ key }) => found.get(key)!);
}
