import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/domain/errors.js';
import type { House, RunningBot } from '../support/house/house.js';
import { houseForTest } from '../support/house/house-for-test.js';
import { until } from '../support/process/until.js';

const EMPTY = 'nothing of the bot at the venue';

const byCommand = async (house: House): Promise<void> => {
  const kill = house.run(['kill', 'bot.yaml', '--json']);
  expect(await kill.exit).toBe(0);
  expect(kill.events('empty')).toHaveLength(1);
};

const resumeByCommand = async (house: House): Promise<void> =>
  expect(await house.run(['resume', 'bot.yaml']).exit).toBe(0);
const resumeByHttp = async (_house: House, { sight }: RunningBot): Promise<void> =>
  expect(await sight.command('/resume')).toBe(200);

/** Many starts of processes, each of which a busy machine makes slow. */
const PATIENCE = { timeout: 600_000 };

describe('the kill switch', PATIENCE, () => {
  it.each([
    ['oddsmith kill', byCommand, resumeByCommand],
    ['SIGUSR2', (_house: House, { child }: RunningBot) => child.signal('SIGUSR2'), resumeByCommand],
    [
      'POST /kill',
      async (_house: House, { sight }: RunningBot) => expect(await sight.command('/kill')).toBe(200),
      resumeByHttp,
    ],
  ] as const)(
    'by %s withdraws everything and outlives the bot until a person resumes',
    async (_how, kill, resume) => {
      const house = await houseForTest();
      await house.exchange();
      const first = await house.bot();
      await kill(house, first);
      await until('the bot to know', () => first.sight.killed());
      await until(EMPTY, () => house.isEmpty());
      await first.child.end('SIGKILL');
      const second = await house.startedBot();
      await until('the bot to know again', () => second.sight.killed());
      expect(await house.isEmpty()).toBe(true);
      await resume(house, second);
      await until('the bot to quote', () => second.sight.quotes());
      expect(await second.child.end('SIGTERM')).toBe(0);
    },
  );

  it('by SIGUSR2 holds for the next bot when it comes while one is starting that never gets to its venue', async () => {
    const house = await houseForTest();
    const exchange = await house.exchange();
    exchange.signal('SIGSTOP');
    // A recorded run says that it has begun before it asks the venue anything.
    const file = readFileSync(join(house.dir, 'bot.yaml'), 'utf8');
    writeFileSync(join(house.dir, 'recorded.yaml'), `${file}tape: { record: true }\n`);
    const first = house.run(['run', 'recorded.yaml', '--json']);
    await until('the bot to start', () => first.said.includes('the run is recorded'));
    first.signal('SIGUSR2');
    expect(await first.exit).toBe(EXIT.venueUnreachable);
    exchange.signal('SIGCONT');
    const { child, sight } = await house.startedBot();
    await until('the bot to know', () => sight.killed());
    expect(await child.end('SIGTERM')).toBe(6);
    expect(await house.isEmpty()).toBe(true);
  });

  it('without a bot latches for the next one, which ends with 6', async () => {
    const house = await houseForTest();
    await house.exchange();
    await byCommand(house);
    const { child, sight } = await house.startedBot();
    await until('the bot to know', () => sight.killed());
    expect(await child.end('SIGTERM')).toBe(6);
    expect(await house.isEmpty()).toBe(true);
  });

  it('of the whole account asks for one more flag, and then takes what stands anywhere', async () => {
    const house = await houseForTest();
    await house.exchange();
    const byHand = { market: 13, side: 'bid', position: 'long', currency: 'OOM', price: '0.05', shares: '5' };
    expect((await house.venue.post('/orders/', byHand)).status).toBe(201);
    await byCommand(house);
    expect(await house.ordersAtVenue()).toHaveLength(1);
    const all = ['kill', 'bot.yaml', '--all'];
    const unsure = house.run(all);
    expect(await unsure.exit).toBe(2);
    expect(unsure.said).toContain('--every-order-of-the-account');
    expect(await house.run([...all, '--every-order-of-the-account']).exit).toBe(0);
    expect(await house.isEmpty()).toBe(true);
  });

  it('says that orders may remain when the venue cannot be asked', async () => {
    const house = await houseForTest();
    const kill = house.run(['kill', 'bot.yaml', '--for', '2s']);
    expect(await kill.exit).toBe(5);
    expect(kill.said).toContain('orders may remain');
  });

  it('latches without a key, says what it could not do, and the bot withdraws by itself', async () => {
    const house = await houseForTest();
    await house.exchange();
    const { child, sight } = await house.bot();
    const file = readFileSync(join(house.dir, 'bot.yaml'), 'utf8').replace('ODDSMITH_PRIVATE_KEY', 'NOT_SET');
    writeFileSync(join(house.dir, 'keyless.yaml'), file);
    const kill = house.run(['kill', 'keyless.yaml']);
    expect(await kill.exit).toBe(5);
    expect(kill.said).toContain('the kill switch is latched');
    expect(kill.said).toContain('no order could be cancelled at the venue: NOT_SET not set');
    await until('the bot to know', () => sight.killed());
    await until(EMPTY, () => house.isEmpty());
    expect(await child.end('SIGTERM')).toBe(6);
    expect(await house.run(['resume', 'keyless.yaml']).exit).toBe(0);
  });
});
