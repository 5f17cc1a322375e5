/** A person pauses, widens and resumes markets, events and instances. */
import { expect, test } from 'vitest';
import { eventId } from '../../src/domain/ids.js';
import type { OperatorCommand, QuoteScope } from '../../src/domain/inputs.js';
import { micros } from '../../src/domain/units.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import { NO_RISK_STATE } from '../../src/core/risk/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import {
  ALL_QUOTES,
  haltsIn,
  ordersInRain,
  quotesIn,
  quoting,
  RAIN_YES,
  type Scene,
} from '../support/simulation/scenes.js';
import { World } from '../support/simulation/world.js';

type Told = Extract<OperatorCommand, { readonly command: 'pause' | 'widen' | 'unpause' }>;
type Omitted<Command> = Command extends Told ? Omit<Command, 'kind' | 'by'> : never;

const tell = ({ bot }: Scene, command: Omitted<Told>): void =>
  bot.loop.command({ kind: 'command', by: 'ann', ...command });

const RAIN: QuoteScope = { kind: 'market', marketId: RAIN_YES };
const RAIN_EVENT: QuoteScope = { kind: 'event', eventId: eventId(100) };
const RAIN_INSTANCE: QuoteScope = { kind: 'instance', instance: 'rain' };

const widest = ({ bot }: Scene): number =>
  Math.max(...bot.view.markets[0]!.quotes.map(({ price }) => Math.abs(price - 5_000)));

test.each([
  ['a market', RAIN],
  ['an event', RAIN_EVENT],
  ['an instance', RAIN_INSTANCE],
])('%s is paused alone, and quoted again once it is resumed', async (_what, scope) => {
  const scene = await quoting();
  tell(scene, { command: 'pause', scope, forMs: null });
  await scene.world.run(5_000);
  expect(ordersInRain(scene)).toEqual([]);
  expect(haltsIn(scene.bot.view)).toMatchObject({ 1001: 'paused', 2001: null });
  expect(quotesIn(scene.bot.view)).toBe(4);
  tell(scene, { command: 'unpause', scope });
  await scene.world.runUntil('it is quoted again', () => ordersAtVenue(scene.world).length === ALL_QUOTES);
  await scene.world.run(1_000);
  expectAgreement(scene.world, scene.bot);
});

test('a pause for a time ends by itself', async () => {
  const scene = await quoting();
  tell(scene, { command: 'pause', scope: { kind: 'all' }, forMs: 10_000 });
  await scene.world.run(8_000);
  expect(quotesIn(scene.bot.view)).toBe(0);
  await scene.world.run(4_000);
  expect(quotesIn(scene.bot.view)).toBe(ALL_QUOTES);
});

test('quotes stand further away while a market is widened', async () => {
  const scene = await quoting();
  const before = widest(scene);
  tell(scene, { command: 'widen', scope: RAIN, ticks: 3 });
  await scene.world.run(5_000);
  expect(widest(scene)).toBe(before + 300);
  tell(scene, { command: 'widen', scope: RAIN, ticks: 0 });
  await scene.world.run(5_000);
  expect(widest(scene)).toBe(before);
});

test('resuming a wider scope ends what was said of a market in it, and not the other way round', async () => {
  const scene = await quoting();
  tell(scene, { command: 'pause', scope: RAIN, forMs: null });
  tell(scene, { command: 'pause', scope: RAIN_EVENT, forMs: null });
  tell(scene, { command: 'unpause', scope: RAIN });
  await scene.world.run(2_000);
  expect(haltsIn(scene.bot.view)).toMatchObject({ 1001: 'paused' });
  tell(scene, { command: 'pause', scope: RAIN, forMs: null });
  tell(scene, { command: 'unpause', scope: RAIN_EVENT });
  await scene.world.run(5_000);
  expect(haltsIn(scene.bot.view)).toMatchObject({ 1001: null });
});

test('a scope that is not quoted is told of, and nothing changes', async () => {
  const scene = await quoting();
  tell(scene, { command: 'pause', scope: { kind: 'instance', instance: 'snow' }, forMs: null });
  await scene.world.run(2_000);
  expect(scene.bot.view.notices[0]).toMatchObject({ code: 'unknown-scope' });
  expect(scene.bot.view.pauses).toEqual([]);
  expect(quotesIn(scene.bot.view)).toBe(ALL_QUOTES);
});

test('a restart does not end a pause, and resuming everything does', async () => {
  const pause = {
    scope: RAIN,
    isPaused: true,
    until: null,
    widenTicks: 0,
    by: 'ann',
    at: micros(0),
  };
  const engine = (options: EngineOptions): EngineOptions => ({
    ...options,
    riskState: { ...NO_RISK_STATE, pauses: [pause] },
  });
  const world = World.quiet();
  const bot = await world.start({ engine });
  await world.runUntil('the others are quoted', () => ordersAtVenue(world).length === 4);
  await world.run(5_000);
  expect(bot.view.pauses).toEqual([pause]);
  expect(haltsIn(bot.view)).toMatchObject({ 1001: 'paused' });
  bot.loop.command({ kind: 'command', command: 'resume' });
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
  expect(bot.view.pauses).toEqual([]);
});
