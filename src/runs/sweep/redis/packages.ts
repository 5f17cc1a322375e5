/** The packages that a sweep over several machines needs, and nothing else does. */
import type * as bullmq from 'bullmq';
import type { Redis } from 'ioredis';
import { UsageError } from '../../../domain/errors.js';

export interface RedisPackages {
  readonly bullmq: typeof bullmq;
  readonly Redis: typeof Redis;
}

/**
 * Loads them when they are asked for: whoever sweeps on one machine need not have them.
 * @throws UsageError when they are not installed
 */
export async function loadRedisPackages(): Promise<RedisPackages> {
  try {
    const [queues, client] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq: queues, Redis: client.Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'sweeping over Redis needs the packages bullmq and ioredis, which are optional and not installed here: npm install bullmq@6.7.0 ioredis@6.0.0',
      { cause: error },
    );
  }
}
