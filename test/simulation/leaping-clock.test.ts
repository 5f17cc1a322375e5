/**
 * Somebody sets the clock of the machine. While a create is under way: until when a request may take effect the venue's clock
 * says, by which it is dated; what ours says of it, before or after, proves nothing. While something is to last: it lasts.
 */
import { describe, expect, test } from 'vitest';
import { shares } from '../../src/domain/units.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { Machine } from '../support/simulation/host.js';
import { ALL_QUOTES, allShared, limited, ordersInRain } from '../support/simulation/scenes.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import type { SeenRequest } from '../support/simulation/virtual-transport.js';
import { RIVAL, World } from '../support/simulation/world.js';

const TEN_MINUTES_MS = 600_000;
const LATE_MS = 30_000;

/** What becomes of the clock: by how much it is set, and when. */
type Leaps = readonly (readonly [afterMs: number, byMs: number])[];

const STORIES: readonly (readonly [what: string, leaps: Leaps])[] = [
  ['stays right', []],
  ['is set forward by ten minutes', [[100, TEN_MINUTES_MS]]],
  ['is set back by ten minutes', [[100, -TEN_MINUTES_MS]]],
  [
    'is set forward and back again',
    [
      [100, TEN_MINUTES_MS],
      [8_000, -TEN_MINUTES_MS],
    ],
  ],
  ['is set forward when nobody answers any more', [[LATE_MS - 11_000, TEN_MINUTES_MS]]],
];

interface Late {
  readonly world: World;
  readonly machine: Machine;
  readonly bot: SimulatedBot;
}

/** A bot whose first create is on its way for so long. */
async function creatingLate({ aheadMs = 0, lateMs = LATE_MS } = {}): Promise<Late> {
  const world = World.quiet();
  const machine = new Machine(world.clock, { aheadMs, driftPpm: 0 });
  const bot = await world.start({ settings: allShared, host: machine.host() });
  world.transport.detours.set('batchCreate', lateMs);
  await world.runUntil('it left', () =>
    world.transport.seen.some(({ endpoint }) => endpoint === 'batchCreate'),
  );
  await world.run(1);
  world.transport.detours.clear();
  return { world, machine, bot };
}

async function live({ world, machine }: Late, leaps: Leaps): Promise<void> {
  const begun = world.now;
  for (const [afterMs, byMs] of leaps) {
    await world.run(afterMs - (world.now - begun) / 1_000);
    machine.jump(byMs);
  }
}

/** A stop that says it is clean leaves nothing. */
async function expectCleanEnd(world: World, bot: SimulatedBot): Promise<void> {
  bot.stop();
  await world.runUntil('ended', () => bot.end !== null, 200_000);
  expect([bot.end!.outcome, ordersAtVenue(world)]).toEqual(['clean', []]);
}

describe.each(STORIES)('a clock that %s while a create is under way', (_what, leaps) => {
  test('leaves nothing of it behind within the run', async () => {
    const late = await creatingLate();
    await live(late, leaps);
    await late.world.run(120_000);
    await expectCleanEnd(late.world, late.bot);
  });

  test('leaves nothing behind when the run is stopped meanwhile', async () => {
    const late = await creatingLate();
    late.bot.stop();
    await live(late, leaps);
    await expectCleanEnd(late.world, late.bot);
  });

  test.each([0, TEN_MINUTES_MS, -TEN_MINUTES_MS])(
    'leaves nothing to the next run of a machine that was wrong by %i ms',
    async (aheadMs) => {
      const late = await creatingLate({ aheadMs });
      late.bot.kill();
      await live(late, leaps);
      const { world, machine } = late;
      const bot = await world.start({ settings: allShared, host: machine.host() });
      await world.runUntil('it quotes', () => bot.view.phase === 'running', 120_000);
      await world.run(60_000);
      await expectCleanEnd(world, bot);
    },
  );
});

test('a leap that is shorter than the window does not shorten it', async () => {
  const late = await creatingLate({ lateMs: 58_000 });
  await live(late, [[100, 40_000]]);
  await late.world.run(120_000);
  await expectCleanEnd(late.world, late.bot);
});

const isListing = ({ endpoint }: SeenRequest): boolean => endpoint === 'orders';

test.each([1, 2, 3])('a leap after page %i of a listing makes no proof of it', async (page) => {
  const late = await creatingLate();
  const { world, machine, bot } = late;
  await world.run(11_000);
  const pages = (): number => world.transport.seen.filter(isListing).length;
  const before = pages();
  while (pages() < before + page) await world.run(1);
  machine.jump(TEN_MINUTES_MS);
  await world.run(120_000);
  await expectCleanEnd(world, bot);
});

test('one answer from a stray clock after the leap proves nothing either', async () => {
  const late = await creatingLate();
  const { world, machine, bot } = late;
  await world.run(11_000);
  machine.jump(TEN_MINUTES_MS);
  const stray = { on: 'GET /orders/', kind: 'clock_skew', nth: 1, ms: 90_000 } as const;
  world.venue.faults.replace({ seed: 1, rules: [stray] });
  await world.run(120_000);
  expect(world.struck.get('clock_skew')).toBe(1);
  await expectCleanEnd(world, bot);
});

test('quotes leave again once some answers have told by how much it leapt', async () => {
  const world = World.quiet();
  const machine = new Machine(world.clock, { aheadMs: 0, driftPpm: 0 });
  const bot = await world.start({ host: machine.host() });
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
  await world.run(5_000);
  machine.jump(TEN_MINUTES_MS);
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'long', price: 4_100, shares: 50_000 });
  await world.run(10_000);
  expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES);
  expectAgreement(world, bot);
});

describe.each([
  ['forward', TEN_MINUTES_MS],
  ['back', -TEN_MINUTES_MS],
])('a clock that is set %s by ten minutes', (_which, byMs) => {
  const COOL_DOWN_MS = 60_000;
  const breaker = limited((limits) => ({
    ...limits,
    fillBreaker: { ...limits.fillBreaker, maxShares: shares(10_00), coolDownMs: COOL_DOWN_MS, stepMs: 0 },
  }));

  test('neither ends a cool-down nor prolongs it', async () => {
    const world = World.quiet();
    const machine = new Machine(world.clock, { aheadMs: 0, driftPpm: 0 });
    const bot = await world.start({ host: machine.host(), settings: breaker });
    await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_900, shares: 1_500 });
    await world.run(5_000);
    machine.jump(byMs);
    for (let second = 5; second < COOL_DOWN_MS / 1_000; second++) {
      expect(ordersInRain({ world, bot })).toEqual([]);
      await world.run(1_000);
    }
    await world.run(10_000);
    expect(ordersInRain({ world, bot })).not.toEqual([]);
  });

  test('neither ends the silence that the venue asked for nor prolongs it', async () => {
    const world = World.quiet();
    const machine = new Machine(world.clock, { aheadMs: 0, driftPpm: 0 });
    await world.start({ host: machine.host() });
    await world.run(5_000);
    const throttled = { on: '* /orders/', kind: 'rate_limit', nth: 1, ms: 40_000 } as const;
    world.venue.faults.replace({ seed: 1, rules: [throttled] });
    await world.runUntil('it was turned away', () => world.struck.get('rate_limit') === 1);
    await world.run(1_000);
    // The feed asks for its private channel when it connects again, whatever is scheduled.
    const sent = () => world.transport.seen.filter(({ endpoint }) => endpoint !== 'authorizeChannel').length;
    const before = sent();
    machine.jump(byMs);
    await world.run(35_000);
    expect(sent()).toBe(before);
    await world.run(10_000);
    expect(sent()).toBeGreaterThan(before);
  });
});
