import { describe, expect, test } from 'vitest';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, quotesIn, quoting } from '../support/simulation/scenes.js';
import { RIVAL, World } from '../support/simulation/world.js';

describe('a connection that is lost', () => {
  test('withdraws every quote at once, while REST still answers', async () => {
    const { world, bot } = await quoting();
    bot.line.lose('test', 60_000);
    await world.run(50);
    expect(ordersAtVenue(world)).toEqual([]);
    expect(quotesIn(bot.view)).toBe(0);
    expect(bot.view.connection.state).toBe('lost');
  });

  test.each([
    ['orders', 'orders-not-read'],
    ['wagers', 'holdings-not-read'],
    ['balances', 'balances-not-read'],
    ['book', 'book-not-read'],
  ] as const)('is quoted on again only when REST has answered after it came back: %s', async (read, halt) => {
    const { world, bot } = await quoting();
    world.transport.detours.set(read, 3_000);
    bot.line.lose('test', 1_000);
    await world.run(50);
    const halts = () => bot.view.markets.map(({ halted }) => halted);
    await world.runUntil('the read is missing', () => halts().includes(halt));
    expect(bot.view.connection.state).toBe('connected');
    expect(ordersAtVenue(world)).toEqual([]);
    await world.runUntil('it is quoted again', () => ordersAtVenue(world).length === ALL_QUOTES);
    await world.run(20_000);
    expectAgreement(world, bot);
  });

  test('is told of, as its return is', async () => {
    const { world, bot } = await quoting();
    bot.line.lose('a test', 1_000);
    await world.run(3_000);
    const told = bot.notices.filter(({ code }) => code.startsWith('connection-'));
    expect(told.map(({ level, code }) => [level, code])).toEqual([
      ['warning', 'connection-lost'],
      ['info', 'connection-back'],
    ]);
    expect(told[0]!.text).toContain('(a test)');
  });

  test('again and again is no storm: each loss is one withdrawal, and while nothing stands there is none', async () => {
    const { world, bot } = await quoting();
    const before = world.transport.seen.length;
    for (let flap = 0; flap < 60; flap++) {
      bot.line.lose('flapping', 300);
      await world.run(flap % 3 === 0 ? 2_000 : 600);
    }
    const sent = world.transport.seen.slice(before).map(({ endpoint }) => endpoint);
    const count = (...names: readonly string[]): number =>
      sent.filter((endpoint) => names.includes(endpoint)).length;
    const withdrawals = count('batchCancel', 'cancelAll');
    expect(withdrawals).toBeGreaterThan(0);
    expect(withdrawals).toBeLessThanOrEqual(60);
    expect(withdrawals).toBeLessThanOrEqual(count('batchCreate') + 1);
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES, 30_000);
    await world.run(5_000);
    expectAgreement(world, bot);
  });

  test('for good, because the venue will not have this client, is an alarm that says why', async () => {
    const { world, bot } = await quoting();
    bot.line.refuse('unknown application (4001): check the key');
    await world.run(1_000);
    expect(ordersAtVenue(world)).toEqual([]);
    await world.run(120_000);
    expect(bot.view.connection.state).toBe('refused');
    expect(bot.view.alarms).toMatchObject([{ code: 'realtime-refused' }]);
    expect(bot.view.alarms[0]!.text).toContain(
      'unknown application (4001): check the key. Nothing is quoted',
    );
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('hides fills that the holdings tell afterwards', async () => {
    const { world, bot } = await quoting();
    world.transport.detours.set('batchCancel', 2_000);
    bot.line.lose('test', 1_000);
    await world.run(10);
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_300, shares: 700 });
    await world.run(20_000);
    expect(bot.view.markets[0]!.inventory.long).toBe(700);
    expectAgreement(world, bot);
  });
});

describe('an exchange that is killed while the bot runs', () => {
  test('and comes back remembering nothing is quoted on again, without a storm of requests', async () => {
    const { world, bot } = await quoting();
    world.killVenue();
    await world.run(5_000);
    expect(bot.view.connection.state).toBe('lost');
    world.restartVenue('nothing');
    world.makeBook();
    const before = world.transport.seen.length;
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES, 30_000);
    expect(world.transport.seen.length - before).toBeLessThan(60);
    await world.run(5_000);
    expectAgreement(world, bot);
  });

  test('and comes back as it was has its orders found, settled and cleaned up', async () => {
    const { world, bot } = await quoting();
    world.killVenue();
    await world.run(5_000);
    world.restartVenue('memory');
    await world.runUntil('it quotes again', () => quotesIn(bot.view) === ALL_QUOTES, 30_000);
    await world.run(5_000);
    expectAgreement(world, bot);
  });

  test('and stays away leaves the bot saying that orders may remain', async () => {
    const { world, bot } = await quoting();
    world.killVenue();
    await world.run(1_000);
    bot.stop();
    await world.runUntil('ended', () => bot.end !== null, 60_000);
    expect(bot.end).toMatchObject({ outcome: 'orders-may-remain' });
  });
});

describe('the private channel', () => {
  test('whose authorisation is never answered is asked for again, and quoted on once it is joined', async () => {
    const world = World.quiet();
    world.transport.detours.set('authorizeChannel', 60_000);
    const bot = await world.start();
    await world.run(20_000);
    expect(ordersAtVenue(world)).toEqual([]);
    expect(bot.view.markets[0]!.halted).toBe('private-channel-refused');
    world.transport.detours.clear();
    await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
    expectAgreement(world, bot);
  });

  test('refused: nothing is quoted, and a person is told why', async () => {
    const world = World.quiet();
    const bot = await world.start();
    bot.line.refused.add('private-user-1');
    await world.run(10_000);
    expect(ordersAtVenue(world)).toEqual([]);
    expect(bot.view.markets[0]!.halted).toBe('private-channel-refused');
    expect(bot.noticeCodes).toContain('channel-refused');
  });
});
