/** What only a person can mend, and what must not be taken for it. */
import { describe, expect, test } from 'vitest';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { turningAway } from '../support/simulation/scenario/misbehaviour.js';
import { allShared, quoting } from '../support/simulation/scenes.js';

describe('an order that nobody here placed', () => {
  test('is never one of its own, however frames and answers cross', async () => {
    const { world, bot } = await quoting();
    world.network.weather = {
      ...world.network.weather,
      latencyMs: [1, 400],
      frameLate: 0.5,
      frameLateMs: 2_000,
    };
    await world.run(120_000);
    expect(bot.noticeCodes).not.toContain('order-unexplained');
  });
});

describe('a venue that turns every request away', () => {
  const HOUR_MS = 3_600_000;
  const rules = turningAway(60_000);

  test('for an hour while quotes stand is an alarm, which is over with the first answer', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.venue.faults.replace({ seed: 1, rules });
    await world.run(HOUR_MS - 300_000);
    expect(bot.view.alarms).toEqual([]);
    await world.run(600_000);
    expect(bot.view.alarms).toMatchObject([{ code: 'throttled' }]);
    expect(bot.noticeCodes).toContain('alarm-throttled');
    world.venue.faults.replace({ seed: 1, rules: [] });
    await world.runUntil('it is over', () => bot.view.alarms.length === 0, 300_000);
  });

  test('is none where all that stands is a person’s', async () => {
    const { world, bot } = await quoting({ settings: allShared });
    const byHand = world.byHand({ marketId: 1_001, price: 1_000 });
    bot.loop.command({ kind: 'command', command: 'kill', reason: 'a test' });
    await world.runUntil('ours are gone', () => ordersAtVenue(world).length === 1);
    expect(ordersAtVenue(world)).toMatchObject([{ id: byHand }]);
    world.venue.faults.replace({ seed: 1, rules });
    await world.run(HOUR_MS + 300_000);
    expect(bot.view.alarms).toEqual([]);
  });
});
