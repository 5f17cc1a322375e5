import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Child } from '../support/house/child.js';
import { House, type HouseOptions } from '../support/house/house.js';
import { until } from '../support/house/until.js';
import { scratchFolder } from '../support/scratch-folder.js';

async function house(options: Partial<HouseOptions> = {}): Promise<House> {
  const built = await House.build(scratchFolder(), options);
  onTestFinished(() => built.tearDown());
  return built;
}

const EMPTY = 'nothing of the bot at the venue';
const isEmpty = (built: House) => async () => (await built.ordersAtVenue()).length === 0;

/** Everything that a guard has to have said and done. */
async function expectFenced(built: House, guard: Child): Promise<void> {
  await guard.event('fence-raised');
  await until(EMPTY, isEmpty(built));
  await guard.event('proved');
  const control = join(built.dir, '.oddsmith', 'control');
  const [scope] = readdirSync(control);
  expect(existsSync(join(control, scope!, 'fence.json'))).toBe(true);
}

describe('a guard', () => {
  it('withdraws what a killed bot left, keeps the next start out until a person has cleared it, survives its own end', async () => {
    const built = await house();
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
    expect(await next.end('SIGTERM')).toBe(0);
    await again.event('waiting', again.events('waiting').length);
    expect(await again.end('SIGTERM')).toBe(0);
    expect(again.events('alarm')).toEqual([]);
  });

  it('lets no quote of a bot that was stopped and continued through its fence', async () => {
    const built = await house({ clockWindowS: 10 });
    await built.exchange();
    const guard = await built.guard();
    const { child: bot, sight } = await built.bot();
    await guard.event('watching');
    bot.signal('SIGSTOP');
    await guard.event('fence-raised');
    await until(EMPTY, isEmpty(built));
    const before = (await built.venue.get('/orders/', { status: 'canceled', limit: 1 })).number(
      'pagination.total',
    );
    bot.signal('SIGCONT');
    await until('the bot to know', () => sight.killed());
    await guard.event('proved');
    await until(EMPTY, isEmpty(built));
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
});
