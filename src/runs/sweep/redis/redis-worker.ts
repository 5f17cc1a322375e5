import type { WorkerOptions } from 'bullmq';
import { hostname } from 'node:os';
import { Piscina } from 'piscina';
import { UsageError } from '../../../domain/errors.js';
import type { Environment } from '../../../settings/index.js';
import type { JobAnswer } from '../job-answer.js';
import { YOUNG_MB } from '../job-threads.js';
import { programIdentity } from '../../program-version.js';
import { JobTaker } from './job-taker.js';
import { loadRedisPackages } from './packages.js';
import { PREFIX, QUEUE, type QueuedJob, type WorkerRefusal } from './queue.js';
import { redisAddress } from './redis-address.js';
import { describeRedis, isRefusal, kindOfFailure } from './redis-error.js';
import { type News, openRedis } from './redis-link.js';
import type { ThreadTask } from './redis-thread.js';
import { JobRefusal } from './sent-job.js';

export interface SweepWorkerOptions {
  /** `redis://...` */
  readonly redis: string;
  /** Where its password may stand. */
  readonly environment: Environment;
  readonly threads: number;
  /** Where the configuration file of a sweep would lie on this machine; undefined: as on the machine that sends. */
  readonly folder: string | undefined;
  /** A job whose worker is silent for so long is given to another. */
  readonly stalledAfterMs: number;
  /** Jobs that are begun are finished first. */
  readonly stop: AbortSignal;
  readonly onNews: News;
  /** Told after every job. */
  readonly onFinished?: (jobs: number) => void;
  /** How often a lost connection is tried again. */
  readonly attempts?: number;
}

/** Workers that a job may take down with it, before it is no longer tried. */
const STALLED_MOST = 3;

/**
 * Runs jobs of sweeps until it is stopped, in threads, so that Redis goes on hearing of it.
 * @returns how many jobs it finished
 * @throws RedisError when Redis cannot be used; UsageError when this machine has other files than the sweep, whose
 * jobs are left to others then
 */
export async function runSweepWorker(options: SweepWorkerOptions): Promise<number> {
  const { stop, onNews } = options;
  const address = redisAddress(options.redis, options.environment);
  // Known before it waits: by the first job somebody may have built anew what runs here.
  programIdentity();
  const packages = await loadRedisPackages();
  const link = await openRedis(packages, { ...options, address });
  onNews(`waiting for backtests at ${address.shown}`);
  const pool = poolOf(options.threads);
  const refusal = new AbortController();
  const counted = { jobs: 0 };
  const { Worker, WaitingError } = packages.bullmq;
  const worker = new Worker(QUEUE, processor, { ...queueOptions(options), connection: link.client });
  const taker = new JobTaker(options.folder);
  worker.on('error', (error) => complain(error, address.shown, onNews));
  worker.on('stalled', () => onNews('a worker went silent; its backtest is run again'));

  async function processor(job: QueuedJob, token?: string): Promise<JobAnswer> {
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

const poolOf = (threads: number): Piscina<ThreadTask, JobAnswer> =>
  new Piscina({
    filename: new URL('./redis-thread.js', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });

/** Leaves a job to others, and lets the sender know why. */
async function handBack(job: QueuedJob, token: string | undefined, why: string): Promise<void> {
  await job.updateProgress({ refusal: `worker ${NAME} refuses: ${why}` } satisfies WorkerRefusal);
  await job.moveToWait(token);
}

/** Errors of the connection are told by the link; what is left is a result that came too late, or no room for it. */
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
