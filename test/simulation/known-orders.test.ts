import * as ids from '../../src/domain/ids.js';
import { expect, test } from 'vitest';
import type { OrderId } from '../../src/exchange/contract/ids.js';
import type { Micros } from '../../src/domain/units.js';
import type { OrderView } from '../../src/exchange/contract.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { CALM } from '../support/simulation/network.js';
import { allShared } from '../support/simulation/scenes.js';
import { type Seam, UNCHANGED } from '../support/simulation/seam.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { MAKER, World } from '../support/simulation/world.js';

const LOSE = { on: 'POST /orders/batch/', kind: 'lose_answer', probability: 1 } as const;
const SHOW_NOTHING = { on: 'GET /orders/', kind: 'empty_list', probability: 1 } as const;

const idsAtVenue = (world: World): number[] => ordersAtVenue(world).map(({ id }) => id);

/**
 * A bot in shared markets whose first creates were taken, and no answer to them came.
 * @param knows it is killed once frames have told it of them, and before any
 */
async function killedAfterLostCreates(knows: boolean): Promise<World> {
  const world = World.quiet();
  if (!knows) world.network.weather = { ...CALM, frameLate: 1, frameLateMs: 40_000 };
  world.venue.faults.replace({ seed: 1, rules: [LOSE] });
  const bot = await world.start({ settings: allShared });
  await world.runUntil('its orders stand', () => idsAtVenue(world).length > 0);
  const { orders } = bot.engine['parts'].desk;
  const isKnown = (id: OrderId): boolean => orders.byId(ids.orderId(id)) !== undefined;
  await world.runUntil('it knows', () => !knows || ordersAtVenue(world).every(({ id }) => isKnown(id)));
  world.venue.faults.replace({ seed: 1, rules: [] });
  bot.kill();
  world.network.weather = CALM;
  return world;
}

const sameByHand = (world: World, { marketId, side, position, price, shares }: OrderView): number =>
  world.place(MAKER, { marketId, side, position, price: price!, shares });

const stopped = async (world: World, bot: SimulatedBot): Promise<void> => {
  bot.stop();
  await world.runUntil('ended', () => bot.end !== null, 200_000);
};

/** Listings date every order an hour too early. */
const hourBehind: Seam = {
  ...UNCHANGED,
  wire: (wire) => ({
    call: async (call, sending) => {
      const outcome = await wire.call(call, sending);
      if (!outcome.ok || !call.query.some(([name]) => name === 'status')) return outcome;
      const { orders, ...rest } = outcome.value as { orders: { createdAt: Micros }[] };
      const dated = orders.map((order) => ({ ...order, createdAt: order.createdAt - 3_600_000_000 }));
      return { ...outcome, value: { ...rest, orders: dated } as never };
    },
  }),
};

test('an order whose number a frame told is cancelled by the next run though no listing shows it', async () => {
  const world = await killedAfterLostCreates(true);
  const left = idsAtVenue(world);
  world.venue.faults.replace({ seed: 1, rules: [SHOW_NOTHING] });
  const bot = await world.start({ settings: allShared });
  await world.runUntil('they are gone', () => left.every((id) => !idsAtVenue(world).includes(id)), 120_000);
  await stopped(world, bot);
  expect(idsAtVenue(world)).toEqual([]);
});

test('an order of a person is none of the next run’s, whatever its terms, where the run before knew its own', async () => {
  const world = await killedAfterLostCreates(true);
  const mine = ordersAtVenue(world).map((order) => sameByHand(world, order));
  const bot = await world.start({ settings: allShared });
  await world.runUntil('it quotes', () => bot.view.phase === 'running', 200_000);
  await stopped(world, bot);
  expect(new Set(idsAtVenue(world))).toEqual(new Set(mine));
  expect(bot.end).toMatchObject({ outcome: 'clean' });
});

test('a run that cannot say whose an order is says that orders may remain, and which', async () => {
  const world = await killedAfterLostCreates(false);
  const lost = ordersAtVenue(world);
  const mine = lost.map((order) => sameByHand(world, order));
  const bot = await world.start({ settings: allShared });
  await world.runUntil('it quotes', () => bot.view.phase === 'running', 200_000);
  await stopped(world, bot);
  const left = [...lost.map(({ id }) => id), ...mine];
  expect(new Set(idsAtVenue(world))).toEqual(new Set(left));
  expect(bot.end).toMatchObject({ outcome: 'orders-may-remain' });
  for (const id of left) expect(bot.end?.text).toMatch(new RegExp(`\\b${id}\\b`));
});

test('that listings date an order otherwise does not make it a person’s', async () => {
  const world = await killedAfterLostCreates(false);
  const left = idsAtVenue(world);
  const bot = await world.start({ settings: allShared, seam: hourBehind });
  await world.runUntil('it quotes', () => bot.view.phase === 'running', 200_000);
  await stopped(world, bot);
  expect(idsAtVenue(world)).toEqual(left);
  expect(bot.end).toMatchObject({ outcome: 'orders-may-remain' });
});
