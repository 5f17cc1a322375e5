import { describe, expect, test } from 'vitest';
import type { BotSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, allShared, quoting, type Scene } from '../support/simulation/scenes.js';
import { Machine } from '../support/simulation/host.js';
import { CALM } from '../support/simulation/network.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import { MAKER, RIVAL, World } from '../support/simulation/world.js';

const SECOND = 1_000_000;
/** After this long a request cannot take effect any more: the venue's window and what clocks differ. */
const CLOCK_WINDOW = 65 * SECOND;

async function ended({ world, bot }: Scene, withinMs = 60_000): Promise<void> {
  await world.runUntil('ended', () => bot.end !== null, withinMs);
}

const NO_ORDERS = { orders: [], total: 0, nextOffset: null };

const sent = ({ transport }: World, endpoint: string): number =>
  transport.seen.filter((request) => request.endpoint === endpoint).length;

/** Listings of active orders that were asked for: each looks at three statuses. */
const listings = ({ world }: Scene): number =>
  world.transport.seen.filter(({ endpoint }) => endpoint === 'orders').length / 3;

describe('a stop', () => {
  test('cancels everything and is over once the venue was asked twice and showed nothing', async () => {
    const scene = await quoting();
    const before = listings(scene);
    scene.bot.stop();
    await ended(scene);
    expect(scene.bot.end).toMatchObject({ outcome: 'clean' });
    expect(listings(scene) - before).toBe(2);
    expectAgreement(scene.world, scene.bot);
    expect(ordersAtVenue(scene.world)).toEqual([]);
  });

  test('sends nothing that creates any more', async () => {
    const scene = await quoting();
    scene.bot.stop();
    const before = scene.world.transport.seen.length;
    await ended(scene);
    const after = scene.world.transport.seen.slice(before).map(({ endpoint }) => endpoint);
    expect(after).not.toContain('batchCreate');
    expect(after).not.toContain('batchUpdate');
  });

  test('while a create is under way waits for it and cancels what it made', async () => {
    const world = World.quiet();
    const bot = await world.start();
    world.transport.detours.set('batchCreate', 1_000);
    await world.runUntil('a create left', () =>
      world.transport.seen.some(({ endpoint }) => endpoint === 'batchCreate'),
    );
    bot.stop();
    await ended({ world, bot });
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(bot.view.counts.ordersCreated).toBeGreaterThan(0);
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('before anything was read is clean, too', async () => {
    const world = World.quiet();
    const bot = await world.start();
    bot.stop();
    await ended({ world, bot });
    expect(bot.end).toMatchObject({ outcome: 'clean' });
  });

  test('does not believe in an end while an order is being processed', async () => {
    const scene = await quoting({}, { exchange: (settings) => ({ ...settings, processingDelayMs: 3_000 }) });
    const { world, bot } = scene;
    world.place(MAKER, { marketId: 1_001, side: 'bid', position: 'long', price: 1_000, shares: 100 });
    bot.stop();
    await ended(scene);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('by id leaves the orders of other hands alone in shared markets', async () => {
    const scene = await quoting({ settings: allShared });
    const { world, bot } = scene;
    const byHand = world.byHand({ marketId: 1_001, price: 1_000 });
    bot.stop();
    await ended(scene);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world).map(({ id }) => id)).toEqual([byHand]);
  });

  test('of a venue that takes requests and never answers says that orders may remain', async () => {
    const scene = await quoting();
    scene.world.transport.isDeaf = true;
    scene.bot.stop();
    await ended(scene);
    expect(scene.bot.end).toMatchObject({ outcome: 'orders-may-remain' });
  });

  describe('of a venue that fails', () => {
    const failing = ['* /orders/', '* /orders/cancel-all/', '* /orders/batch-cancel/'];
    const rules = failing.map((on) => ({ on, kind: 'error_before', probability: 1 }) as const);
    const told = ({ bot }: Scene) => bot.notices.filter(({ code }) => code === 'withdrawing');
    const left = '[1-9]\\d* orders may stand; the venue answered last: status 500';

    test('tells what is waited for when that takes long', async () => {
      const scene = await quoting();
      scene.world.venue.faults.replace({ seed: 1, rules });
      scene.bot.stop();
      await scene.world.run(4_000);
      expect(told(scene)).toEqual([]);
      await scene.world.run(10_000);
      const text = `^still withdrawing: ${left}; it is asked on, given up in \\d+ s at the earliest$`;
      expect(told(scene)).toMatchObject([{ level: 'warning', text: expect.stringMatching(text) as string }]);
      await ended(scene, 300_000);
      expect(scene.bot.end).toMatchObject({ outcome: 'orders-may-remain' });
    });

    test('tells it again now and then while a kill goes on for as long as it takes', async () => {
      const scene = await quoting();
      scene.world.venue.faults.replace({ seed: 1, rules });
      scene.bot.loop.command({ kind: 'command', command: 'kill', reason: 'a test' });
      await scene.world.run(100_000);
      const text = `^still withdrawing: ${left}; it is asked on, until it is proved$`;
      expect(told(scene).length).toBeGreaterThanOrEqual(3);
      expect(told(scene).length).toBeLessThanOrEqual(4);
      for (const notice of told(scene)) expect(notice.text).toMatch(new RegExp(text));
    });
  });

  test('soon after a lost answer waits until the request can have no effect any more', async () => {
    const world = World.quiet();
    const rule = { on: 'POST /orders/batch/', kind: 'error_before', probability: 1 } as const;
    world.venue.faults.replace({ seed: 1, rules: [rule] });
    const bot = await world.start();
    await world.runUntil('a create is lost', () => sent(world, 'batchCreate') > 0);
    const lostAt = world.now;
    bot.stop();
    const before = listings({ world, bot });
    await world.run(60_000);
    expect(bot.end).toBeNull();
    expect(listings({ world, bot }) - before).toBeLessThan(30);
    await ended({ world, bot });
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(world.now - lostAt).toBeLessThan(CLOCK_WINDOW + 8 * SECOND);
  });

  test('ends as soon as a late frame has told of what a lost answer left in doubt', async () => {
    const world = World.quiet();
    world.network.weather = { ...CALM, frameLate: 1, frameLateMs: 40_000 };
    const rule = { on: 'POST /orders/batch/', kind: 'lose_answer', probability: 1 } as const;
    world.venue.faults.replace({ seed: 1, rules: [rule] });
    const bot = await world.start();
    await world.runUntil('creates are lost', () => bot.engine['parts'].desk.orders.doubtful.size > 0);
    bot.stop();
    await world.runUntil('nothing is in doubt', () => bot.engine['parts'].desk.orders.doubtful.size === 0);
    const clearAt = world.now;
    await ended({ world, bot });
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(world.now - clearAt).toBeLessThan(SECOND);
  });

  test('soon after the lost answer to an update needs no more than the cancel of the old order', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    const rule = { on: 'POST /orders/batch-update/', kind: 'error_before', probability: 1 } as const;
    world.venue.faults.replace({ seed: 1, rules: [rule] });
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'long', price: 4_300, shares: 50_000 });
    await world.runUntil('an update is lost', () => sent(world, 'batchUpdate') > 0);
    bot.stop();
    await ended(scene, 20_000);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('goes on cancelling while the venue throttles', async () => {
    const scene = await quoting();
    const rule = { on: '* /orders/cancel-all/', kind: 'rate_limit', ms: 2_000, probability: 0.7 } as const;
    scene.world.venue.faults.replace({ seed: 1, rules: [rule] });
    scene.bot.stop();
    await ended(scene);
    expect(scene.bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(scene.world)).toEqual([]);
  });

  test('has the last fills in its last view although nobody told of them', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_200, shares: 400 });
    bot.stop();
    await ended(scene);
    expect(bot.view.markets[0]!.inventory.long).toBe(400);
    expectAgreement(world, bot);
  });
});

describe('orders of an earlier run', () => {
  const elsewhere = (marketId: number) => (world: World) => world.byHand({ marketId, price: 1_000 });

  test('in a market that no instance names any more are cancelled', async () => {
    const world = World.quiet();
    elsewhere(2_003)(world);
    const bot = await world.start();
    await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
    expect(ordersAtVenue(world).map(({ marketId }) => marketId)).not.toContain(2_003);
    bot.stop();
    await ended({ world, bot });
    expect(ordersAtVenue(world)).toEqual([]);
  });

  const withoutRain = (settings: BotSettings): BotSettings => ({
    ...settings,
    events: settings.events.filter(({ id }) => id !== String(100)),
    instances: settings.instances.filter(({ name }) => name !== 'rain'),
  });
  const onlyRain = (settings: BotSettings): BotSettings => ({
    ...settings,
    events: settings.events.filter(({ id }) => id === String(100)),
    instances: settings.instances.filter(({ name }) => name === 'rain'),
  });
  const inRain = (world: World): number =>
    ordersAtVenue(world).filter(({ marketId }) => marketId === 1_001).length;

  test('in a market that the configuration names no more are gone before a stop is over', async () => {
    const { world, bot: first } = await quoting();
    first.kill();
    expect(inRain(world)).toBeGreaterThan(0);
    const bot = await world.start({ settings: withoutRain });
    bot.stop();
    await ended({ world, bot });
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(inRain(world)).toBe(0);
  });

  test('that nobody heard of there are waited for, and gone before a stop is over', async () => {
    const world = World.quiet();
    const first = await world.start({ settings: onlyRain });
    world.transport.detours.set('batchCreate', 30_000);
    await world.runUntil('a create left', () => sent(world, 'batchCreate') > 0);
    first.kill();
    world.transport.detours.clear();
    const bot = await world.start({ settings: withoutRain });
    bot.stop();
    await ended({ world, bot }, 120_000);
    await world.run(120_000);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(inRain(world)).toBe(0);
  });

  test.each([
    ['shows as over neither', { ok: true, value: NO_ORDERS as never }],
    ['cannot list as over', { ok: false, failure: { kind: 'unknown', reason: 'time-out' } }],
  ] as const)('that the venue does not list, and %s, are cancelled by their ids', async (_, over) => {
    const { world, bot: first } = await quoting({ settings: allShared });
    first.kill();
    let isBlind = true;
    const blind: Seam = {
      ...UNCHANGED,
      wire: (wire) => ({
        call: async (call, sending) => {
          const outcome = await wire.call(call, sending);
          if (!outcome.ok || call.endpoint !== 'orders' || !isBlind) return outcome;
          const isOver = call.query.some(([, value]) => value === 'filled' || value === 'canceled');
          return isOver ? { ...over, sentAt: outcome.sentAt } : { ...outcome, value: NO_ORDERS as never };
        },
      }),
    };
    const bot = await world.start({ settings: allShared, seam: blind });
    bot.stop();
    await ended({ world, bot });
    isBlind = false;
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('whose answer was lost are not waited for longer because the clock was set back since', async () => {
    const world = World.quiet();
    const machine = new Machine(world.clock, { aheadMs: 600_000, driftPpm: 0 });
    const first = await world.start({ host: machine.host() });
    world.transport.detours.set('batchCreate', 1_000_000);
    await world.runUntil('a create left', () => sent(world, 'batchCreate') > 0);
    first.kill();
    world.transport.detours.clear();
    machine.jump(-600_000);
    const bot = await world.start({ host: machine.host() });
    bot.stop();
    await ended({ world, bot }, 120_000);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
  });
});
