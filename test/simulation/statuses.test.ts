import * as ids from '../../src/domain/ids.js';
import { describe, expect, test } from 'vitest';
import { eventId, marketId } from '../../src/exchange/contract/ids.js';
import type { Micros } from '../../src/domain/units.js';
import type { Command } from '../../src/exchange/contract.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, haltsIn, quoting, type Scene } from '../support/simulation/scenes.js';
import { RIVAL, type World } from '../support/simulation/world.js';

const RAIN = eventId(100);
const YES = marketId(1_001);

const inMarket = (world: World, market: number) =>
  ordersAtVenue(world).filter(({ marketId: id }) => Number(id) === market);

async function after(command: Command): Promise<Scene> {
  const scene = await quoting();
  scene.world.venue.execute(command);
  await scene.world.run(2_000);
  return scene;
}

describe('a market', () => {
  const closings: readonly [string, Command, string][] = [
    ['paused', { kind: 'set-market-status', marketId: YES, status: 'paused' }, 'market-paused'],
    ['stopped', { kind: 'set-market-status', marketId: YES, status: 'stopped' }, 'market-stopped'],
    ['disabled', { kind: 'set-market-status', marketId: YES, disabled: true }, 'market-disabled'],
    ['of a paused event', { kind: 'set-event-status', eventId: RAIN, status: 'paused' }, 'event-paused'],
    ['of a stopped event', { kind: 'set-event-status', eventId: RAIN, status: 'stopped' }, 'event-stopped'],
    [
      'of a cancelled event',
      { kind: 'set-event-status', eventId: RAIN, status: 'cancelled' },
      'event-cancelled',
    ],
  ];
  test.each(closings)('%s is left, the others go on', async (_what, command, reason) => {
    const { world, bot } = await after(command);
    expect(haltsIn(bot.view)).toEqual({ 1001: reason, 2001: null, 2002: null });
    expect(ordersAtVenue(world)).toHaveLength(4);
    expectAgreement(world, bot);
  });

  test('is quoted again after a pause', async () => {
    const { world, bot } = await after({ kind: 'set-event-status', eventId: RAIN, status: 'paused' });
    world.venue.execute({ kind: 'set-event-status', eventId: RAIN, status: 'open' });
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES, 10_000);
    expectAgreement(world, bot);
  });

  test('is left two seconds before its bets close', async () => {
    const { world, bot } = await quoting();
    const betEnd = (world.now + 10_000_000) as Micros;
    world.venue.execute({ kind: 'set-market-status', marketId: YES, betEnd });
    await world.run(7_500);
    expect(inMarket(world, 1_001)).toHaveLength(4);
    await world.run(1_000);
    expect(inMarket(world, 1_001)).toEqual([]);
    expect(haltsIn(bot.view)[1_001]).toBe('closing-soon');
    await world.run(3_000);
    expect(haltsIn(bot.view)[1_001]).toBe('after-bet-window');
  });

  test('that resolves pays out in the books of both sides', async () => {
    const { world, bot } = await quoting();
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_200, shares: 700 });
    await world.run(2_000);
    const before = bot.view.profit;
    world.venue.execute({
      kind: 'resolve-event',
      eventId: RAIN,
      resolutions: [{ marketId: YES, resolution: 'long' }],
    });
    await world.run(5_000);
    expect(haltsIn(bot.view)[1_001]).toBe('event-resolved');
    expect(bot.view.profit).toBeGreaterThan(before);
    expectAgreement(world, bot);
  });
});

describe('a status message', () => {
  test('that nobody can place stops the whole event until REST has told its state', async () => {
    const { world, bot } = await quoting();
    world.transport.detours.set('event', 2_000);
    bot.line.deliver('market-status-change', 'event-100', JSON.stringify({ event_id: 100, mood: 'gloomy' }));
    await world.run(500);
    expect(haltsIn(bot.view)).toEqual({ 1001: 'status-not-understood', 2001: null, 2002: null });
    expect(inMarket(world, 1_001)).toEqual([]);
    await world.run(5_000);
    expect(haltsIn(bot.view)[1_001]).toBeNull();
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES);
  });

  test('is taken from the refusal of an order, too', async () => {
    const { world, bot } = await quoting();
    bot.line.refused.add('event');
    world.network.weather = { ...world.network.weather, frameLost: 1 };
    world.venue.execute({ kind: 'set-market-status', marketId: YES, status: 'paused' });
    await world.run(100);
    world.network.weather = { ...world.network.weather, frameLost: 0 };
    world.place(RIVAL, { marketId: 2_001, side: 'bid', position: 'long', price: 4_200, shares: 100 });
    bot.loop.outside({
      kind: 'fair-value',
      marketId: ids.marketId(YES),
      p: 0.55,
      confidence: 1,
      at: world.now,
    });
    await world.run(3_000);
    expect(haltsIn(bot.view)[1_001]).toBe('market-paused');
  });
});

describe('a fair value', () => {
  test('that nobody knows any more withdraws the quotes', async () => {
    const { world, bot } = await quoting();
    world.venue.execute({ kind: 'cancel-all', account: RIVAL, eventId: RAIN, marketId: null });
    await world.run(120_000);
    expect(bot.view.markets[0]!.quotes).toEqual([]);
    expect(inMarket(world, 1_001)).toEqual([]);
  });

  test('from outside moves the quotes, and one that is none is refused', async () => {
    const { world, bot } = await quoting();
    const tell = (p: number): void =>
      bot.loop.outside({
        kind: 'fair-value',
        marketId: ids.marketId(YES),
        p,
        confidence: 1,
        at: world.now,
      });
    tell(0.55);
    await world.run(1_000);
    const prices = bot.view.markets[0]!.quotes.map(({ price }) => Number(price)).toSorted((a, b) => a - b);
    expect(prices).toEqual([5_200, 5_300, 5_700, 5_800]);
    tell(Number.NaN);
    await world.run(1_000);
    expect(bot.noticeCodes).toContain('fair-value-refused');
    expect(bot.view.markets[0]!.fair).toBe(0.55);
    expectAgreement(world, bot);
  });
});
