import { expect, it } from 'vitest';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/house/until.js';

/** No file may grow beyond 64 blocks of 512 bytes; the heartbeat never grows. */
const SMALL_FILES = 'ulimit -f 64; exec "$@"';

it('a bot whose journal has no room creates nothing any more, and withdraws what stands', async () => {
  const house = await houseForTest({ trafficPerS: 20 });
  await house.exchange();
  const guard = await house.guard();
  const { child: bot, sight } = await house.bot(SMALL_FILES);
  const withheld = async (): Promise<number> =>
    (await sight.metrics())
      .all('oddsmith_refusals_total')
      .filter(({ labels }) => Object.values(labels).includes('journal'))
      .reduce((sum, { value }) => sum + value, 0);
  await until('the journal to be full', async () => (await withheld()) > 0);
  const created = (await sight.metrics()).value('oddsmith_orders_created_total');
  const enough = (await withheld()) + 5;
  await until('more orders to be held back', async () => (await withheld()) >= enough);
  expect((await sight.metrics()).value('oddsmith_orders_created_total')).toBe(created);
  expect(await bot.end('SIGTERM')).toBe(0);
  expect(await house.isEmpty()).toBe(true);
  expect(guard.events('alarm')).toEqual([]);

  const { child: next } = await house.bot();
  expect(await next.end('SIGTERM')).toBe(0);
});
