import type { WorkerOptions } from 'bullmq';
import { hostname } from 'node:os';
import { UsageError } from '../../../domain/errors.js';
import type { Environment } from '../../../settings/index.js';
import { type Answer, openThreads } from '../../threads.js';
import { programIdentity } from '../../program.js';
import {
  loadRedisPackages,
  redisAddress,
  describeRedis,
  isRefusal,
  kindOfFailure,
  type News,
  openRedis,
} from './connection.js';
import type { DoneJob, TakenJob } from './taken-job.js';
import { PREFIX, QUEUE, type QueuedJob, type WorkerRefusal, JobRefusal, JobTaker } from './job-taker.js';

export interface SweepWorkerOptions {
  /** `redis://...` */
  readonly redis: string;
  /** Where its password may stand. */
  readonly environment: Environment;
  readonly threads: number;
  /** Where the configuration file of a sweep would lie on this machine; undefined: as on the machine that sends. */
  readonly folder: string | undefined;
  /** After this long without a sign of life, a job is given to another worker. */
  readonly stalledAfterMs: number;
  /** Jobs under way are finished first. */
  readonly stop: AbortSignal;
  readonly onNews: News;
  /** Called after every job. */
  readonly onFinished?: (jobs: number) => void;
  /** Attempts to restore a lost connection. */
  readonly attempts?: number;
}

/** Workers that may go silent on one job before it is given up. */
const STALLED_MOST = 3;

/**
 * Runs jobs of sweeps in threads until it is stopped.
 * @returns how many jobs it finished
 * @throws RedisError when Redis cannot be used; UsageError when files here differ from those of the sweep: its jobs
 *   are left to other workers
 */
export async function runSweepWorker(options: SweepWorkerOptions): Promise<number> {
  const { stop, onNews } = options;
  const address = redisAddress(options.redis, options.environment);
  // Computed before waiting: the build may be replaced while the worker waits.
  programIdentity();
  const packages = await loadRedisPackages();
  const link = await openRedis(packages, { ...options, address });
  onNews(`waiting for backtests at ${address.shown}`);
  const thread = new URL('./taken-thread.js', import.meta.url);
  const pool = await openThreads<TakenJob, DoneJob>(thread, options.threads);
  const refusal = new AbortController();
  const counted = { jobs: 0 };
  const { Worker, WaitingError } = packages.bullmq;
  const worker = new Worker(QUEUE, processor, { ...queueOptions(options), connection: link.client });
  const taker = new JobTaker(options.folder);
  worker.on('error', (error) => complain(error, address.shown, onNews));
  worker.on('stalled', () => onNews('a worker went silent; its backtest is run again'));

  async function processor(job: QueuedJob, token?: string): Promise<Answer<DoneJob>> {
    try {
      const answer = await pool.run(await taker.take(job.data));
      if (!answer.ok && answer.isStale) throw new JobRefusal(answer.text);
      counted.jobs += 1;
      options.onFinished?.(counted.jobs);
      return answer;
    } catch (error) {
      if (!(error instanceof JobRefusal)) throw error;
      await worker.pause(true);
      await handBack(job, token, error.message);
      refusal.abort(new UsageError(error.message));
      throw new WaitingError();
    }
  }

  try {
    await Promise.race([raised(stop), raised(refusal.signal), link.gone]);
    await Promise.race([worker.close(), link.gone]);
    refusal.signal.throwIfAborted();
    return counted.jobs;
  } finally {
    void worker.close(true);
    link.close();
    await pool.destroy();
  }
}

const NAME = `${hostname()}:${process.pid}`;

const queueOptions = ({
  threads,
  stalledAfterMs,
}: SweepWorkerOptions): Omit<WorkerOptions, 'connection'> => ({
  prefix: PREFIX,
  name: NAME,
  concurrency: threads,
  lockDuration: stalledAfterMs,
  stalledInterval: stalledAfterMs,
  maxStalledCount: STALLED_MOST,
});

/** Leaves a job to other workers, and tells the sender why. */
async function handBack(job: QueuedJob, token: string | undefined, why: string): Promise<void> {
  await job.updateProgress({ refusal: `worker ${NAME} refuses: ${why}` } satisfies WorkerRefusal);
  await job.moveToWait(token);
}

/** The link reports connection errors. Left are results that came too late, and a full Redis. */
function complain(error: Error, address: string, onNews: News): void {
  const kind = kindOfFailure(error);
  if (isRefusal(kind)) onNews(describeRedis(address, kind));
  else if (!('code' in error) || typeof error.code === 'number') onNews(error.message);
}

const raised = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
