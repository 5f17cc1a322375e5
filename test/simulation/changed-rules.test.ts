/** The venue changes the tick, the least amount or the fee of a market while the bot runs. */
import { describe, expect, test } from 'vitest';
import { marketId } from '../../src/domain/ids.js';
import type { MarketRules } from '../../src/domain/inputs.js';
import { money, type Money } from '../../src/domain/units.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import type { ExchangeSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { haltsIn, quoting, type Scene } from '../support/simulation/scenes.js';
import { RIVAL } from '../support/simulation/world.js';

const YES = marketId(1_001);
const inRain = ({ world }: Scene) => ordersAtVenue(world).filter(({ marketId: id }) => String(id) === YES);
const tell = ({ bot }: Scene, changes: Partial<MarketRules>): void =>
  bot.loop.command({ kind: 'command', command: 'set-terms', marketId: YES, changes });

const locked = ({ bot }: Scene): number => {
  const { total, free } = bot.view.balance;
  return total! - free!;
};

/** The same venue, on whose grid prices may be finer than anybody's so far. */
const finerGrids = (settings: ExchangeSettings): ExchangeSettings => ({
  ...settings,
  events: settings.events.map((event) => ({
    ...event,
    markets: event.markets.map((market) => ({ ...market, tickSize: 10 })),
  })),
});

describe('a market whose rules change', () => {
  test('is left until its book was read on the new grid, and then quoted on that', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    expect(inRain(scene).some(({ price }) => price! % 200 !== 0)).toBe(true);
    const old = new Set(inRain(scene).map(({ id }) => id));
    tell(scene, { tickUnits: 200 });
    expect(haltsIn(bot.view)[1_001]).toBe('book-not-read');
    await world.run(100);
    expect(inRain(scene).filter(({ id }) => old.has(id))).toEqual([]);
    await world.runUntil('it is quoted again', () => inRain(scene).length === 4);
    expect(inRain(scene).every(({ price }) => price! % 200 === 0)).toBe(true);
    expect(bot.noticeCodes).toContain('terms-changed');
    await world.run(5_000);
    expectAgreement(world, bot);
  });

  test('has a finer grid learned from its book, and is quoted on that at once', async () => {
    const scene = await quoting({}, { exchange: finerGrids });
    const { world, bot } = scene;
    const price = 4_780;
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'long', price, shares: 20_000 });
    await world.runUntil('it is learned', () => bot.noticeCodes.includes('grid-learned'));
    await world.run(5_000);
    expect(haltsIn(bot.view)[1_001]).toBeNull();
    expect(inRain(scene)).toHaveLength(4);
    expect(inRain(scene).some((order) => order.price! % 100 !== 0)).toBe(true);
    expectAgreement(world, bot);
  });

  test('is not quoted while its book is still on the old grid', async () => {
    const scene = await quoting();
    tell(scene, { tickUnits: 2_500 });
    await scene.world.run(20_000);
    expect(haltsIn(scene.bot.view)[1_001]).toBe('price-off-grid');
    expect(inRain(scene)).toEqual([]);
  });

  test('keeps no order below a new least amount', async () => {
    const scene = await quoting();
    tell(scene, { minAmount: money(4_750_000) });
    await scene.world.run(10_000);
    const amounts = inRain(scene).map(({ price, shares }) => price! * shares);
    expect(amounts.length).toBeGreaterThan(0);
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(4_750_000);
  });

  test('reserves a new fee', async () => {
    const scene = await quoting();
    const before = locked(scene);
    tell(scene, { takerFee: money(10_000) });
    await scene.world.run(10_000);
    expect(inRain(scene)).toHaveLength(4);
    expect(locked(scene) - before).toBe(40 * 10_000);
  });

  test('has a new fee counted in what its orders lock, though none of them can be withdrawn now', async () => {
    const scene = await quoting();
    const { world } = scene;
    const rule = { on: '* /orders/batch-cancel/', kind: 'rate_limit', ms: 60_000, probability: 1 } as const;
    world.venue.faults.replace({ seed: 1, rules: [rule] });
    tell(scene, { makerFee: money(10) });
    await world.run(2_000);
    const before = locked(scene);
    tell(scene, { takerFee: money(10_000) });
    await world.run(1);
    expect(locked(scene) - before).toBe(40 * (10_000 - 10));
  });

  test('has a dearer fee told by its book, and reserves that', async () => {
    const taker = 10_000 as Money;
    const exchange = (settings: ExchangeSettings): ExchangeSettings => ({
      ...settings,
      fees: { ...settings.fees, play_money: { taker, maker: 0 as Money } },
    });
    const engine = (options: EngineOptions): EngineOptions => ({
      ...options,
      terms: { ...options.terms, takerFee: 0 as Money },
    });
    const { world, bot } = await quoting({ engine }, { exchange });
    await world.run(120_000);
    expect(bot.noticeCodes).toContain('terms-changed');
    expect(ordersAtVenue(world)).toHaveLength(8);
    const { total, free } = bot.view.balance;
    const cost = ordersAtVenue(world).reduce((sum, { price, shares }) => sum + price! * shares, 0);
    expect(total! - free! - cost).toBe(80 * taker);
  });

  test('keeps its rules when the new ones cannot be', async () => {
    const scene = await quoting();
    tell(scene, { tickUnits: 300 });
    await scene.world.run(1_000);
    expect(scene.bot.noticeCodes).toContain('terms-refused');
    expect(haltsIn(scene.bot.view)[1_001]).toBeNull();
    expect(inRain(scene)).toHaveLength(4);
  });
});
