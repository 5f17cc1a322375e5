/** Commands of another terminal, in real processes: `status`, `orders`, `pause`, `cancel`, `logs`. */
import { describe, expect, it } from 'vitest';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

describe('another terminal', { timeout: 600_000 }, () => {
  it('looks at the bot of a file, holds a market back, and is told when none runs', async () => {
    const house = await houseForTest();
    await house.exchange();
    const call = async (...words: readonly string[]) => {
      const child = house.run(words);
      return { exit: await child.exit, said: child.said };
    };
    expect(await call('status', 'bot.yaml')).toMatchObject({
      exit: 2,
      said: expect.stringContaining('no bot of bot.yaml runs here'),
    });
    const bot = await house.bot();
    const openIn = async (market: string): Promise<number> => {
      const { said } = await call('orders', 'bot.yaml', '--json');
      const orders = JSON.parse(said) as readonly { readonly marketId: string }[];
      return orders.filter(({ marketId }) => marketId === market).length;
    };
    await until('quotes', async () => (await openIn('11')) > 0);
    expect(await call('status', 'bot.yaml')).toMatchObject({
      exit: 0,
      said: expect.stringMatching(
        /^LIVE house .*\nrunning for .*\n(?:.*\n)*instance {2}first: inventory-skew, 3/,
      ),
    });
    expect((await call('status', 'bot.yaml', '--markets')).said).toMatch(/^ *11 +first .* quoted/m);
    expect(await call('pause', 'bot.yaml')).toMatchObject({
      exit: 2,
      said: expect.stringContaining('pause needs one of --market, --event, --instance and --all'),
    });
    expect(await call('pause', 'bot.yaml', '--market', '11')).toMatchObject({
      exit: 0,
      said: expect.stringContaining('paused market 11'),
    });
    await until('its quotes to go', async () => (await openIn('11')) === 0);
    expect(await openIn('12')).toBeGreaterThan(0);
    expect((await call('pause', 'bot.yaml', '--market', '11', '--end')).exit).toBe(0);
    await until('its quotes to come back', async () => (await openIn('11')) > 0);
    expect((await call('logs', 'bot.yaml')).said).toContain('paused market 11');
    expect(await bot.child.end('SIGTERM')).toBe(0);
    expect(await call('positions', 'bot.yaml')).toMatchObject({
      exit: 2,
      said: expect.stringMatching(/no bot of bot\.yaml runs here; run \S+ ended clean at 20/),
    });
  });
});
