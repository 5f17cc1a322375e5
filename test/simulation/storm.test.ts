import { describe, expect, test } from 'vitest';
import { expectAgreement, expectNoSelfTrade, ordersAtVenue } from '../support/simulation/agreement.js';
import { CALM, STORM } from '../support/simulation/network.js';
import type { Scene } from '../support/simulation/scenes.js';
import { World } from '../support/simulation/world.js';
import type { FaultRule } from '../../src/venues/simulated/models/faults.js';

/** What the venue itself does now and then. */
const MISBEHAVIOUR: readonly FaultRule[] = [
  { on: 'POST /orders/batch/', kind: 'half_applied', probability: 0.02 },
  { on: 'POST /orders/batch/', kind: 'error_after', probability: 0.02 },
  { on: 'POST /orders/batch-update/', kind: 'half_applied', probability: 0.02 },
  { on: 'POST /orders/batch-cancel/', kind: 'error_before', probability: 0.03 },
  { on: 'GET /orders/', kind: 'empty_list', probability: 0.03 },
  { on: 'GET /markets/{id}/book/', kind: 'stale_book', probability: 0.2 },
  { on: 'GET /me/balances/', kind: 'html_answer', probability: 0.05 },
  { on: '* /orders/', kind: 'rate_limit', ms: 1_000, probability: 0.01 },
  { on: 'POST /orders/batch/', kind: 'slow_processing', ms: 400, probability: 0.1 },
];

/** After this nothing that was signed before can take effect any more, and everything was looked at again. */
const SETTLED_MS = 150_000;

async function storm(seed: number): Promise<Scene> {
  const world = new World({ seed });
  const bot = await world.start();
  await world.run(3_000);
  world.network.weather = STORM;
  world.venue.faults.replace({ seed, rules: MISBEHAVIOUR });
  for (let gust = 0; gust < 4; gust++) {
    await world.run(10_000);
    bot.line.lose('storm', 700);
    expectNoSelfTrade(world);
  }
  world.network.weather = CALM;
  world.venue.faults.replace({ seed, rules: [] });
  return { world, bot };
}

describe('after a storm', () => {
  test.each([1, 2, 3, 4, 5, 6])('both sides agree on everything (seed %i)', async (seed) => {
    const { world, bot } = await storm(seed);
    world.venue.close();
    await world.run(SETTLED_MS);
    expectAgreement(world, bot);
    expect(ordersAtVenue(world)).not.toEqual([]);
  });

  test.each([11, 12, 13, 14])('a stop ends clean, or says what is in doubt (seed %i)', async (seed) => {
    const { world, bot } = await storm(seed);
    bot.stop();
    await world.runUntil('ended', () => bot.end !== null, 120_000);
    const doubtful = bot.view.markets.flatMap(({ quotes }) => quotes.map(({ state }) => state));
    expect(new Set(doubtful)).toEqual(new Set(bot.end?.outcome === 'clean' ? [] : ['unknown']));
    expect(ordersAtVenue(world)).toEqual([]);
    expectNoSelfTrade(world);
  });

  test('the same seed brings the same decisions', async () => {
    const [first, second] = [await storm(21), await storm(21)];
    expect(second.bot.engine.decisionHash).toBe(first.bot.engine.decisionHash);
    expect(first.bot.view.counts.decisions).toBeGreaterThan(100);
  });
});
