/** The schema of sharding: several processes trade one account, each of them other events. */
import { z } from 'zod';
import { boundedMsScalar, countScalar } from './scalars.js';

/** More processes than that leave each hardly a request. */
const SHARDS_MOST = 1_000;

const leaseSchema = z
  .strictObject({
    redis: z
      .string()
      .regex(
        /^rediss?:\/\/(?:[^\s:@/]+@)?[^\s:@/]+(?::\d{1,5})?(?:\/\d*)?$/,
        'expected redis://[user@]host[:port][/database] without a password, which belongs into ODDSMITH_REDIS_PASSWORD',
      )
      .describe(
        'address of the Redis that keeps the leases; the password is read from ODDSMITH_REDIS_PASSWORD',
      ),
    leaseMs: boundedMsScalar(1_000, 3_600_000)
      .default(240_000)
      .describe('a shard whose process is gone is taken over after this time'),
    withdrawMs: boundedMsScalar(500, 1_800_000)
      .default(90_000)
      .describe(
        'end of the lease in which nothing is quoted: a process that could not renew withdraws in it; at least as long as a stop takes',
      ),
  })
  .refine(({ leaseMs, withdrawMs }) => 2 * withdrawMs <= leaseMs, {
    path: ['withdrawMs'],
    message: 'expected at most half of leaseMs: the other half is for renewing',
  });

export const shardingSchema = z
  .strictObject({
    of: countScalar(2, SHARDS_MOST).describe(
      'number of processes; requests, order rates, cash and limits of the account are divided by it',
    ),
    shard: countScalar(1, SHARDS_MOST)
      .nullable()
      .default(null)
      .describe('which one this process is, from 1; null: as --shard says, or any that is free, with lease'),
    lease: leaseSchema
      .nullable()
      .default(null)
      .describe(
        'shards are leased over Redis, so that another process takes over; null: each is started as one shard',
      ),
  })
  .refine(({ of, shard }) => shard === null || shard <= of, {
    path: ['shard'],
    message: 'expected a shard from 1 to sharding.of',
  })
  .nullable()
  .default(null);

export type ShardingSettings = NonNullable<z.output<typeof shardingSchema>>;
export type LeaseSettings = NonNullable<ShardingSettings['lease']>;
