import { describe, expect, test } from 'vitest';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { World } from '../support/simulation/world.js';

describe('a calm day', () => {
  test('it quotes, trades, stops, and both sides agree', async () => {
    const world = new World({ seed: 1 });
    const bot = await world.start();
    await world.run(60_000);
    expect(bot.view.phase).toBe('running');
    expect(bot.view.counts.fills).toBeGreaterThan(0);
    bot.stop();
    await world.runUntil('ended', () => bot.end !== null);
    expect(bot.end).toMatchObject({ outcome: 'clean' });
    expect(ordersAtVenue(world)).toEqual([]);
    expectAgreement(world, bot);
  });

  test('no create is one that the venue takes for a copy', async () => {
    const world = new World({ seed: 1 });
    const bot = await world.start();
    await world.run(60_000);
    expect(Object.keys(bot.view.counts.refusals)).not.toContain('wager_action_duplicated');
  });

  test('the same inputs bring the same decisions', async () => {
    const hashes: string[] = [];
    for (let round = 0; round < 2; round++) {
      const world = new World({ seed: 5 });
      const bot = await world.start();
      await world.run(20_000);
      expect(bot.view.counts.decisions).toBeGreaterThan(50);
      hashes.push(bot.engine.decisionHash);
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('a bot that has nothing to do sleeps', async () => {
    const world = new World({ exchange: (settings) => ({ ...settings, participants: [] }) });
    const bot = await world.start();
    await world.run(60_000);
    expect(bot.view.phase).toBe('running');
    expect(bot.view.counts.inputs['timer']).toBeLessThan(60);
    expect(world.transport.seen.length).toBeLessThan(60);
  });
});
