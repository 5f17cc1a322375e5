import { expect, it } from 'vitest';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

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
  const fiveMoreWithheld = async (): Promise<void> => {
    const enough = (await withheld()) + 5;
    await until('orders to be held back', async () => (await withheld()) >= enough);
  };
  const created = async (): Promise<number> => (await sight.metrics()).value('oddsmith_orders_created_total');
  // What left before the journal was full may be answered while the first are held back.
  await fiveMoreWithheld();
  const before = await created();
  await fiveMoreWithheld();
  expect(await created()).toBe(before);
  expect(await bot.end('SIGTERM')).toBe(0);
  expect(await house.isEmpty()).toBe(true);
  expect(guard.events('alarm')).toEqual([]);

  const { child: next } = await house.bot();
  expect(await next.end('SIGTERM')).toBe(0);
});
