import * as listed from '../../src/exchange/contract/ids.js';
import { describe, expect, test } from 'vitest';
import { marketId } from '../../src/domain/ids.js';
import { complement, type PriceUnits } from '../../src/domain/units.js';
import { bookSide } from '../../src/domain/vocabulary.js';
import type { EngineOptions } from '../../src/core/engine/options.js';
import type { OrderView } from '../../src/exchange/contract.js';
import type { BotSettings } from '../../src/settings/index.js';
import { StrategyInstance } from '../../src/core/strategy/instance.js';
import { defineStrategy, NO_QUOTES, quoteAt } from '../../src/core/strategy/sdk.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, limited } from '../support/simulation/scenes.js';
import { MAKER, World } from '../support/simulation/world.js';

const RAIN = marketId(1001);
const START_CASH = 10_000;
const MOST_SHARES = 60;
const MOST_LOSS = 25;

/** Only the instance on rain, with more depth than its limits allow. */
const eager = (settings: BotSettings): BotSettings => ({
  ...settings,
  instances: settings.instances.slice(0, 1).map((instance) => ({
    ...instance,
    params: { halfSpread: '0.01', shares: 20, levels: 6, maxInventory: 1000 },
    limits: {
      ...instance.limits,
      maxPositionShares: (MOST_SHARES * 100) as typeof instance.limits.maxPositionShares,
      maxEventLoss: (MOST_LOSS * 1e6) as typeof instance.limits.maxEventLoss,
    },
  })),
});

interface Held {
  readonly long: number;
  readonly short: number;
  readonly cash: number;
}

/** Whole shares and currency units as the venue has them. */
function heldAt({ venue }: World): Held {
  const row = venue.exchange
    .ledger()
    .accounts.find(({ id, currency }) => id === MAKER && currency === 'OOM')!;
  const sharesOf = (position: string): number =>
    row.shares.reduce((sum, held) => sum + (held.position === position ? held.shares / 100 : 0), 0);
  return { long: sharesOf('long'), short: sharesOf('short'), cash: (row.cash + row.locked) / 1e6 };
}

const leftOf = ({ shares, filled }: OrderView): number => (shares - filled) / 100;
const sideOf = ({ side, position }: OrderView) => bookSide(side, position);

/** What the market may end at when any subset of the orders fills. */
function netRange(orders: readonly OrderView[], { long, short }: Held): readonly [number, number] {
  const sum = (side: string): number =>
    orders.reduce((total, order) => (sideOf(order) === side ? total + leftOf(order) : total), 0);
  return [long - short - sum('ask'), long - short + sum('bid')];
}

/** Loss in the worst case: of each order only what makes it worse counts. */
function worstLoss(orders: readonly OrderView[], held: Held): number {
  const results = ([1, 0] as const).map((long) => {
    const holdings = held.cash + held.long * long + held.short * (1 - long);
    return orders.reduce((worth, order) => {
      const price =
        (order.position === 'long' ? order.price! : complement(order.price as PriceUnits)) / 10_000;
      const gain = (sideOf(order) === 'bid' ? long - price : price - long) * leftOf(order);
      return worth + Math.min(0, gain);
    }, holdings);
  });
  return START_CASH - Math.min(...results);
}

describe('limits', () => {
  test('position and worst case stay within them at every moment, whatever fills', async () => {
    const world = new World({ seed: 3 });
    const bot = await world.start({ settings: eager });
    let deepest = 0;
    for (let step = 0; step < 1_200; step++) {
      await world.run(50);
      const [orders, held] = [ordersAtVenue(world), heldAt(world)];
      const [low, high] = netRange(orders, held);
      expect(Math.max(-low, high)).toBeLessThanOrEqual(MOST_SHARES + 1e-9);
      expect(worstLoss(orders, held)).toBeLessThanOrEqual(MOST_LOSS + 1e-6);
      deepest = Math.max(deepest, orders.length);
    }
    expect(deepest).toBeGreaterThan(2);
    expect(bot.view.counts.fills).toBeGreaterThan(5);
    expect(bot.view.counts.refusals['position-limit']).toBeGreaterThan(0);
  });
});

/** Quotes for a while, and then answers with a price that is none. */
const breaking = defineStrategy({
  name: 'breaking',
  params: {},
  initialState: { calls: 0 },
  quote: ({ fair, state }) => {
    const calls = state.calls + 1;
    if (fair === null) return { ...NO_QUOTES, state: { calls } };
    const price = calls > 20 ? NaN : 0.1;
    return { bids: [quoteAt(price, 10, { wish: 0.1 })], asks: [], state: { calls } };
  },
});

const withBreaking = (options: EngineOptions): EngineOptions => {
  const [rain, ...others] = options.instances;
  const tickUnits = new Map([[RAIN, 100]]);
  const instance = new StrategyInstance({
    name: 'rain',
    strategy: breaking as never,
    parameters: {},
    tickUnits,
  });
  const limits = { ...rain!.limits, priceCollar: 10_000 as PriceUnits };
  return { ...options, instances: [{ ...rain!, instance, limits }, ...others] };
};

describe('a strategy that breaks', () => {
  test('is stopped and its quotes withdrawn, the others go on', async () => {
    const world = new World({ seed: 2 });
    const bot = await world.start({ engine: withBreaking });
    const quoted = () => new Set(ordersAtVenue(world).map((order) => order.marketId));
    await world.runUntil('rain is quoted', () => quoted().has(listed.marketId(RAIN)));
    await world.runUntil('rain is stopped', () => bot.view.instances[0]?.fault !== null);
    await world.run(2_000);
    expect(quoted()).toEqual(new Set([2001, 2002]));
    expect(bot.view.instances.map(({ fault }) => fault === null)).toEqual([false, true]);
    expect(bot.view.markets.find((market) => market.marketId === RAIN)?.halted).toBe('strategy-fault');
    expect(bot.view.notices.filter(({ code }) => code === 'strategy-fault')).toHaveLength(1);
    expect(bot.view.phase).toBe('running');
  });
});

describe('the limit of orders in a minute', () => {
  const slow = limited((limits) => ({ ...limits, ordersPerMinute: ALL_QUOTES - 2 }));

  test('paces them: the rest stands as soon as the minute has room, though nothing moves', async () => {
    const world = World.quiet();
    const bot = await world.start({ settings: slow });
    await world.run(5_000);
    expect(ordersAtVenue(world).length).toBeLessThan(ALL_QUOTES);
    expect(bot.view.counts.refusals['order-rate']).toBeUndefined();
    await world.run(60_000);
    expect(ordersAtVenue(world)).toHaveLength(ALL_QUOTES);
  });
});

describe('a limit below what is quoted', () => {
  const small = limited((limits) => ({ ...limits, maxOrderShares: 500 as typeof limits.maxOrderShares }));

  test('is named in every market that it keeps from being quoted', async () => {
    const world = World.quiet();
    const bot = await world.start({ settings: small });
    await world.run(10_000);
    const quoted = bot.view.markets.filter(({ instance }) => instance !== null);
    expect(ordersAtVenue(world)).toEqual([]);
    expect(quoted.map(({ halted, refusedBy }) => [halted, refusedBy])).toEqual(
      quoted.map(() => [null, 'order-size']),
    );
  });

  test('is none where all of it passes', async () => {
    const world = World.quiet();
    const bot = await world.start();
    await world.run(10_000);
    expect(bot.view.markets.map(({ refusedBy }) => refusedBy).filter((rule) => rule !== null)).toEqual([]);
  });
});
