/** Orders that the venue cancels by itself: stated, renewed, and gone when nobody renews them. */
import { describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../src/core/engine/options.js';
import type { BotSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, quoting } from '../support/simulation/scenes.js';
import { World } from '../support/simulation/world.js';

const LIFETIME_MS = 120_000;
const DEEP_LEVELS = 4;
/** With the four quotes of the other instance. */
const DEEP_QUOTES = 2 * DEEP_LEVELS + 4;
const expiring = (options: EngineOptions): EngineOptions => ({
  ...options,
  quoting: { ...options.quoting, expiryMs: LIFETIME_MS },
});

describe('quotes that expire', () => {
  test('are renewed one after the other while nothing moves, and never run out', async () => {
    const { world, bot } = await quoting({ engine: expiring });
    const movedBefore = bot.view.counts.ordersReplaced;
    const renewedAt = new Set<number>();
    let before = new Set(ordersAtVenue(world).map(({ id }) => id));
    for (let second = 0; second < 300; second++) {
      await world.run(1_000);
      const orders = ordersAtVenue(world);
      expect(orders).toHaveLength(ALL_QUOTES);
      for (const { expiresAt } of orders) expect(expiresAt! - world.now).toBeGreaterThan(20_000_000);
      const now = new Set(orders.map(({ id }) => id));
      if ([...now].some((id) => !before.has(id))) renewedAt.add(second);
      before = now;
    }
    expect(renewedAt.size).toBeGreaterThan(6);
    expect(bot.view.counts.ordersReplaced - movedBefore).toBeLessThanOrEqual((ALL_QUOTES * 300) / 60);
    expectAgreement(world, bot);
  });

  test('share requests where the allowance lets not each have its own, and never run out', async () => {
    const deep = (settings: BotSettings): BotSettings => ({
      ...settings,
      instances: settings.instances.map((one) =>
        one.name === 'rain' ? { ...one, params: { ...one.params, levels: DEEP_LEVELS } } : one,
      ),
    });
    const scarce = (options: EngineOptions): EngineOptions =>
      expiring({ ...options, budget: { ...options.budget, perMinute: 13 } });
    const world = World.quiet();
    const bot = await world.start({ settings: deep, engine: scarce });
    await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === DEEP_QUOTES, 300_000);
    const requests = (): number =>
      world.transport.seen.filter(({ endpoint }) => endpoint === 'batchUpdate').length;
    const [movedBefore, sentBefore] = [bot.view.counts.ordersReplaced, requests()];
    for (let second = 0; second < 300; second += 5) {
      await world.run(5_000);
      const orders = ordersAtVenue(world);
      expect(orders).toHaveLength(DEEP_QUOTES);
      for (const { expiresAt } of orders) expect(expiresAt! - world.now).toBeGreaterThan(5_000_000);
    }
    const renewals = bot.view.counts.ordersReplaced - movedBefore;
    expect(renewals).toBeGreaterThanOrEqual(2 * DEEP_QUOTES);
    expect(requests() - sentBefore).toBeLessThan(renewals / 2);
    expectAgreement(world, bot);
  });

  test('are gone two minutes after a bot fell silent for good', async () => {
    const { world, bot } = await quoting({ engine: expiring });
    await world.run(30_000);
    bot.kill();
    await world.run(60_000);
    expect(ordersAtVenue(world)).not.toEqual([]);
    await world.run(70_000);
    expect(ordersAtVenue(world)).toEqual([]);
  });

  test('stand for ever where no expiry is configured', async () => {
    const { world, bot } = await quoting();
    expect(ordersAtVenue(world).every(({ expiresAt }) => expiresAt === null)).toBe(true);
    bot.kill();
    await world.run(600_000);
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES);
  });
});
