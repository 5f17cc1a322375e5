/** What the bot counts against the allowance of its key is what left: the venue counts calls, whatever they were for. */
import { expect, test } from 'vitest';
import type { EngineOptions } from '../../src/core/engine/options.js';
import { userChannel } from '../../src/venues/futuur/protocol/realtime/channels.js';
import { Machine } from '../support/simulation/host.js';
import type { Scene } from '../support/simulation/scenes.js';
import { MAKER, World } from '../support/simulation/world.js';

const PER_DAY = 1_000_000;
/** The question whose keys these are. */
const NOT_IN_THE_POST = 1;

async function quotingWithin(machine: Machine, world: World): Promise<Scene> {
  const settings = (of: World['botSettings']) => ({ ...of, guard: { ...of.guard, publicKey: 'its own' } });
  const bot = await world.start({ host: machine.host(), settings });
  await world.run(5_000);
  return { world, bot };
}

const left = ({ bot }: Scene): number => bot.engine.requestsLeftToday;

test('a call that was signed again after its time was refused counts twice', async () => {
  const world = World.quiet();
  const machine = new Machine(world.clock, { aheadMs: 90_000, driftPpm: 0 });
  const statuses: number[] = [];
  world.record.listen((entry) => {
    if (entry.kind === 'answered') statuses.push(entry.answer?.status ?? 0);
  });
  const scene = await quotingWithin(machine, world);
  await world.run(60_000);
  expect(statuses).toContain(401);
  expect(left(scene)).toBe(PER_DAY - NOT_IN_THE_POST - world.transport.seen.length);
});

test('so does every time that a channel is asked for which the venue refuses', async () => {
  const world = World.quiet();
  const machine = new Machine(world.clock, { aheadMs: 0, driftPpm: 0 });
  const scene = await quotingWithin(machine, world);
  for (const channel of [userChannel(MAKER), 'event-100']) scene.bot.line.refused.add(channel);
  scene.bot.line.lose('a test', 0);
  await world.run(10_000);
  const asked = world.transport.seen.filter(({ endpoint }) => endpoint === 'authorizeChannel');
  expect(asked.length).toBeGreaterThan(2);
  // What follows the last refusal is counted with it.
  expect(left(scene)).toBe(PER_DAY - NOT_IN_THE_POST - 1 - world.transport.seen.length);
});

test('and so did the question whose keys these are, where it was signed again', async () => {
  const world = World.quiet();
  const engine = (options: EngineOptions): EngineOptions => ({ ...options, callsBefore: 2 });
  const settings = (of: World['botSettings']) => ({ ...of, guard: { ...of.guard, publicKey: 'its own' } });
  const bot = await world.start({ engine, settings });
  await world.run(1_000);
  expect(bot.engine.requestsLeftToday).toBe(PER_DAY - 1 - NOT_IN_THE_POST - world.transport.seen.length);
});
