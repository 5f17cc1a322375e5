import { loadRedisPackages } from './packages.js';
import { PREFIX, QUEUE } from './queue.js';
import { redisAddress } from './redis-address.js';
import { describeRedis, isRefusal, kindOfFailure, RedisError } from './redis-error.js';
import { openRedis } from './redis-link.js';
import type { Environment } from '../../../settings/index.js';
import type { SweepJob } from '../job.js';
import { JobSender, type SendOptions } from './job-sender.js';

export interface RedisRunning extends SendOptions {
  /** `redis://...` */
  readonly redis: string;
  /** Where its password may stand. */
  readonly environment: Environment;
  /** How often a lost connection is tried again. */
  readonly attempts?: number;
}

/**
 * Has workers on any machine run the jobs. Each job is told of once, whatever happens to workers or the connection.
 * @throws UsageError, InvariantError of a job that failed; RedisError when Redis cannot be used; what `stop` was
 * aborted with
 */
export async function runJobsOnRedis(jobs: readonly SweepJob[], running: RedisRunning): Promise<void> {
  if (jobs.length === 0) return;
  const address = redisAddress(running.redis, running.environment);
  const packages = await loadRedisPackages();
  const link = await openRedis(packages, { ...running, address });
  const options = { prefix: PREFIX, connection: link.client };
  const queue = new packages.bullmq.Queue(QUEUE, options);
  const events = new packages.bullmq.QueueEvents(QUEUE, options);
  // What becomes of the connection is heard at the link.
  queue.on('error', () => undefined);
  events.on('error', () => undefined);
  const sender = new JobSender(jobs, running, queue, events);
  try {
    await Promise.race([sender.run(), link.gone]);
  } catch (error) {
    const kind = kindOfFailure(error);
    throw isRefusal(kind) ? new RedisError(describeRedis(address.shown, kind), { cause: error }) : error;
  } finally {
    sender.rest();
    if (link.client.status === 'ready') await sender.withdraw();
    link.close();
    await Promise.allSettled([queue.close(), events.close()]);
  }
}
