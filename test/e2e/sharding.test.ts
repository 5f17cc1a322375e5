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
const LEASE = { leaseMs: 3_000, withdrawMs: 1_000 };

describe.runIf(hasRedis)('a leased shard', { timeout: 300_000 }, () => {
  it('is taken over when its owner is killed, and withdrawn in time when Redis is lost', async () => {
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
    await store.set(`oddsmith:shard:${account}:${shard}of${OF}:fence`, 1);

    const first = await house.bot();
    const second = house.run(['run', 'bot.yaml', '--json']);
    await until('the second to wait', () => second.said.includes('taken; waiting'));
    const before = await house.ordersAtVenue();
    expect(before.length).toBeGreaterThan(0);
    expect(second.events('ready')).toEqual([]);
    await first.child.end('SIGKILL');
    await second.event('ready');
    await until('the second to quote', async () => {
      const orders = await house.ordersAtVenue();
      return orders.length > 0 && orders.every((id) => !before.includes(id));
    });
    expect(second.said).toContain(`shard ${shard} of ${OF} is leased, fence 3`);

    await redis.kill();
    await until('the second to withdraw', () => second.events('summary').length > 0);
    expect(await house.isEmpty()).toBe(true);
    expect(second.said).toContain('could not be renewed in time');
    expect(await second.end('SIGTERM')).toBe(0);
  });
});
