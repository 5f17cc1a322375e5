/** Orders that the venue cancels by itself: stated, renewed, and gone when nobody renews them. */
import { describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../src/core/engine/options.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, quoting } from '../support/simulation/scenes.js';

const LIFETIME_MS = 120_000;
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
