/** Somebody else trades with our account in markets that we believed to be ours alone. */
import { describe, expect, test } from 'vitest';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, haltsIn, quoting } from '../support/simulation/scenes.js';

describe('an order that nobody can explain', () => {
  test('halts its market until it is cancelled and gone', async () => {
    const { world, bot } = await quoting();
    const stranger = world.byHand({ marketId: 1_001, price: 4_300 });
    const halts = new Set<string | null>();
    const others = new Set<string | null>();
    for (let ms = 0; ms < 50; ms += 1) {
      await world.run(1);
      const now = haltsIn(bot.view);
      halts.add(now[1_001]!);
      others.add(now[2_001]!).add(now[2_002]!);
    }
    expect(halts).toContain('order-unexplained');
    expect(others).toEqual(new Set([null]));
    expect(bot.noticeCodes).toContain('order-unexplained');
    await world.runUntil('it is gone', () => ordersAtVenue(world).every(({ id }) => Number(id) !== stranger));
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES);
    expect(haltsIn(bot.view)[1_001]).toBeNull();
    expectAgreement(world, bot);
  });

  test('at the start is what the last run left, and is cancelled before anything is quoted', async () => {
    const { world, bot } = await quoting();
    bot.kill();
    const next = await world.start();
    await world.runUntil('the next one quotes', () => next.view.phase === 'running');
    await world.run(2_000);
    expect(next.noticeCodes).toContain('order-found');
    expect(next.noticeCodes).not.toContain('order-unexplained');
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES);
  });
});
