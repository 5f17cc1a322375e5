/** Guards of a market: closes ahead, one-sided fills, fills that go wrong, resolutions that are taken back. */
import * as ids from '../../src/domain/ids.js';
import * as listed from '../../src/exchange/contract/ids.js';
import { describe, expect, test } from 'vitest';
import { eventId } from '../../src/exchange/contract/ids.js';
import { type Micros, money, shares } from '../../src/domain/units.js';
import type { EngineOptions, PreClosing } from '../../src/core/engine/options.js';
import type { BotSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import {
  ALL_QUOTES,
  allShared,
  bidInRain,
  haltsIn,
  type Limits,
  limited,
  ordersInRain,
  quotedBy,
  quoting,
  RAIN_YES,
  type Scene,
} from '../support/simulation/scenes.js';
import { MAKER, RIVAL, World } from '../support/simulation/world.js';

const RAIN = eventId(100);

const closing =
  (changes: Partial<PreClosing>) =>
  (options: EngineOptions): EngineOptions => ({
    ...options,
    quoting: { ...options.quoting, preClose: { ...options.quoting.preClose, ...changes } },
  });
const sideOf = (scene: Scene) =>
  scene.bot.view.markets.find(({ marketId: id }) => id === RAIN_YES)!.quotes.map(({ side }) => side);
/** Somebody sells so many shares into our bids, or buys from our asks. */
const hit = ({ world }: Scene, side: 'bids' | 'asks', whole: number): void =>
  void world.place(RIVAL, {
    marketId: 1_001,
    side: 'bid',
    position: side === 'bids' ? 'short' : 'long',
    price: 5_900,
    shares: whole * 100,
  });
const resume = ({ bot }: Scene): void => bot.loop.command({ kind: 'command', command: 'resume' });

describe('a close ahead', () => {
  test('is met in steps: wider, smaller, only reducing, out', async () => {
    const steps = { widenMs: 40_000, widenTicks: 2, shrinkMs: 30_000, reduceOnlyMs: 20_000, outMs: 5_000 };
    const scene = await quoting({ engine: closing(steps) });
    const { world, bot } = scene;
    const widest = (): number =>
      Math.max(...bot.view.markets[0]!.quotes.map(({ price }) => Math.abs(price - 5_000)));
    const before = widest();
    const betEnd = (world.now + 50_000_000) as Micros;
    world.venue.execute({ kind: 'set-market-status', marketId: listed.marketId(RAIN_YES), betEnd });
    await world.run(12_000);
    expect(widest()).toBe(before + 200);
    await world.run(10_000);
    expect(bidInRain(scene)).toBe(10);
    hit(scene, 'bids', 3);
    await world.run(10_000);
    expect(new Set(sideOf(scene))).toEqual(new Set(['ask']));
    await world.run(14_000);
    expect(ordersInRain(scene)).toEqual([]);
    expect(haltsIn(bot.view)[1_001]).toBe('closing-soon');
    expectAgreement(world, bot);
  });

  test('is the start of the event and live play, too', async () => {
    const scene = await quoting();
    const { world, bot } = scene;
    world.venue.execute({ kind: 'set-live', eventId: RAIN, isLive: true, extraData: null });
    await world.run(1_000);
    expect([haltsIn(bot.view)[1_001], ordersInRain(scene)]).toEqual(['event-live', []]);
    world.venue.execute({ kind: 'set-live', eventId: RAIN, isLive: false, extraData: null });
    await world.runUntil('it quotes again', () => ordersInRain(scene).length === 4);
    const { now } = world;
    bot.line.deliver('live-data-update', 'event-100', JSON.stringify(liveData(now + 10_000_000)));
    await world.run(7_500);
    expect(ordersInRain(scene)).toHaveLength(4);
    await world.run(1_500);
    expect([haltsIn(bot.view)[1_001], ordersInRain(scene)]).toEqual(['closing-soon', []]);
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES - 4);
    expectAgreement(world, bot);
  });

  test('that news may make is left, and returned to after it', async () => {
    const world = World.quiet();
    const news = { from: (world.now + 30_000_000) as Micros, to: (world.now + 60_000_000) as Micros };
    const engine = (options: EngineOptions): EngineOptions => ({
      ...options,
      informationWindows: new Map([[ids.eventId(RAIN), [news]]]),
    });
    const scene = { world, bot: await world.start({ engine }) };
    await world.run(27_000);
    expect(ordersInRain(scene)).toHaveLength(4);
    await world.run(4_000);
    expect([haltsIn(scene.bot.view)[1_001], ordersInRain(scene)]).toEqual(['information-window', []]);
    await world.run(32_000);
    expect(ordersInRain(scene)).toHaveLength(4);
  });

  test('withdraws before the strategy is asked: it never sees a closed market', async () => {
    const statuses: string[] = [];
    const watching = {
      name: 'watching',
      params: {},
      quote: ({ event }: { readonly event: { readonly status: string } }) => {
        statuses.push(event.status);
        return { bids: [{ price: 0.42, shares: 10, reason: [] }], asks: [] };
      },
    };
    const world = World.quiet();
    const scene = { world, bot: await world.start({ engine: quotedBy('rain', watching) }) };
    await world.runUntil('it quotes', () => ordersInRain(scene).length === 1);
    hit(scene, 'bids', 1);
    world.venue.execute({ kind: 'set-event-status', eventId: RAIN, status: 'paused' });
    await world.run(5_000);
    expect(ordersInRain(scene)).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set(['open']));
  });
});

/** A `live-data-update` that states when the event starts. */
const liveData = (startsAt: number) => ({
  id: 100,
  status: 'open',
  resolution: null,
  resolve_date: null,
  event_start_date: new Date(startsAt / 1_000).toISOString(),
  event_end_date: null,
  event_extra_data: null,
  is_live: false,
});

describe('one-sided fills', () => {
  const breaker = limited((limits) => ({
    ...limits,
    fillBreaker: { ...limits.fillBreaker, maxShares: shares(10_00), coolDownMs: 10_000, stepMs: 5_000 },
  }));

  test('withdraw a market until the cool-down is over; sizes come back step by step', async () => {
    const scene = await quoting({ settings: breaker });
    const { world, bot } = scene;
    hit(scene, 'bids', 15);
    await world.run(1_000);
    expect([haltsIn(bot.view)[1_001], ordersInRain(scene)]).toEqual(['fill-breaker', []]);
    expect(bot.noticeCodes).toContain('fill-breaker');
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES - 4);
    await world.run(11_000);
    expect(bidInRain(scene)).toBe(5);
    await world.run(5_000);
    expect(bidInRain(scene)).toBe(10);
    await world.run(11_000);
    expect(bidInRain(scene)).toBe(20);
    expectAgreement(world, bot);
  });

  test('are none of the bot where a person trades in a market that is shared', async () => {
    const { world, bot } = await quoting({ settings: (before) => allShared(breaker(before)) });
    await world.run(1_000);
    world.place(MAKER, { marketId: 1_001, side: 'bid', position: 'long', price: 5_000, shares: 1_500 });
    await world.run(1_000);
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_000, shares: 1_500 });
    await world.run(1_000);
    expect(haltsIn(bot.view)[1_001]).toBeNull();
    expect(bot.noticeCodes).not.toContain('fill-breaker');
    expect(bot.view.markets[0]!.inventory).toMatchObject({ long: 1_500 });
  });

  test('withdraw an event whose markets several instances quote', async () => {
    const settings = (of: BotSettings): BotSettings => {
      const [rain, cup] = breaker(of).instances;
      const ashford = { ...cup!, name: 'ashford', markets: [ids.marketId(2_001)] };
      const brackley = { ...cup!, name: 'brackley', markets: [ids.marketId(2_002)] };
      return { ...of, instances: [rain!, ashford, brackley] };
    };
    const { world, bot } = await quoting({ settings });
    for (const market of [2_001, 2_002])
      world.place(RIVAL, { marketId: market, side: 'bid', position: 'short', price: 5_900, shares: 600 });
    await world.run(1_000);
    expect(haltsIn(bot.view)).toEqual({ 1001: null, 2001: 'fill-breaker', 2002: 'fill-breaker' });
    expect(ordersAtVenue(world).every(({ marketId: id }) => String(id) === RAIN_YES)).toBe(true);
    expectAgreement(world, bot);
  });

  test('and a person who resumes ends the cool-down', async () => {
    const scene = await quoting({ settings: breaker });
    hit(scene, 'bids', 15);
    await scene.world.run(1_000);
    resume(scene);
    await scene.world.run(1_000);
    expect(haltsIn(scene.bot.view)[1_001]).toBeNull();
    expect(ordersInRain(scene)).not.toEqual([]);
  });
});

describe('a restart', () => {
  const again = async (
    { world, bot }: Scene,
    settings?: (of: BotSettings) => BotSettings,
    whileDown: () => void = () => undefined,
  ): Promise<Scene> => {
    const { riskState, ended } = bot.engine;
    const kept = JSON.parse(JSON.stringify({ riskState, ended })) as Pick<
      EngineOptions,
      'riskState' | 'ended'
    >;
    bot.kill();
    whileDown();
    const engine = (options: EngineOptions): EngineOptions => ({ ...options, ...kept });
    return { world, bot: await world.start({ engine, ...(settings !== undefined && { settings }) }) };
  };

  test('does not end a cool-down', async () => {
    const settings = limited((limits) => ({
      ...limits,
      fillBreaker: { ...limits.fillBreaker, maxShares: shares(10_00), coolDownMs: 30_000, stepMs: 5_000 },
    }));
    const before = await quoting({ settings });
    hit(before, 'bids', 15);
    await before.world.run(1_000);
    expect(before.bot.engine.riskState.coolDowns).toMatchObject([{ scope: 'market', marketId: RAIN_YES }]);
    const after = await again(before, settings);
    await after.world.run(20_000);
    expect([haltsIn(after.bot.view)[1_001], ordersInRain(after)]).toEqual(['fill-breaker', []]);
    await after.world.run(11_000);
    expect(bidInRain(after)).toBe(5);
    expect(after.bot.engine.riskState.coolDowns).toHaveLength(1);
    await after.world.run(40_000);
    expect(after.bot.engine.riskState).toMatchObject({ coolDowns: [], markOuts: [], reversed: [] });
    expectAgreement(after.world, after.bot);
  });

  test('forgives no loss: what runs before have lost and what this one loses are one sum', async () => {
    const settings = limited((limits) => ({ ...limits, maxLoss: money(10_000_000) }));
    const losses = [{ currency: 'OOM', lost: money(9_900_000), fell: money(0) }] as const;
    const engine = (options: EngineOptions): EngineOptions => ({
      ...options,
      riskState: { ...options.riskState, losses },
    });
    const scene = await quoting({ settings, engine });
    const { world, bot } = scene;
    expect(bot.engine.riskState.losses).toEqual(losses);
    hit(scene, 'bids', 15);
    await world.run(200);
    const position = 'short' as const;
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position, price: 5_300, shares: 50_000 });
    await world.run(3_000);
    expect(bot.engine.killed?.reason).toContain('loss limit');
    expect(bot.view.profit).toBeGreaterThan(-5_000_000);
    const again = bot.engine.riskState.losses;
    expect(again[0]!.lost).toBeGreaterThan(10_000_000);
    resume(scene);
    expect(bot.engine.riskState.losses).toEqual([]);
  });

  test('is not a person who resumes after a reversal', async () => {
    const before = await quoting();
    const { venue } = before.world;
    const resolutions = [{ marketId: listed.marketId(RAIN_YES), resolution: 'long' as const }];
    venue.execute({ kind: 'resolve-event', eventId: RAIN, resolutions });
    await before.world.run(1_000);
    venue.execute({ kind: 'reverse-event', eventId: RAIN });
    await before.world.run(1_000);
    venue.execute({ kind: 'set-event-status', eventId: RAIN, status: 'open' });
    venue.execute({ kind: 'set-market-status', marketId: listed.marketId(RAIN_YES), status: 'active' });
    await before.world.run(2_000);
    const after = await again(before);
    await after.world.run(10_000);
    expect([haltsIn(after.bot.view)[1_001], ordersInRain(after)]).toEqual(['after-reversal', []]);
    resume(after);
    expect(after.bot.engine.riskState.reversed).toEqual([]);
  });

  const resolve = ({ world }: Scene, resolution: 'long' | 'short'): void =>
    void world.venue.execute({
      kind: 'resolve-event',
      eventId: RAIN,
      resolutions: [{ marketId: listed.marketId(RAIN_YES), resolution }],
    });
  const reverse = ({ world: { venue } }: Scene): void => {
    venue.execute({ kind: 'reverse-event', eventId: RAIN });
    venue.execute({ kind: 'set-event-status', eventId: RAIN, status: 'open' });
    venue.execute({ kind: 'set-market-status', marketId: listed.marketId(RAIN_YES), status: 'active' });
  };
  const without = (settings: BotSettings): BotSettings => ({
    ...settings,
    instances: settings.instances.filter(({ markets }) => !markets.includes(RAIN_YES)),
    events: settings.events.filter(({ id }) => id !== String(RAIN)),
  });

  test('notices what was reversed while nobody looked on', async () => {
    const before = await quoting();
    resolve(before, 'long');
    await before.world.run(1_000);
    const after = await again(before, undefined, () => reverse(before));
    before.world.makeBook();
    await after.world.run(10_000);
    expect([haltsIn(after.bot.view)[1_001], ordersInRain(after)]).toEqual(['after-reversal', []]);
    expect(after.bot.engine.riskState.reversed).toEqual([RAIN_YES]);
    resume(after);
    await after.world.runUntil('it quotes again', () => ordersInRain(after).length === 4);
  });

  test('notices what was resolved otherwise while nobody looked on, and is then reopened', async () => {
    const before = await quoting();
    resolve(before, 'long');
    await before.world.run(1_000);
    const after = await again(before, undefined, () => {
      reverse(before);
      resolve(before, 'short');
    });
    await after.world.run(5_000);
    expect(after.bot.engine.riskState.reversed).toEqual([RAIN_YES]);
    expect(after.bot.engine.ended).toEqual([{ marketId: RAIN_YES, resolution: 'short' }]);
  });

  test('with the same ending is none', async () => {
    const before = await quoting();
    resolve(before, 'long');
    await before.world.run(1_000);
    const after = await again(before);
    await after.world.run(5_000);
    expect([after.bot.engine.riskState.reversed, haltsIn(after.bot.view)[1_001]]).toEqual([
      [],
      'event-resolved',
    ]);
  });

  test('of a configuration that leaves the market out forgets nothing of it', async () => {
    const before = await quoting();
    resolve(before, 'long');
    await before.world.run(1_000);
    reverse(before);
    await before.world.run(1_000);
    const between = await again(before, without);
    await between.world.run(5_000);
    const after = await again(between);
    await after.world.run(10_000);
    expect([haltsIn(after.bot.view)[1_001], ordersInRain(after)]).toEqual(['after-reversal', []]);
  });
});

test('fills that go wrong reduce the size and then stop the market', async () => {
  const settings = limited((limits) => ({
    ...limits,
    maxPositionShares: shares(1_000_00),
    markOut: { ...limits.markOut, fills: 1, horizonMs: 1_000, maxLoss: 50 as Limits['priceCollar'] },
  }));
  const scene = await quoting({ settings });
  const { world, bot } = scene;
  /** Takes our best bid, and then the foreign book falls. */
  const runOver = async (foreignAsk: number): Promise<void> => {
    hit(scene, 'bids', 1);
    await world.run(200);
    // Behind our bids, which it must not take.
    const position = 'short' as const;
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position, price: 10_000 - foreignAsk, shares: 2_000 });
    await world.run(3_000);
  };
  await runOver(4_900);
  expect(bot.noticeCodes).toContain('mark-out-reduced');
  expect(bidInRain(scene)).toBe(10);
  await runOver(4_300);
  expect(bot.noticeCodes).toContain('mark-out-stopped');
  expect(haltsIn(bot.view)[1_001]).toBe('mark-out');
  expect(ordersInRain(scene)).toEqual([]);
  resume(scene);
  await world.run(1_000);
  expect(haltsIn(bot.view)[1_001]).toBeNull();
});

test('fills that come faster than they are judged reduce the size and stop the market at their horizon', async () => {
  const settings = limited((limits) => ({
    ...limits,
    maxPositionShares: shares(1_000_00),
    markOut: { ...limits.markOut, fills: 2, horizonMs: 10_000, maxLoss: 50 as Limits['priceCollar'] },
  }));
  const scene = await quoting({ settings });
  const { world, bot } = scene;
  for (let fill = 0; fill < 5; fill += 1) {
    hit(scene, 'bids', 1);
    await world.run(200);
  }
  expect(bot.view.counts.fills).toBe(5);
  const position = 'short' as const;
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position, price: 5_100, shares: 2_000 });
  await world.run(8_500);
  expect(haltsIn(bot.view)[1_001]).toBeNull();
  await world.run(2_500);
  expect(bot.noticeCodes.filter((code) => code.startsWith('mark-out'))).toEqual([
    'mark-out-reduced',
    'mark-out-stopped',
  ]);
  expect([haltsIn(bot.view)[1_001], ordersInRain(scene)]).toEqual(['mark-out', []]);
});

test('after a reversal a market stays halted until a person resumes', async () => {
  const scene = await quoting();
  const { world, bot } = scene;
  const resolutions = [{ marketId: listed.marketId(RAIN_YES), resolution: 'long' as const }];
  world.venue.execute({ kind: 'resolve-event', eventId: RAIN, resolutions });
  await world.run(1_000);
  expect(haltsIn(bot.view)[1_001]).toBe('event-resolved');
  world.venue.execute({ kind: 'reverse-event', eventId: RAIN });
  await world.run(1_000);
  world.venue.execute({ kind: 'set-event-status', eventId: RAIN, status: 'open' });
  world.venue.execute({ kind: 'set-market-status', marketId: listed.marketId(RAIN_YES), status: 'active' });
  await world.run(5_000);
  expect([haltsIn(bot.view)[1_001], ordersInRain(scene)]).toEqual(['after-reversal', []]);
  for (const position of ['long', 'short'] as const)
    world.place(RIVAL, { marketId: 1_001, side: 'bid', position, price: 4_000, shares: 50_000 });
  resume(scene);
  await world.runUntil('it quotes again', () => ordersInRain(scene).length === 4);
  expectAgreement(world, bot);
});
