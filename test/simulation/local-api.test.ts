/** What the local API of a running bot says, and what comes of its actions. */
import { expect, test } from 'vitest';
import type { JournalRecord } from '../../src/core/ports/journal.js';
import type { Action } from '../../src/ops/http/contract.js';
import { readinessOf } from '../../src/ops/http/listener.js';
import { LiveApi } from '../../src/runs/api/bot-api.js';
import { Recent } from '../../src/runs/api/recent.js';
import { bundledVenueOf } from '../../src/runs/exchange/exchange.js';
import { ordersAtVenue } from '../support/simulation/agreement.js';
import { ALL_QUOTES, haltsIn, ordersInRain, quoting } from '../support/simulation/scenes.js';
import { RIVAL } from '../support/simulation/world.js';

async function scene() {
  const recent = new Recent();
  const { world, bot } = await quoting({ observer: recent });
  const notes: JournalRecord[] = [];
  const said: string[] = [];
  const kills: string[] = [];
  const { botSettings: settings, source } = world;
  const address = { restUrl: 'http://venue.test', realtime: { key: 'k', host: 'venue.test', port: 80 } };
  const api = new LiveApi({
    settings,
    source,
    engine: bot.engine,
    recent,
    inUse: () => ({ settings, source }),
    venue: bundledVenueOf(world.exchangeSettings, address),
    account: '2',
    runId: 'sim',
    clock: world.clock,
    logger: { warn: (text) => void said.push(text) },
    readiness: readinessOf,
    command: (command) => bot.loop.command(command),
    note: (record) => void notes.push(record),
    kill: (reason) => {
      kills.push(reason);
      bot.loop.command({ kind: 'command', command: 'kill', reason });
    },
    resume: () => {
      bot.loop.command({ kind: 'command', command: 'resume' });
      return true;
    },
  });
  const act = (action: Partial<Action>) =>
    api.act({
      action: 'pause',
      scope: {},
      by: 'ann',
      forMs: null,
      ticks: null,
      reason: null,
      alarm: null,
      ...action,
    });
  return { world, bot, api, act, notes, said, kills };
}

test('the status sums up, and rows, orders and positions agree with it', async () => {
  const { api } = await scene();
  const status = api.status();
  expect(status).toMatchObject({
    phase: 'running',
    ready: true,
    killed: null,
    profit: { OOM: 0 },
    counts: { markets: 4, quoted: 3, openOrders: ALL_QUOTES },
  });
  const rows = api.markets();
  expect(rows.flatMap(({ quotes }) => quotes)).toHaveLength(ALL_QUOTES);
  expect(api.row('1001')).toEqual(rows.find(({ marketId }) => marketId === '1001'));
  expect(api.orders()).toHaveLength(ALL_QUOTES);
  expect([api.row('9'), api.market('9'), api.event('9'), api.history('9')]).toEqual([null, null, null, []]);
});

test('a market shows its ladder with own shares, and each order says why it stands where it does', async () => {
  const { api } = await scene();
  const { bids, asks, orders, fairFrom, tick } = api.market('1001')!;
  expect(bids.filter(({ own }) => own > 0)).toHaveLength(2);
  expect(asks.filter(({ own }) => own > 0)).toHaveLength(2);
  expect(fairFrom).toMatchObject({ p: 0.5 });
  expect(orders).toHaveLength(4);
  for (const { why, longPrice, aheadAtMost } of orders) {
    const sum = why!.steps.reduce((total, { value }) => total + value, 0);
    expect(sum).toBeCloseTo(why!.wanted!, 6);
    expect(why!.wanted! + why!.rounding + why!.moved).toBeCloseTo(longPrice, 6);
    expect(Math.round(longPrice / tick)).toBeCloseTo(longPrice / tick, 6);
    expect(aheadAtMost).toBeGreaterThanOrEqual(0);
  }
});

test('a fill is told once, with its place to go on from, and becomes a position', async () => {
  const { api, world } = await scene();
  expect(api.fills(0)).toEqual({ fills: [], last: 0 });
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_900, shares: 500 });
  await world.run(3_000);
  const { fills, last } = api.fills(0);
  expect(fills.reduce((sum, { shares }) => sum + shares, 0)).toBe(5);
  expect(fills[0]).toMatchObject({ marketId: '1001', instance: 'rain', currency: 'OOM', isInferred: false });
  expect(api.fills(last).fills).toEqual([]);
  expect(api.positions()).toMatchObject([{ marketId: '1001', net: 5 }]);
  expect(api.market('1001')!.recentFills).toHaveLength(fills.length);
});

test('an event has all its outcomes and every ending', async () => {
  const { api } = await scene();
  const { outcomes, scenarios, worst } = api.event('200')!;
  expect(outcomes.map(({ marketId }) => marketId)).toEqual(['2001', '2002', '2003']);
  expect(outcomes.at(-1)).toMatchObject({ instance: null, quotes: [] });
  expect(Math.min(...scenarios.map(({ profit }) => profit))).toBe(worst);
});

test('what changed is named once', async () => {
  const { api, world } = await scene();
  api.changed();
  expect(api.changed()).toEqual([]);
  world.place(RIVAL, { marketId: 1_001, side: 'bid', position: 'short', price: 5_900, shares: 100 });
  await world.run(500);
  expect(api.changed()).toContain('1001');
});

test('an action is carried out, and log and journal say who and when', async () => {
  const { api, act, world, bot, notes, said } = await scene();
  expect(act({ action: 'pause', scope: { market: '1001' } })).toEqual({
    code: 200,
    text: 'paused market 1001',
  });
  await world.run(3_000);
  expect(haltsIn(bot.view)).toMatchObject({ 1001: 'paused', 2001: null });
  expect(api.status().pauses).toMatchObject([{ scope: { market: '1001' }, by: 'ann' }]);
  expect(said).toEqual(['ann paused market 1001']);
  expect(notes).toMatchObject([{ kind: 'action', by: 'ann', text: 'paused market 1001' }]);
  act({ action: 'resume', scope: { market: '1001' } });
  await world.runUntil('it is quoted again', () => ordersAtVenue(world).length === ALL_QUOTES);
});

test('what is cancelled stays away for a while, and comes back', async () => {
  const { act, world, bot } = await scene();
  act({ action: 'cancel', scope: { event: '100' } });
  await world.run(5_000);
  expect(ordersInRain({ world, bot })).toEqual([]);
  await world.run(7_000);
  expect(ordersInRain({ world, bot })).toHaveLength(4);
});

test.each([null, 60_000])('a cancel leaves a pause that lasts longer (%s ms) as it is', async (forMs) => {
  const { api, act, world, bot, notes } = await scene();
  const scope = { market: '1001' };
  act({ action: 'pause', scope, forMs });
  await world.run(1_000);
  const { pauses } = api.status();
  expect(act({ action: 'cancel', scope })).toEqual({
    code: 200,
    text: 'left market 1001 paused: nothing stands there',
  });
  expect(notes).toHaveLength(2);
  await world.run(15_000);
  expect(api.status().pauses).toEqual(pauses);
  expect(haltsIn(bot.view)).toMatchObject({ 1001: 'paused' });
});

test('a cancel outlasts a pause that is nearly over', async () => {
  const { act, world, bot } = await scene();
  act({ action: 'pause', scope: { market: '1001' }, forMs: 2_000 });
  await world.run(500);
  act({ action: 'cancel', scope: { market: '1001' } });
  await world.run(8_000);
  expect(haltsIn(bot.view)).toMatchObject({ 1001: 'paused' });
});

test('kill withdraws everything, resume ends it', async () => {
  const { act, world, kills } = await scene();
  act({ action: 'kill', reason: 'rain' });
  await world.run(3_000);
  expect(kills).toEqual(['ann: rain']);
  expect(ordersAtVenue(world)).toEqual([]);
  act({ action: 'resume' });
  await world.runUntil('everything is quoted', () => ordersAtVenue(world).length === ALL_QUOTES);
});

test.each([
  [{ action: 'pause', scope: { market: '9' } }, 404],
  [{ action: 'pause', scope: { instance: 'snow' } }, 404],
  [{ action: 'kill', scope: { market: '1001' } }, 422],
  [{ action: 'acknowledge', alarm: 'journal' }, 404],
] as const)('%j does nothing', async (action, code) => {
  const { act, notes, kills } = await scene();
  expect(act(action).code).toBe(code);
  expect([notes, kills]).toEqual([[], []]);
});
