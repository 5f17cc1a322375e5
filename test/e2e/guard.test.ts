import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Child } from '../support/house/child.js';
import type { House } from '../support/house/house.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

const EMPTY = 'nothing of the bot at the venue';

/** Everything that a guard has to have said and done. */
async function expectFenced(built: House, guard: Child): Promise<void> {
  await guard.event('fence-raised');
  await until(EMPTY, () => built.isEmpty());
  await guard.event('proved');
  const account = `127.0.0.1-${built.port}-play_money-1`;
  expect(existsSync(join(built.dir, '.oddsmith', 'accounts', account, 'fence.json'))).toBe(true);
}

const REQUESTS_A_DAY = 3_000;

/** Until the venue turns the bot's key away. */
async function useUpKeyOf({ asBot }: House): Promise<void> {
  for (let status = 200; status !== 429;) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => asBot.get('/me/')));
    status = answers.at(-1)!.status;
  }
}

/** Many starts of processes, each of which a busy machine makes slow. */
const PATIENCE = { timeout: 600_000 };

describe('a guard', PATIENCE, () => {
  it('withdraws what a killed bot left, keeps the next start out until a person has cleared it, survives its own end', async () => {
    const built = await houseForTest();
    await built.exchange();
    const guard = await built.guard();
    const { child: bot } = await built.bot();
    await guard.event('watching');
    await bot.end('SIGKILL');
    await expectFenced(built, guard);

    const refused = built.run(['run', 'bot.yaml', '--json']);
    expect(await refused.exit).toBe(6);
    expect(refused.said).toContain('oddsmith guard clear bot.yaml');
    const second = built.run(['guard', 'bot.yaml', '--json']);
    expect(await second.exit).toBe(2);
    expect(second.said).toContain('already runs it');

    expect(await guard.end('SIGKILL')).toBeNull();
    const again = built.run(['guard', 'bot.yaml', '--json']);
    await again.event('fence-found');
    await again.event('proved');
    expect(await built.run(['resume', 'bot.yaml']).exit).toBe(6);
    expect(await built.run(['guard', 'clear', 'bot.yaml']).exit).toBe(0);
    await again.event('fence-cleared');

    const { child: next } = await built.bot();
    await again.event('watching');
    const waitedBefore = again.events('waiting').length;
    expect(await next.end('SIGTERM')).toBe(0);
    await again.event('waiting', waitedBefore);
    expect(await again.end('SIGTERM')).toBe(0);
    expect(again.events('alarm')).toEqual([]);
  });

  it('lets no quote of a bot that was stopped and continued through its fence', async () => {
    const built = await houseForTest({ clockWindowS: 10 });
    await built.exchange();
    const guard = await built.guard();
    const { child: bot, sight } = await built.bot();
    await guard.event('watching');
    bot.signal('SIGSTOP');
    await guard.event('fence-raised');
    await until(EMPTY, () => built.isEmpty());
    const before = (await built.venue.get('/orders/', { status: 'canceled', limit: 1 })).number(
      'pagination.total',
    );
    const early = built.run(['guard', 'clear', 'bot.yaml']);
    expect(await early.exit).toBe(5);
    expect(early.said).toContain('guard clear --unproved bot.yaml');
    bot.signal('SIGCONT');
    await until('the bot to know', () => sight.killed());
    await guard.event('proved');
    await until(EMPTY, () => built.isEmpty());
    expect((await sight.ready()).reasons).toContain('the kill switch is latched: a guard raised its fence');
    const after = (await built.venue.get('/orders/', { status: 'canceled', limit: 1 })).number(
      'pagination.total',
    );
    expect(after).toBe(before);
    expect(await guard.end('SIGTERM')).toBe(6);
    expect(await built.run(['guard', 'clear', 'bot.yaml']).exit).toBe(0);
    await until('the bot to quote again', () => sight.quotes());
    expect(await bot.end('SIGTERM')).toBe(0);
  });

  it('with a key of its own withdraws what a stopped bot left although the venue answers the key of the bot no more', async () => {
    const built = await houseForTest({
      guardKey: 'its own',
      requestsPerDay: REQUESTS_A_DAY,
      clockWindowS: 10,
    });
    await built.exchange();
    const guard = await built.guard();
    const { child: bot, sight } = await built.bot();
    await guard.event('watching');
    await useUpKeyOf(built);
    bot.signal('SIGSTOP');
    expect(await built.isEmpty()).toBe(false);
    await guard.event('fence-raised');
    await guard.event('empty');
    expect(await built.isEmpty()).toBe(true);
    expect((await built.asBot.get('/me/')).status).toBe(429);
    bot.signal('SIGCONT');
    await until('the bot to know', () => sight.killed());
    await guard.event('proved');
    expect(await built.isEmpty()).toBe(true);
    expect(guard.events('failed')).toEqual([]);
    expect(await guard.end('SIGTERM')).toBe(6);
  });

  it('withdraws what a bot left that was ended by a second signal, once the venue answers again', async () => {
    const built = await houseForTest();
    const exchange = await built.exchange();
    const guard = await built.guard();
    const { child: bot } = await built.bot();
    await guard.event('watching');
    exchange.signal('SIGSTOP');
    bot.signal('SIGINT');
    let isOver = false;
    void bot.exit.then(() => (isOver = true));
    await until('the second signal to count', () => {
      bot.signal('SIGINT');
      return isOver;
    });
    expect(await bot.exit).toBe(130);
    await guard.event('fence-raised');
    exchange.signal('SIGCONT');
    await expectFenced(built, guard);
    expect(await guard.end('SIGTERM')).toBe(6);
  });
});
