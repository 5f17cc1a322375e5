/** Two processes lease the same shard over a real Redis: the second trades once the first is gone, and not before. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventId } from '../../src/domain/ids.js';
import { leaseName } from '../../src/ops/state/account-folder.js';
import { shardOfEvent } from '../../src/settings/index.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { hasRedis, startRedis } from '../support/process/redis-server.js';
import { until } from '../support/process/until.js';

const OF = 2;
/** Longer than a stop can take; that the time is over is said to Redis by the test. */
const LEASE = { leaseMs: 180_000, withdrawMs: 90_000 };

describe.runIf(hasRedis)('a leased shard', { timeout: 300_000 }, () => {
  it('is taken over when its owner is killed, and given back when a stop has withdrawn it', async () => {
    const redis = await startRedis();
    const house = await houseForTest();
    const file = join(house.dir, 'bot.yaml');
    const shard = shardOfEvent(eventId(1), OF);
    const sharding = JSON.stringify({ of: OF, shard, lease: { redis: redis.url, ...LEASE } });
    writeFileSync(file, `${readFileSync(file, 'utf8')}sharding: ${sharding}\n`);
    await house.exchange();
    const store = new Redis(redis.url, { retryStrategy: () => null });
    store.on('error', () => undefined);
    onTestFinished(() => store.disconnect());
    const venue = { baseUrl: `http://127.0.0.1:${house.port}`, publicKey: 'pk_maker' };
    const account = leaseName({ stateDir: '', currencyMode: 'play_money', venue: {} as never }, venue);
    const key = `oddsmith:shard:${account}:${shard}of${OF}`;
    await store.set(`${key}:run`, /run_id:(\w+)/.exec(await store.info('server'))![1]!);

    const first = await house.bot();
    const second = house.run(['run', 'bot.yaml', '--json']);
    await until('the second to wait', () => second.said.includes('taken; waiting'));
    const before = await house.ordersAtVenue();
    expect(before.length).toBeGreaterThan(0);
    expect(second.events('ready')).toEqual([]);
    await first.child.end('SIGKILL');
    expect(second.events('ready')).toEqual([]);
    await store.pexpire(key, 1);
    await second.event('ready');
    await until('the second to quote', async () => {
      const orders = await house.ordersAtVenue();
      return orders.length > 0 && orders.every((id) => !before.includes(id));
    });
    expect(second.said).toContain(`shard ${shard} of ${OF} is leased, fence 2`);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(await house.isEmpty()).toBe(true);
    expect(await store.exists(key)).toBe(0);
  });
});
