/** One account that two processes trade, each of them other events. */
import { expect, test } from 'vitest';
import { eventId as domainEvent, marketId as domainMarket } from '../../src/domain/ids.js';
import { money } from '../../src/domain/units.js';
import { readExchangeEvent } from '../../src/settings/exchange-problems.js';
import { type BotSettings, type ExchangeSettings, ofShard } from '../../src/settings/index.js';
import { MemoryJournal } from '../support/disk/memory-journal.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import type { Limits } from '../support/simulation/scenes.js';
import type { SimulatedBot } from '../support/simulation/simulated-bot.js';
import { RIVAL, World } from '../support/simulation/world.js';

const EVENTS = 8;
const OF = 2;
const eventIds = Array.from({ length: EVENTS }, (_, event) => 10_000 + event);
const marketOf = (event: number): number => event * 10;

const exchangeOf =
  (balance: number) =>
  (settings: ExchangeSettings): ExchangeSettings => ({
    ...settings,
    rateLimit: { perMinute: 600, perDay: 1_000_000 },
    accounts: settings.accounts.map((account) =>
      account.id === 1 ? { ...account, balances: { OOM: money(balance * 1e6) } } : account,
    ),
    events: eventIds.map((id) => {
      const markets = [{ id: marketOf(id), title: `Market ${id}` }];
      const reading = readExchangeEvent({ id, title: `Event ${id}`, markets });
      if (!reading.ok) throw new Error(JSON.stringify(reading.fields));
      return reading.value;
    }),
    participants: [],
  });

const shardOf =
  (shard: number, limits: Partial<Limits> = {}) =>
  (settings: BotSettings): BotSettings => {
    const [event] = settings.events;
    const [instance] = settings.instances;
    return ofShard({
      ...settings,
      sharding: { of: OF, shard, lease: null },
      events: eventIds.map((id) => ({
        ...event!,
        id: domainEvent(id),
        markets: [{ ...event!.markets[0]!, id: domainMarket(marketOf(id)) }],
      })),
      instances: [
        {
          ...instance!,
          markets: eventIds.map((id) => domainMarket(marketOf(id))),
          limits: { ...instance!.limits, ...limits },
        },
      ],
    });
  };

interface Shards {
  readonly world: World;
  readonly bots: readonly SimulatedBot[];
}

async function sharded(balance = 10_000, limits: Partial<Limits> = {}): Promise<Shards> {
  const world = new World({ exchange: exchangeOf(balance) });
  for (const id of eventIds)
    for (const position of ['long', 'short'] as const)
      world.place(RIVAL, { marketId: marketOf(id), side: 'bid', position, price: 4_000, shares: 50_000 });
  const bots: SimulatedBot[] = [];
  for (const shard of [1, 2])
    bots.push(await world.start({ settings: shardOf(shard, limits), journal: new MemoryJournal() }));
  return { world, bots };
}

const marketsOf = (bot: SimulatedBot): readonly string[] => bot.view.markets.map(({ marketId }) => marketId);
const idsIn = (world: World, markets: readonly string[]): readonly number[] =>
  ordersAtVenue(world).flatMap((order) =>
    markets.includes(String(order.marketId)) ? [Number(order.id)] : [],
  );
const worstOf = ({ view }: SimulatedBot): number =>
  view.events.reduce((sum, { worst }) => sum + Math.max(0, -worst), 0);
/** Somebody takes ten shares of the best of each of our bids. */
function takeFromAll(world: World): void {
  for (const { id: _id, marketId, side, position, price } of ordersAtVenue(world)) {
    if (side !== 'bid') continue;
    const other = position === 'long' ? 'short' : 'long';
    world.tryPlace(RIVAL, { marketId, side: 'bid', position: other, price: 10_000 - price!, shares: 500 });
  }
}

test('each quotes its own events, and takes nothing of the other for a difference', async () => {
  const { world, bots } = await sharded();
  const quoted = (bot: SimulatedBot): number =>
    bot.view.markets.filter(({ quotes }) => quotes.length > 0).length;
  await world.runUntil('all is quoted', () => bots.reduce((sum, bot) => sum + quoted(bot), 0) === EVENTS);
  expect(bots.flatMap(marketsOf).toSorted()).toEqual(eventIds.map((id) => String(marketOf(id))));
  for (const bot of bots) expect(marketsOf(bot).length).toBeGreaterThan(1);
  takeFromAll(world);
  await world.run(180_000);
  for (const bot of bots) {
    expect(bot.view.counts.fills).toBeGreaterThan(0);
    expect(bot.view.counts.differences).toEqual({});
    expect(bot.noticeCodes.filter((code) => /differs|repaired|inferred/.test(code))).toEqual([]);
    const own = new Set(marketsOf(bot));
    const inVenue = world.venue.exchange
      .ledger()
      .accounts.flatMap(({ id, shares }) => (Number(id) === 1 ? shares : []))
      .filter(({ marketId, shares }) => shares > 0 && own.has(String(marketId)))
      .map(({ marketId, position, shares }) => `${marketId} ${position} ${shares}`);
    const held = bot.view.markets.flatMap(({ marketId, inventory: { long, short } }) => [
      ...(long > 0 ? [`${marketId} long ${long}`] : []),
      ...(short > 0 ? [`${marketId} short ${short}`] : []),
    ]);
    expect(held.toSorted()).toEqual(inVenue.toSorted());
  }
});

test('states the cash of the account, and its share as free', async () => {
  const { world, bots } = await sharded();
  await world.run(20_000);
  const lockedBy = bots.map(({ view }) => view.balance.total! - 2 * view.balance.free!);
  for (const { view } of bots) {
    expect(view.balance.total!).toBeGreaterThan(9_000e6);
    expect(view.balance.total!).toBeLessThan(10_000e6);
    expect(view.balance.free!).toBeLessThan(5_000e6);
  }
  expect(lockedBy.every((locked) => locked > 0)).toBe(true);
});

test('counts what is held already in a market that joins', async () => {
  const { world, bots } = await sharded();
  await world.runUntil('all is quoted', () =>
    bots.every(({ view }) => view.markets.every(({ quotes }) => quotes.length > 0)),
  );
  takeFromAll(world);
  await world.run(20_000);
  const [bot] = bots as [SimulatedBot, SimulatedBot];
  const held = (one: SimulatedBot, id: string) =>
    one.view.markets.find(({ marketId }) => marketId === id)!.inventory;
  const joining = marketsOf(bot)[0]!;
  const before = held(bot, joining);
  expect(before.long + before.short).toBeGreaterThan(0);
  bot.stop();
  await world.runUntil('it has ended', () => bot.end !== null, 90_000);
  const without = (settings: BotSettings): BotSettings => {
    const all = shardOf(1)(settings);
    const events = all.events.filter(({ markets }) => markets[0]!.id !== joining);
    const instances = all.instances.map((one) => ({
      ...one,
      markets: one.markets.filter((id) => id !== joining),
    }));
    return { ...all, events, instances };
  };
  let whole: BotSettings | null = null;
  const again = await world.start({
    settings: (settings) => {
      whole = shardOf(1)(settings);
      return without(settings);
    },
    journal: new MemoryJournal(),
  });
  await world.run(10_000);
  expect(marketsOf(again)).not.toContain(joining);
  expect((await again.configure(whole!)).isApplied).toBe(true);
  const after = held(again, joining);
  expect([after.long, after.short]).toEqual([before.long, before.short]);
  await world.run(180_000);
  expect(again.view.counts.differences).toEqual({});
});

test('withdraws its own orders alone, when it stops and when it begins again', async () => {
  const { world, bots } = await sharded();
  const [one, two] = bots as [SimulatedBot, SimulatedBot];
  await world.run(20_000);
  const ofOther = idsIn(world, marketsOf(two));
  expect(ofOther.length).toBeGreaterThan(0);
  one.stop();
  await world.runUntil('it has ended', () => one.end !== null, 90_000);
  expect(one.end).toMatchObject({ outcome: 'clean' });
  expect(idsIn(world, marketsOf(one))).toEqual([]);
  expect(idsIn(world, marketsOf(two))).toEqual(ofOther);
  const again = await world.start({ settings: shardOf(1), journal: new MemoryJournal() });
  await world.runUntil('it quotes again', () => idsIn(world, marketsOf(again)).length > 0);
  expect(idsIn(world, marketsOf(two))).toEqual(ofOther);
});

test('both together never risk more than the account may lose', async () => {
  const maxAccountLoss = money(40e6);
  const { world, bots } = await sharded(10_000, { maxAccountLoss });
  let most = 0;
  for (let round = 0; round < 8; round += 1) {
    await world.run(3_000);
    takeFromAll(world);
    most = Math.max(
      most,
      bots.reduce((sum, bot) => sum + worstOf(bot), 0),
    );
    expect(most).toBeLessThanOrEqual(maxAccountLoss);
  }
  expect(most).toBeGreaterThan(maxAccountLoss / 2);
});

test('both together never lock more than the cash, and no order is refused for lack of it', async () => {
  const cash = 60;
  const { world, bots } = await sharded(cash);
  let most = 0;
  for (let round = 0; round < 60; round += 1) {
    await world.run(1_000);
    const locked = ordersAtVenue(world).reduce(
      (sum, { side, price, shares, filled }) =>
        side === 'bid' ? sum + (price! / 10_000) * ((shares - filled) / 100) : sum,
      0,
    );
    most = Math.max(most, locked);
  }
  expect(most).toBeLessThanOrEqual(cash);
  expect(most).toBeGreaterThan(cash / 2);
  for (const { view } of bots) expect(view.counts.refusals).toEqual({});
});
