/** Specification 6.2 and 6.3: what is told of prices and books, and when, one test per row. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractScene, type TestMarket } from '../support/contract/contract-scene.js';
import {
  about,
  type Frame,
  payload,
  type Payload,
  type RealtimeClient,
} from '../support/wire/realtime-client.js';
import { ISO_MILLISECONDS } from '../support/wire/wire-matchers.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('6.2 and 6.3 best-prices-change', () => {
  let market: TestMarket;
  let client: RealtimeClient;
  beforeAll(async () => {
    market = await scene.market();
    client = await scene.listening(['event', `event-${market.event}`]);
    await scene.place('alice', market, { price: 0.4 });
    await scene.place('bob', market, { position: 'short', price: 0.45 });
    await client.settled();
  });
  const frames = (): readonly Frame[] =>
    client.ofEvent('best-prices-change').filter(about('market_id', market.market));

  test('on event and event-{id}, with the same payload', () => {
    const [first, second] = frames();
    expect([first?.channel, second?.channel]).toEqual(['event', `event-${market.event}`]);
    expect(first?.data).toEqual(second?.data);
  });

  test.each([
    ['currency_mode', 'play_money', 'play_money'],
    ['best_ask', null, 0.55],
    ['best_bid', 0.4, 0.4],
    ['spread', null, 0.15],
  ])('%s', (field, first, then) => {
    expect([payload(frames()[0]!)[field], payload(frames()[2]!)[field]]).toEqual([first, then]);
  });

  test.each(['market_id', 'event_id'] as const)('%s', (field) => {
    expect(payload(frames()[0]!)[field]).toBe(field === 'market_id' ? market.market : market.event);
  });

  test('not when the best prices stay as they are', async () => {
    const before = frames().length;
    await scene.place('alice', market, { price: 0.39 });
    await scene.place('alice', market, { price: 0.4, shares: '3' });
    await client.settled();
    expect(frames()).toHaveLength(before);
  });

  test('not for a market that takes no wagers', async () => {
    const other = await scene.market();
    await scene.place('alice', other, { price: 0.4 });
    const id = await scene.place('alice', other, { price: 0.41 });
    await scene.admin.post(`/admin/markets/${other.market}/status/`, { status: 'paused' });
    await client.settled();
    const count = (): number =>
      client.ofEvent('best-prices-change').filter(about('market_id', other.market)).length;
    const before = count();
    await scene.as('alice').patch(`/orders/${id}/cancel/`);
    await client.settled();
    expect(count()).toBe(before);
  });
});

describe('6.2 and 6.3 price-change', () => {
  let market: TestMarket;
  let other: TestMarket;
  let frame: Frame;
  beforeAll(async () => {
    [market, other] = (await scene.event(2)) as [TestMarket, TestMarket];
    const client = await scene.listening(['event', `event-${market.event}`]);
    await scene.holding('alice', 'bob', market, '10');
    frame = await client.next(
      'price-change',
      (found) => about('id', market.event)(found) && payload(found)['volume_play_money'] === 10,
    );
  });

  test('on event only', () => {
    expect(frame.channel).toBe('event');
  });

  test.each([
    ['title', expect.stringContaining('Event')],
    ['status', 'open'],
    ['currency_mode', 'play_money'],
    ['is_wagerable', true],
    ['wagers_count_play_money', 2],
    ['wagers_count_real_money', 0],
    ['wagers_count_total', 2],
    ['volume_play_money', 10],
    ['volume_real_money', 0],
  ])('%s', (field, value) => {
    expect(payload(frame)[field]).toEqual(value);
  });

  test('markets: visible ones with their elements', () => {
    const markets = payload(frame)['markets'] as readonly Payload[];
    expect(new Set(markets.map(({ id }) => id))).toEqual(new Set([market.market, other.market]));
    expect(markets.find(({ id }) => id === market.market)).toEqual({
      id: market.market,
      title: `Market ${market.market}`,
      status: 'active',
      price: { OOM: 0.5 },
      long_label: 'Yes',
      short_label: 'No',
      resolution: null,
    });
  });
});

describe('6.3 price-change', () => {
  test('currency_mode controls the order of markets: the likeliest first, those without a price last', async () => {
    const [first, second] = (await scene.event(2)) as [TestMarket, TestMarket];
    const client = await scene.listening(['event']);
    await scene.holding('alice', 'bob', second, '10');
    const frame = await client.next(
      'price-change',
      (found) => about('id', first.event)(found) && payload(found)['volume_play_money'] === 10,
    );
    const markets = payload(frame)['markets'] as readonly Payload[];
    expect(markets.map(({ id }) => id)).toEqual([second.market, first.market]);
  });
});

describe('6.2 and 6.3 order-book-update', () => {
  let market: TestMarket;
  let client: RealtimeClient;
  beforeAll(async () => {
    market = await scene.market();
    client = await scene.listening(['event', `event-${market.event}`]);
    for (const price of [0.3, 0.31, 0.32, 0.33, 0.34, 0.35]) await scene.place('alice', market, { price });
    await scene.place('bob', market, { position: 'short', price: 0.5, shares: '4' });
    await client.settled();
  });
  const frames = (): readonly Frame[] => client.ofEvent('order-book-update');
  const last = (): Payload => payload(frames().at(-1)!);

  test('on event-{id} only', () => {
    expect(new Set(frames().map(({ channel }) => channel))).toEqual(new Set([`event-${market.event}`]));
  });

  test.each([
    ['currency', 'OOM'],
    ['currency_mode', 'play_money'],
    ['top_n', 5],
    ['timestamp', expect.stringMatching(ISO_MILLISECONDS)],
    ['ask', [{ price: 0.5, total_shares: 4, total_amount: 2 }]],
  ])('%s', (field, value) => {
    expect(last()[field]).toEqual(value);
  });

  test.each(['market_id', 'event_id'] as const)('%s', (field) => {
    expect(last()[field]).toBe(field === 'market_id' ? market.market : market.event);
  });

  test('bid: absolute levels, best first, at most top_n', () => {
    const prices = (last()['bid'] as readonly Payload[]).map(({ price }) => price);
    expect(prices).toEqual([0.35, 0.34, 0.33, 0.32, 0.31]);
  });

  test('not when only levels beyond the top N change', async () => {
    const before = frames().length;
    await scene.place('alice', market, { price: 0.1 });
    await client.settled();
    expect(frames()).toHaveLength(before);
  });

  test('one message per affected market for a whole batch', async () => {
    const before = frames().length;
    const orders = [0.36, 0.37, 0.38].map((price) => ({
      market: market.market,
      side: 'bid',
      currency: 'OOM',
      position: 'long',
      price,
      shares: '1',
    }));
    await scene.as('alice').post('/orders/batch/', { orders });
    await client.settled();
    expect(frames()).toHaveLength(before + 1);
  });
});
