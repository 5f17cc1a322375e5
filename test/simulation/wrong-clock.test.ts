/** A machine whose clock is wrong, or is set while the bot runs: dates of the venue come when the venue's clock says so. */
import * as ids from '../../src/domain/ids.js';
import * as listed from '../../src/exchange/contract/ids.js';
import { describe, expect, test } from 'vitest';
import { eventId } from '../../src/exchange/contract/ids.js';
import type { Micros } from '../../src/domain/units.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { Machine } from '../support/simulation/host.js';
import {
  ALL_QUOTES,
  haltsIn,
  ordersInRain,
  quotedBy,
  RAIN_YES,
  type Scene,
} from '../support/simulation/scenes.js';
import { type BotChanges, World } from '../support/simulation/world.js';

const RAIN = eventId(100);
const SECOND = 1_000_000;
const TEN_MINUTES_MS = 600_000;
const LIFETIME_MS = 120_000;

const WRONG = [
  ['ten minutes ahead', TEN_MINUTES_MS],
  ['ten minutes behind', -TEN_MINUTES_MS],
] as const;

interface ClockScene extends Scene {
  readonly machine: Machine;
}

async function quotingBy(aheadMs: number, changes: BotChanges = {}, world = World.quiet()) {
  const machine = new Machine(world.clock, { aheadMs, driftPpm: 0 });
  const bot = await world.start({ ...changes, host: machine.host() });
  const scene: ClockScene = { world, bot, machine };
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
  return scene;
}

const endBetting = ({ world }: Scene, inMs: number): void =>
  void world.venue.execute({
    kind: 'set-market-status',
    marketId: listed.marketId(RAIN_YES),
    betEnd: (world.now + inMs * 1_000) as Micros,
  });

/** Quoted until two seconds before, and then no more. */
async function expectLeftInTenSeconds(scene: Scene): Promise<void> {
  const { world, bot } = scene;
  await world.run(7_500);
  expect(ordersInRain(scene)).toHaveLength(4);
  await world.run(1_500);
  expect([haltsIn(bot.view)[RAIN_YES], ordersInRain(scene)]).toEqual(['closing-soon', []]);
}

const expiring = (options: EngineOptions): EngineOptions => ({
  ...options,
  quoting: { ...options.quoting, expiryMs: LIFETIME_MS },
});

/** Until the venue ends each order. */
const secondsLeft = ({ world }: Scene): number[] =>
  ordersAtVenue(world).map(({ expiresAt }) => (expiresAt! - world.now) / SECOND);

describe.each(WRONG)('a clock that is %s', (_which, aheadMs) => {
  test('leaves a market before its betting ends', async () => {
    const scene = await quotingBy(aheadMs);
    endBetting(scene, 10_000);
    await expectLeftInTenSeconds(scene);
    expect(ordersAtVenue(scene.world)).toHaveLength(ALL_QUOTES - 4);
    expectAgreement(scene.world, scene.bot);
  });

  test('leaves it before the start of its event', async () => {
    const scene = await quotingBy(aheadMs);
    const starts = new Date(scene.world.now / 1_000 + 10_000).toISOString();
    scene.bot.line.deliver('live-data-update', 'event-100', JSON.stringify(liveData(starts)));
    await expectLeftInTenSeconds(scene);
  });

  test('leaves it before a window of news, and comes back after it', async () => {
    const world = World.quiet();
    const news = { from: (world.now + 60 * SECOND) as Micros, to: (world.now + 90 * SECOND) as Micros };
    const engine = (options: EngineOptions): EngineOptions => ({
      ...options,
      informationWindows: new Map([[ids.eventId(RAIN), [news]]]),
    });
    const scene = await quotingBy(aheadMs, { engine }, world);
    await world.run((news.from - world.now) / 1_000 - 3_000);
    expect(ordersInRain(scene)).toHaveLength(4);
    await world.run(2_000);
    expect(ordersInRain(scene)).toEqual([]);
    await world.run(28_000);
    expect([haltsIn(scene.bot.view)[RAIN_YES], ordersInRain(scene)]).toEqual(['information-window', []]);
    await world.run(5_000);
    expect(ordersInRain(scene)).toHaveLength(4);
  });

  test('waits for the beginning of a bet window', async () => {
    const scene = await quotingBy(aheadMs);
    const { world, bot } = scene;
    const opens = new Date(world.now / 1_000 + 20_000).toISOString();
    const told = { event_id: 100, market_id: Number(RAIN_YES), status: 'active', bet_start_date: opens };
    bot.line.deliver('market-status-change', 'event-100', JSON.stringify(told));
    await world.run(15_000);
    expect([haltsIn(bot.view)[RAIN_YES], ordersInRain(scene)]).toEqual(['before-bet-window', []]);
    await world.run(10_000);
    expect(ordersInRain(scene)).toHaveLength(4);
  });

  test('states an expiry that is at least two minutes ahead, and renews it in time', async () => {
    const scene = await quotingBy(aheadMs, { engine: expiring });
    expect(Math.min(...secondsLeft(scene))).toBeGreaterThanOrEqual(120);
    for (let second = 0; second < 150; second++) {
      await scene.world.run(1_000);
      expect(secondsLeft(scene)).toHaveLength(ALL_QUOTES);
      expect(Math.min(...secondsLeft(scene))).toBeGreaterThan(20);
      expect(Math.max(...secondsLeft(scene))).toBeLessThan(128);
    }
  });

  test('tells a strategy how long the market has still to go', async () => {
    const seen: (number | null)[] = [];
    const watching = {
      name: 'watching',
      params: {},
      quote: ({ event }: { readonly event: { readonly msToClose: number | null } }) => {
        seen.push(event.msToClose);
        return { bids: [{ price: 0.42, shares: 10, reason: [] }], asks: [] };
      },
    };
    const world = World.quiet();
    const machine = new Machine(world.clock, { aheadMs, driftPpm: 0 });
    const bot = await world.start({ host: machine.host(), engine: quotedBy('rain', watching) });
    const scene = { world, bot };
    await world.runUntil('it quotes', () => ordersInRain(scene).length === 1);
    endBetting(scene, 60_000);
    await world.run(1_000);
    expect(Math.abs(seen.at(-1)! - 60_000)).toBeLessThan(2_000);
  });
});

describe('a clock that is set while quotes stand', () => {
  const SET = [
    ['forward', TEN_MINUTES_MS],
    ['back', -TEN_MINUTES_MS],
  ] as const;

  test.each(SET)(
    '%s by ten minutes, leaves no expiry long that lies far ahead or runs out',
    async (_which, byMs) => {
      const scene = await quotingBy(0, { engine: expiring });
      await scene.world.run(30_000);
      scene.machine.jump(byMs);
      await scene.world.run(60_000);
      for (let second = 0; second < 150; second++) {
        await scene.world.run(1_000);
        expect(secondsLeft(scene)).toHaveLength(ALL_QUOTES);
        expect(Math.min(...secondsLeft(scene))).toBeGreaterThan(20);
        expect(Math.max(...secondsLeft(scene))).toBeLessThan(128);
      }
    },
  );

  test.each(SET)('%s by ten minutes, neither stays away from a market nor in it', async (_which, byMs) => {
    const scene = await quotingBy(0);
    const { world, machine } = scene;
    endBetting(scene, 300_000);
    await world.run(5_000);
    machine.jump(byMs);
    await world.run(120_000);
    expect(ordersInRain(scene)).toHaveLength(4);
    await world.run(172_000);
    expect(ordersInRain(scene)).toHaveLength(4);
    await world.run(2_900);
    expect(ordersInRain(scene)).toEqual([]);
  });
});

test('an answer with a date of its own moves no close', async () => {
  const scene = await quotingBy(0);
  const { world, bot } = scene;
  endBetting(scene, 60_000);
  await world.run(10_000);
  const stray = { on: 'GET /markets/{id}/book/', kind: 'clock_skew', nth: 1, ms: 90_000 } as const;
  world.venue.faults.replace({ seed: 1, rules: [stray] });
  await world.runUntil('it struck', () => world.struck.get('clock_skew') === 1, 40_000);
  await world.run(100);
  expect([haltsIn(bot.view)[RAIN_YES], ordersInRain(scene).length]).toEqual([null, 4]);
});

/** A `live-data-update` that states when the event starts. */
const liveData = (startsAt: string) => ({
  id: 100,
  status: 'open',
  resolution: null,
  resolve_date: null,
  event_start_date: startsAt,
  event_end_date: null,
  event_extra_data: null,
  is_live: false,
});
