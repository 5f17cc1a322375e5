/** Nothing that a bot keeps grows with time or with ids, but what docs/limits.md lists with its bound. */
import { expect, test } from 'vitest';
import { Collections } from '../support/simulation/collections.js';
import { World } from '../support/simulation/world.js';

/** What lives as long as the bot is made by then. */
const BEGUN_MS = 2_000;
/** Ended orders are kept for two minutes. */
const STEADY_MS = 150_000;
/** Busier minutes hold more at the same time. */
const FACTOR = 1.5;
const FEW = 40;
/** Ids of forgotten orders, so that a late frame revives none: 20,000 at the most. */
const BOUNDED = ['core/execution/orders/order-blotter.ts'];

test('Maps and Sets of a bot hold no more after five minutes than after half of that', async () => {
  const collections = new Collections();
  const world = new World();
  const bot = await world.start();
  await world.run(BEGUN_MS);
  collections.end();
  await world.run(STEADY_MS);
  const before = collections.sizes();
  await world.run(STEADY_MS);
  const grown = [...collections.sizes()].filter(([place, size]) => {
    const early = before.get(place) ?? 0;
    return size > FACTOR * early && size > early + FEW;
  });
  expect(bot.view.counts.ordersReplaced).toBeGreaterThan(200);
  expect(before.size).toBeGreaterThan(100);
  expect(grown.filter(([place]) => !BOUNDED.includes(place.split(':')[0]!))).toEqual([]);
  expect(grown).not.toEqual([]);
}, 600_000);
