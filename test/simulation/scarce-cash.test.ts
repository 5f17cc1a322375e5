/** One balance for several markets, and not enough of it. */
import { expect, test } from 'vitest';
import { money } from '../../src/domain/units.js';
import type { BotSettings, ExchangeSettings } from '../../src/settings/index.js';
import { expectAgreement, ordersAtVenue } from '../support/simulation/agreement.js';
import { World } from '../support/simulation/world.js';

/** The maker has so much. */
const poor =
  (whole: number) =>
  (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    accounts: settings.accounts.map((account) =>
      account.id === 1 ? { ...account, balances: { OOM: money(whole * 1e6) } } : account,
    ),
  });
/** Rain, which is planned first, quotes far from fair value, where little is earned. */
const farInRain = (settings: BotSettings): BotSettings => ({
  ...settings,
  instances: settings.instances.map((one) =>
    one.name === 'rain' ? { ...one, params: { halfSpread: '0.08', shares: 10, levels: 1 } } : one,
  ),
});
const sharesIn = (world: World, market: number): number =>
  ordersAtVenue(world).reduce(
    (sum, one) => (Number(one.marketId) === market ? sum + one.shares / 100 : sum),
    0,
  );

test('goes to the markets where it earns most, and stays there', async () => {
  const world = World.quiet({ exchange: poor(20) });
  const bot = await world.start({ settings: farInRain });
  await world.run(20_000);
  expect([2_001, 2_002].map((market) => sharesIn(world, market))).toEqual([20, 20]);
  expect(sharesIn(world, 1_001)).toBeLessThan(2);
  const { ordersCreated, ordersReplaced, ordersCancelled } = bot.view.counts;
  await world.run(60_000);
  expect(bot.view.counts).toMatchObject({ ordersCreated, ordersReplaced, ordersCancelled });
  expectAgreement(world, bot);
});

test('is shared again as soon as there is enough for all', async () => {
  const world = World.quiet({ exchange: poor(20) });
  const bot = await world.start({ settings: farInRain });
  await world.run(20_000);
  world.venue.execute({ kind: 'deposit', account: 1 as never, currency: 'OOM', amount: money(50e6) });
  await world.run(10_000);
  expect([1_001, 2_001, 2_002].map((market) => sharesIn(world, market))).toEqual([20, 20, 20]);
  expectAgreement(world, bot);
});

test('is not asked for twice by markets that are planned in one step, for each of which it would suffice', async () => {
  const world = World.quiet({ exchange: poor(30) });
  const bot = await world.start();
  await world.run(20_000);
  bot.loop.command({ kind: 'command', command: 'kill', reason: 'test' });
  await world.run(90_000);
  expect(ordersAtVenue(world)).toEqual([]);
  bot.loop.command({ kind: 'command', command: 'resume' });
  await world.run(20_000);
  expect(bot.view.counts.refusals).toEqual({});
  expect(ordersAtVenue(world).length).toBeGreaterThan(4);
  expectAgreement(world, bot);
});
