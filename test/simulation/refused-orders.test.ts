/** What the bot does about orders that the venue refuses although it was approved here: it learns, and does not insist. */
import { describe, expect, test } from 'vitest';
import { marketId } from '../../src/domain/ids.js';
import { type Money, money } from '../../src/domain/units.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import type { ExchangeSettings } from '../../src/settings/index.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { World } from '../support/simulation/world.js';

const RAIN = 1_001;

/** Orders of a market that were asked for so far, by their terms. */
function askedIn(world: World, market: number): readonly string[] {
  const creates = world.transport.seen.filter(({ endpoint }) => endpoint === 'batchCreate');
  return creates.flatMap(({ body }) =>
    (JSON.parse(body) as { readonly orders: readonly { readonly market: number }[] }).orders
      .filter((order) => order.market === market)
      .map((order) => JSON.stringify(order)),
  );
}
const standing = (world: World, market: number): number =>
  ordersAtVenue(world).filter(({ marketId }) => Number(marketId) === market).length;

describe('an order that breaks a rule which only the venue knows', () => {
  const strict = (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    events: settings.events.map((event) =>
      event.id === 100 ? { ...event, minAmount: money(6_000_000) } : event,
    ),
  });

  const unaware = (options: EngineOptions): EngineOptions => ({
    ...options,
    terms: { ...options.terms, minAmount: money(10_000) },
  });

  test('is asked for once, while the others stand, until a person resumes', async () => {
    const world = World.quiet({ exchange: strict });
    const bot = await world.start({ engine: unaware });
    await world.run(180_000);
    const asked = askedIn(world, RAIN);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(asked.length);
    expect([standing(world, RAIN), standing(world, 2_001), standing(world, 2_002)]).toEqual([0, 2, 2]);
    bot.loop.command({ kind: 'command', command: 'resume' });
    await world.run(30_000);
    expect(askedIn(world, RAIN).length).toBeGreaterThan(asked.length);
  });

  test('is asked for again after ten minutes, though nothing moves', async () => {
    const world = World.quiet({ exchange: strict });
    await world.start({ engine: unaware });
    await world.run(10_000);
    const asked = askedIn(world, RAIN).length;
    await world.run(580_000);
    expect(askedIn(world, RAIN)).toHaveLength(asked);
    await world.run(30_000);
    expect(askedIn(world, RAIN).length).toBeGreaterThan(asked);
  });
});

describe('a rule that only the venue knows', () => {
  const AMOUNT = 'OrderBookInvalidAmount';
  const event =
    (rules: object) =>
    (settings: ExchangeSettings): ExchangeSettings => ({
      ...settings,
      events: settings.events.map((one) => (one.id === 100 ? { ...one, ...rules } : one)),
    });
  const unaware = (options: EngineOptions): EngineOptions => ({
    ...options,
    learnedGrids: [],
    terms: { ...options.terms, minAmount: money(10_000), maxAmount: money(1_000_000_000) },
  });
  const grid = (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    events: settings.events.map((one) => ({
      ...one,
      markets: one.markets.map((market) => (market.id === RAIN ? { ...market, tickSize: 200 } : market)),
    })),
  });

  /** Prices move for so long, and with them the amounts of all quotes of ten shares. */
  async function moving(world: World, bot: SimulatedBot, minutes: number): Promise<void> {
    for (let step = 0; step < minutes * 12; step += 1) {
      const p = 0.5 + 0.005 * ((step * 7) % 11) - 0.025;
      bot.loop.outside({ kind: 'fair-value', marketId: marketId(RAIN), p, confidence: 1, at: world.now });
      await world.run(5_000);
    }
  }

  test.each([
    ['least amount', event({ minAmount: money(4_550_000) }), AMOUNT, 'orders of 4.4 and less'],
    ['least amount above all of them', event({ minAmount: money(6_000_000) }), AMOUNT, 'orders of 4.4 to 5'],
    ['tick', grid, 'ValidationError', 'prices off a grid of 0.02'],
  ])('is learned, and a person told: a %s', async (_what, exchange, code, words) => {
    const world = World.quiet({ exchange });
    const bot = await world.start({ engine: unaware });
    const refusals = (): number => bot.view.counts.refusals[code] ?? 0;
    await moving(world, bot, 4);
    const learned = refusals();
    expect(learned).toBeGreaterThan(0);
    expect(bot.view.alarms.map(({ text }) => text)).toEqual([
      expect.stringContaining(`market ${RAIN}: ${words}`),
    ]);
    expect(bot.notices.filter(({ code: one }) => one === 'alarm-orders-refused')).toHaveLength(1);
    await moving(world, bot, 5);
    expect(refusals()).toBe(learned);
    expect(standing(world, 2_001)).toBe(2);
    bot.loop.command({ kind: 'command', command: 'resume' });
    await world.run(1);
    expect(bot.view.alarms).toEqual([]);
  });

  test('teaches a coarser grid where the grid is to be learned: quotes stand on that one, without an alarm', async () => {
    const world = World.quiet({ exchange: grid });
    const bot = await world.start();
    await moving(world, bot, 2);
    expect(bot.noticeCodes).toContain('grid-learned');
    expect(bot.view.alarms).toEqual([]);
    const rain = ordersAtVenue(world).filter((order) => Number(order.marketId) === RAIN);
    // Two levels a side, a cent apart, are one on this grid.
    expect(rain.length).toBeGreaterThanOrEqual(2);
    expect(rain.every(({ price }) => price! % 200 === 0)).toBe(true);
  });
});

describe('cash that the venue counts otherwise than we do', () => {
  /** Ten for everything, and a maker's fee that neither the configuration nor the book tells. */
  const dear = (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    fees: { ...settings.fees, play_money: { taker: 0 as Money, maker: 20_000 as Money } },
    accounts: settings.accounts.map((account) =>
      account.id === 1 ? { ...account, balances: { OOM: money(10_000_000) } } : account,
    ),
  });
  const unaware = (options: EngineOptions): EngineOptions => ({
    ...options,
    terms: { ...options.terms, takerFee: 0 as Money, makerFee: 0 as Money },
  });

  test('is kept to after a few refusals, and quotes stand for the rest of it', async () => {
    const world = World.quiet({ exchange: dear });
    const bot = await world.start({ engine: unaware });
    const refusals = (): number => bot.view.counts.refusals['UserNotEnoughBalance'] ?? 0;
    await world.run(120_000);
    const before = refusals();
    expect(before).toBeGreaterThan(0);
    expect(ordersAtVenue(world)).not.toEqual([]);
    await world.run(120_000);
    expect(refusals()).toBe(before);
  });
});

describe('an account that may not trade any more', () => {
  const blocked = (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    accounts: settings.accounts.map((account) =>
      account.id === 1 ? { ...account, blocked: true } : account,
    ),
  });

  test('has the kill switch latched by a refusal: nothing is asked for again, and a person is told', async () => {
    const world = World.quiet({ exchange: blocked });
    const bot = await world.start();
    const creates = (): number =>
      world.transport.seen.filter(({ endpoint }) => endpoint === 'batchCreate').length;
    await world.run(2_000);
    const before = creates();
    expect(before).toBeGreaterThan(0);
    await world.run(120_000);
    expect(creates()).toBe(before);
    expect(bot.view.killed).toContain('UserBlockedBets');
    expect(bot.notices.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(
      expect.arrayContaining(['venue-stop-trading', 'killed']),
    );
  });
});
