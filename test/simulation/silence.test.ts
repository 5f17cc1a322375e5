/** A private channel that falls silent although public frames flow. */
import { describe, expect, test } from 'vitest';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, haltsIn, quoting, type Scene } from '../support/simulation/scenes.js';
import { RIVAL } from '../support/simulation/world.js';

const SILENT = 'private-feed-silent';

/** Everything is quoted, somebody takes from it, and the venue tells private channels nothing from now on. */
async function muted(): Promise<Scene> {
  const scene = await quoting();
  const rule = { on: 'ws', kind: 'mute_private', ms: 60_000, probability: 1 } as const;
  scene.world.venue.faults.replace({ seed: 1, rules: [rule] });
  scene.world.place(RIVAL, {
    marketId: 1_001,
    side: 'bid',
    position: 'short',
    price: 5_200,
    shares: 1_300,
  });
  return scene;
}
const connectionsOf = ({ bot }: Scene): number => bot.view.counts.resyncs;

describe('a private channel that is silent', () => {
  test('has everything withdrawn, and is joined anew over another connection', async () => {
    const scene = await muted();
    await scene.world.runUntil('it is noticed', () => scene.bot.noticeCodes.includes(SILENT));
    await scene.world.run(1_000);
    expect(Object.values(haltsIn(scene.bot.view))).toEqual([SILENT, SILENT, SILENT]);
    expect(ordersAtVenue(scene.world)).toEqual([]);
    expect(connectionsOf(scene)).toBe(1);
    await scene.world.run(10_000);
    expect(connectionsOf(scene)).toBe(2);
  });

  test('is quoted on again once it speaks, though nothing stands that it could speak of', async () => {
    const scene = await muted();
    const { world, bot } = scene;
    await world.run(20_000);
    world.venue.faults.replace({ seed: 1, rules: [] });
    await world.runUntil('all is quoted again', () => ordersAtVenue(world).length === ALL_QUOTES, 120_000);
    await world.run(10_000);
    expectAgreement(world, bot);
  });
});
