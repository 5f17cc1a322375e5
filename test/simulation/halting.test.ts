import { describe, expect, test } from 'vitest';
import type { BotSettings } from '../../src/settings/index.js';
import type { BookView } from '../../src/core/strategy/contract.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, haltsIn, quotedBy, quoting, type Scene } from '../support/simulation/scenes.js';
import { MAKER, RIVAL, World } from '../support/simulation/world.js';

const marketsAtVenue = ({ world }: Scene): number[] => [
  ...new Set(ordersAtVenue(world).map(({ marketId }) => Number(marketId))),
];

const command = ({ bot }: Scene, what: 'kill' | 'resume' | 'release'): void =>
  bot.loop.command({ kind: 'command', command: what, reason: 'the test' });

const limited =
  (limits: object) =>
  (settings: BotSettings): BotSettings => ({
    ...settings,
    instances: settings.instances.map((instance) => ({
      ...instance,
      limits: { ...instance.limits, ...limits },
    })),
  });

describe('a strategy that fails', () => {
  const ladder = (price: number) => ({ bids: [{ price, shares: 10, reason: [] }], asks: [] });
  /** Quotes one bid until it is told to fail. It looks at the levels of the book, so that it is asked whenever one changes. */
  const failing = (fail: () => unknown) => {
    let isFailing = false;
    const quote = ({ book }: { readonly book: BookView }): unknown =>
      book.bids.length >= 0 && isFailing ? fail() : ladder(0.42);
    return { strategy: { name: 'failing', params: {}, quote }, begin: () => (isFailing = true) };
  };

  const gaveUp = (): never => {
    throw new Error('out of ideas');
  };
  const crossed = { ...ladder(0.5), asks: [{ price: 0.4, shares: 10, reason: [] }] };

  test.each([
    ['throws', gaveUp],
    ['says NaN', () => ladder(Number.NaN)],
    ['quotes outside (0, 1)', () => ladder(1.2)],
    ['crosses itself', () => crossed],
  ] as const)('and %s is stopped alone, its quotes withdrawn', async (_how, fail) => {
    const { strategy, begin } = failing(fail);
    const world = World.quiet();
    const bot = await world.start({ engine: quotedBy('rain', strategy) });
    await world.runUntil('it quoted', () => marketsAtVenue({ world, bot }).length === 3);
    begin();
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'long', price: 3_000, shares: 100 });
    await world.run(1_000);
    expect(bot.view.instances.map(({ fault }) => fault === null)).toEqual([false, true]);
    expect(marketsAtVenue({ world, bot })).not.toContain(1_001);
    expect(haltsIn(bot.view)).toEqual({ 1001: 'strategy-fault', 2001: null, 2002: null });
    expect(bot.noticeCodes).toContain('strategy-fault');
    expectAgreement(world, bot);
  });
});

describe('losses of before the run', () => {
  test('on what is held at its start are none of its own, however often it is started', async () => {
    const world = World.quiet();
    // Shares that a person bought by hand; the mid is 0.50.
    world.place(MAKER, { marketId: 1_001, side: 'bid', position: 'long', price: 6_000, shares: 30_000 });
    await world.run(1_000);
    for (let start = 0; start < 3; start += 1) {
      const bot = await world.start({ settings: limited({ maxLoss: 20_000_000, maxDrawdown: 20_000_000 }) });
      await world.runUntil('it quotes', () => marketsAtVenue({ world, bot }).length === 3);
      await world.run(5_000);
      expect(bot.view.markets.find(({ marketId }) => marketId === String(1_001))!.inventory.long).toBe(
        30_000,
      );
      expect(bot.view).toMatchObject({ killed: null, profit: 0 });
      bot.stop();
      await world.runUntil('it has ended', () => bot.end !== null);
    }
  });
});

describe('a kill', () => {
  test('withdraws everything, proves it, and stays latched until a person resumes', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    command(scene, 'kill');
    await world.run(5_000);
    expect(ordersAtVenue(world)).toEqual([]);
    expect(bot.view).toMatchObject({ phase: 'running', killed: 'the test' });
    await world.run(30_000);
    expect(ordersAtVenue(world)).toEqual([]);
    command(scene, 'resume');
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES);
    expect(bot.noticeCodes).toContain('resumed');
    expectAgreement(world, bot);
  });

  test.each([1_001, 2_003])('withdraws what shows in market %i after that, too', async (marketId) => {
    const scene = await quoting();
    const { world, bot } = scene;
    command(scene, 'kill');
    await world.runUntil('it is proved', () => ordersAtVenue(world).length === 0);
    await world.run(10_000);
    world.byHand({ marketId, price: 4_300 });
    await world.run(5_000);
    expect(ordersAtVenue(world)).toEqual([]);
    expect(bot.view).toMatchObject({ phase: 'running', killed: 'the test' });
    expectAgreement(world, bot);
  });

  test('while the venue is away goes on trying until it is proved', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.transport.isDeaf = true;
    command(scene, 'kill');
    await world.run(60_000);
    world.transport.isDeaf = false;
    await world.run(30_000);
    expect(ordersAtVenue(world)).toEqual([]);
    expect(bot.view.phase).toBe('running');
    command(scene, 'resume');
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES);
  });

  test('then a stop ends the run clean', async () => {
    const scene = await quoting();
    command(scene, 'kill');
    await scene.world.run(5_000);
    scene.bot.stop();
    await scene.world.runUntil('ended', () => scene.bot.end !== null);
    expect(scene.bot.end).toMatchObject({ outcome: 'clean' });
  });

  /** A loss of more than the two units that the run may lose. */
  const lose = async ({ world }: Scene): Promise<void> => {
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_300, shares: 2_000 });
    await world.run(500);
    world.venue.execute({ kind: 'cancel-all', account: RIVAL, eventId: null, marketId: null });
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 8_000, shares: 5_000 });
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'long', price: 1_500, shares: 5_000 });
    await world.run(5_000);
  };
  const losingTwo = limited({ maxLoss: 2_000_000 });

  test('comes by itself when the run has lost more than its limit', async () => {
    const scene = await quoting({ settings: losingTwo });
    await lose(scene);
    expect(scene.bot.view.killed).toMatch(/^loss limit: lost \d/);
    expect(ordersAtVenue(scene.world)).toEqual([]);
  });

  test('that a loss asks for comes, too, once another one that came before is released', async () => {
    const scene = await quoting({ settings: losingTwo });
    const { world, bot } = scene;
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_300, shares: 2_000 });
    await world.run(500);
    command(scene, 'kill');
    await lose(scene);
    expect(bot.view.killed).toBe('the test');
    command(scene, 'release');
    await world.run(5_000);
    expect(bot.view.killed).toMatch(/^loss limit: lost \d/);
    expect(ordersAtVenue(world)).toEqual([]);
  });
});

describe('limits', () => {
  test('cut what would go beyond them, and the rest stands', async () => {
    const world = World.quiet();
    const bot = await world.start({ settings: limited({ maxPositionShares: 1_500 }) });
    await world.run(5_000);
    expect(bot.view.counts.refusals['position-limit']).toBeGreaterThan(0);
    const rain = ordersAtVenue(world).filter(({ marketId }) => Number(marketId) === 1_001);
    // Two levels of ten shares a side, of which fifteen fit.
    expect(rain.map(({ shares }) => shares).toSorted((one, other) => one - other)).toEqual([
      500, 500, 1_000, 1_000,
    ]);
    expectAgreement(world, bot);
  });
});
