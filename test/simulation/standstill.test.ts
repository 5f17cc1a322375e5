/** A process that stands still between a decision and the first byte of its request: what it knew is not to be relied on. */
import { expect, test } from 'vitest';
import { Machine } from '../support/simulation/host.js';
import { ALL_QUOTES, quotesIn } from '../support/simulation/scenes.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { RIVAL, World } from '../support/simulation/world.js';

/** Requests about orders die of age two seconds after they were decided. */
const STILL_IN_TIME_MS = 1_500;

interface Still {
  readonly world: World;
  readonly bot: SimulatedBot;
}

/** The book moves, the bot decides to follow, and stands still for so long before anything of that has left. */
async function standingStill(forMs: number): Promise<Still> {
  const world = World.quiet();
  const machine = new Machine(world.clock, { aheadMs: 0, driftPpm: 0 });
  const bot = await world.start({ host: machine.host() });
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
  await world.run(5_000);
  let isHanded = false;
  world.record.listen((entry) => {
    if (isHanded || entry.kind !== 'handed' || entry.letter.endpoint !== 'batchUpdate') return;
    isHanded = true;
    bot.host.freeze();
  });
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'long', price: 4_100, shares: 50_000 });
  await world.runUntil('it is about to follow', () => isHanded);
  await world.run(forMs);
  bot.host.thaw();
  return { world, bot };
}

const followed = ({ world }: Still): boolean =>
  world.transport.seen.some(({ endpoint }) => endpoint === 'batchUpdate');

test('a quote that was decided before does not leave, for the connection is given up first', async () => {
  const still = await standingStill(STILL_IN_TIME_MS);
  await still.world.run(1);
  expect(followed(still)).toBe(false);
  expect(still.bot.inputs.map(({ input }) => input)).toContainEqual({
    kind: 'link',
    state: 'lost',
    reason: expect.stringMatching(/stood still/) as string,
  });
  await still.world.run(10_000);
  expect([quotesIn(still.bot.view), ordersAtVenue(still.world).length]).toEqual([ALL_QUOTES, ALL_QUOTES]);
});

test('one that was decided a moment before leaves', async () => {
  const still = await standingStill(500);
  await still.world.run(1);
  expect(followed(still)).toBe(true);
});
