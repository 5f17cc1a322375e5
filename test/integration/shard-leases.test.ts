/** What leases of shards ask of a Redis, and what a Redis answers. Time is the test's, but that of Redis. */
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Micros } from '../../src/domain/units.js';
import { HeldShard } from '../../src/runs/sharding/leased-shards.js';
import type { EndEffect } from '../../src/domain/effects.js';
import { SystemClock } from '../../src/storage/clocks/system-clock.js';
import { type LeaseOptions, ShardLease, unlatch } from '../../src/runs/sharding/lease.js';
import { loadRedisPackages, openRedis, redisAddress } from '../../src/runs/sweep/redis/connection.js';
import { VirtualClock } from '../support/clocks/virtual-clock.js';
import { freePort } from '../support/process/free-port.js';
import { hasRedis, startRedis } from '../support/process/redis-server.js';

const ACCOUNT = 'venue-play_money-key';
const FORGOTTEN = 'Redis may have forgotten the last owner of shard 1: quoting begins after 60 s';
const key = (shard: number): string => `oddsmith:shard:${ACCOUNT}:${shard}of2`;

async function scene() {
  const redis = await startRedis();
  const client = new Redis(redis.url, { retryStrategy: () => null });
  client.on('error', () => undefined);
  onTestFinished(() => client.disconnect());
  const clock = new VirtualClock(1_000_000 as Micros);
  const news: string[] = [];
  const options: LeaseOptions = {
    store: client,
    clock,
    owner: 'one',
    account: ACCOUNT,
    of: 2,
    shard: 1,
    leaseMs: 60_000,
    withdrawMs: 20_000,
    onNews: (text) => void news.push(text),
  };
  /** Until everything that was asked is answered. @param lease reviewed as a bot does */
  const pass = async (seconds: number, lease?: ShardLease): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 1) {
      clock.advanceTo((clock.now() + 1_000_000) as Micros);
      lease?.review();
      await client.ping();
    }
  };
  const asking = (more: Partial<LeaseOptions> = {}): Promise<ShardLease | null> => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    return ShardLease.take({ ...options, ...more }, stop.signal);
  };
  /** Of a Redis that began just now. */
  const take = async (more: Partial<LeaseOptions> = {}): Promise<ShardLease> => {
    const taken = asking(more);
    await client.ping();
    await pass(70);
    return (await taken)!;
  };
  const now = async <Value>(asked: Promise<Value>): Promise<Value | 'waits'> => {
    await pass(3);
    return Promise.race([asked, Promise.resolve('waits' as const)]);
  };
  return { redis, client, news, pass, asking, take, now };
}

describe.runIf(hasRedis)('leases in a Redis', { timeout: 60_000 }, () => {
  it('are of one process each, renewed by it, and free when it gives them back', async () => {
    const { client, take, asking, now, pass, news } = await scene();
    const one = await take();
    expect(news).toEqual([FORGOTTEN]);
    expect(await now(asking({ owner: 'two' }))).toBe('waits');
    await client.pexpire(key(1), 5_000);
    await pass(11, one);
    expect(await client.pttl(key(1))).toBeGreaterThan(50_000);
    expect(one.isOver).toBe(false);
    await one.giveBack();
    expect(await client.exists(key(1))).toBe(0);
  });

  it('are renewed where Redis has forgotten them, and not where somebody else had them since', async () => {
    const { client, take, pass } = await scene();
    const one = await take();
    await client.flushall();
    await pass(11, one);
    expect([one.isTaken, await client.get(key(1)), await client.get(`${key(1)}:fence`)]).toEqual([
      false,
      'one',
      '1',
    ]);
    await client.del(key(1));
    await client.incr(`${key(1)}:fence`);
    await pass(11, one);
    expect([one.isTaken, await client.exists(key(1))]).toEqual([true, 0]);
  });

  it('are trusted at once in the very Redis that has kept them since, and in no other', async () => {
    const { client, take, asking, now, pass, news } = await scene();
    await client.set(`${key(1)}:fence`, 7);
    await client.set(`${key(1)}:run`, 'another');
    const one = await take();
    expect([one.fence, news]).toEqual([8, [FORGOTTEN]]);
    await pass(11, one);
    await one.giveBack();
    expect(await now(asking({ owner: 'two' }))).toMatchObject({ fence: 9 });
  });

  it('are of one division of the account', async () => {
    const { take, asking, now, news } = await scene();
    await take();
    expect(await now(asking({ owner: 'two', of: 3, shard: 3 }))).toBe('waits');
    expect(news.at(-1)).toMatch(/^the account is divided among 2 shards, not 3, by a process that runs/);
  });

  it('are refused to everybody while the kill switch of the account is latched', async () => {
    const { client, take, asking, now, pass, news } = await scene();
    const one = await take();
    one.latch('on here: maxLoss');
    await pass(1, one);
    await one.giveBack();
    const two = asking({ owner: 'two' });
    expect(await now(two)).toBe('waits');
    expect(news.at(-1)).toMatch(/latched \(on here: maxLoss\): no shard is taken until oddsmith resume$/);
    expect([await unlatch(client, ACCOUNT), await unlatch(client, ACCOUNT)]).toEqual([true, false]);
    await pass(80);
    expect(await now(two)).toMatchObject({ shard: 1 });
  });
});

describe.runIf(hasRedis)('a Redis that is lost while a bot runs', { timeout: 60_000 }, () => {
  it('ends the lease in time, and what is asked of it blocks nobody', async () => {
    const { url, kill } = await startRedis();
    const packages = await loadRedisPackages();
    const onNews = (): void => undefined;
    const link = await openRedis(packages, { address: redisAddress(url, {}), onNews, attempts: Infinity });
    onTestFinished(() => link.close());
    const run = /run_id:(\w+)/.exec(await link.client.info('server'))![1]!;
    await link.client.set(`${key(1)}:run`, run);
    const clock = new SystemClock();
    const times = { leaseMs: 1_500, withdrawMs: 700 };
    const options = {
      ...times,
      store: link.client,
      clock,
      owner: 'one',
      account: ACCOUNT,
      of: 2,
      shard: 1,
      onNews,
    };
    const lease = (await ShardLease.take(options, new AbortController().signal))!;
    const held = new HeldShard(lease, clock, onNews);
    let end: (effect: EndEffect) => void = () => undefined;
    const said: string[] = [];
    const watched = held.watch({
      killed: null,
      ended: new Promise((resolve) => (end = resolve)),
      stop: (reason) => {
        said.push(reason);
        end({ kind: 'end', outcome: 'clean', text: '' });
      },
      abandon: (reason) => void said.push(reason),
    });
    onTestFinished(held.renew());
    expect(held.objection()).toBeNull();
    await kill();
    await watched;
    expect(said).toEqual(['the lease of shard 1 could not be renewed in time: withdrawing']);
    expect(held.objection()).toBe('the lease of shard 1 is over');
  });
});

describe.runIf(hasRedis)('a Redis that is away', { timeout: 60_000 }, () => {
  it('is waited for at the start, until a signal', async () => {
    const packages = await loadRedisPackages();
    const port = await freePort();
    const address = redisAddress(`redis://127.0.0.1:${port}`, {});
    const news: string[] = [];
    const stop = new AbortController();
    const open = () =>
      openRedis(packages, {
        address,
        onNews: (text) => void news.push(text),
        attempts: Infinity,
        waitsUntil: stop.signal,
      });
    const waiting = open();
    await expect.poll(() => news.at(-1)).toMatch(/cannot be reached \(ECONNREFUSED\); trying again$/);
    const { kill } = await startRedis([], port);
    const link = await waiting;
    expect(await link.client.ping()).toBe('PONG');
    link.close();
    await kill();
    const given = open();
    stop.abort();
    await expect(given).rejects.toThrow(/cannot be reached/);
  });
});
