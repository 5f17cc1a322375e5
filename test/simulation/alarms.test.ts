/** What only a person can mend: strangers in our markets, a venue that turns everything away. */
import { describe, expect, test } from 'vitest';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, haltsIn, quoting, type Scene } from '../support/simulation/scenes.js';

const resume = ({ bot }: Scene): void => bot.loop.command({ kind: 'command', command: 'resume' });
const marketsAtVenue = ({ world }: Scene): number[] =>
  [...new Set(ordersAtVenue(world).map(({ marketId }) => Number(marketId)))].toSorted((a, b) => a - b);

describe('an order that nobody here placed', () => {
  test('halts its market, where every order is ours, until a person resumes', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    const stranger = world.byHand({ marketId: 1_001, price: 1_000 });
    await world.run(5_000);
    expect(haltsIn(bot.view)).toEqual({ 1001: 'unexplained-order', 2001: null, 2002: null });
    expect(marketsAtVenue(scene)).toEqual([2_001, 2_002]);
    expect(ordersAtVenue(world).map(({ id }) => id)).not.toContain(stranger);
    expect(bot.notices.find(({ code }) => code === 'order-unexplained')).toMatchObject({ level: 'error' });
    await world.run(60_000);
    expect(haltsIn(bot.view)[1_001]).toBe('unexplained-order');
    resume(scene);
    await world.runUntil('it quotes again', () => ordersAtVenue(world).length === ALL_QUOTES);
    expectAgreement(world, bot);
  });

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
  const PATHS = [
    '/orders/',
    '/orders/{a}/',
    '/wagers/',
    '/me/balances/',
    '/events/{a}/',
    '/markets/{a}/book/',
  ];
  const rules = PATHS.map(
    (path) => ({ on: `* ${path}`, kind: 'rate_limit', ms: 60_000, probability: 1 }) as const,
  );

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
});
