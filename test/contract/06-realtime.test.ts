/** Specification 6: channels, the kinds of events and their payloads, one test per row. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene, freshId, type TestMarket } from '../support/contract-scene.js';
import type { Frame, RealtimeClient } from '../support/realtime-client.js';
import { ISO_MILLISECONDS, ISO_TIME } from '../support/wire-matchers.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

type Payload = Readonly<Record<string, unknown>>;
const payload = (frame: Frame): Payload => frame.data as Payload;
const about =
  (field: string, id: number) =>
  (frame: Frame): boolean =>
    payload(frame)[field] === id;

describe('6.1 channels', () => {
  test.each(['event', 'event-873', 'test-channel'])('%s is public', async (channel) => {
    const client = await scene.realtime();
    const answer = await client.subscribe(channel);
    expect(answer.event).toBe('pusher_internal:subscription_succeeded');
  });

  test('private-user-{user_id} needs the authorisation of 4.17', async () => {
    const client = await scene.realtime();
    const channel = `private-user-${ACCOUNT_IDS.alice}`;
    const refused = await client.subscribe(channel);
    expect(refused.event).toBe('pusher:subscription_error');
    expect(payload(refused)).toMatchObject({ type: 'AuthError', status: 401 });
    const { frames } = await scene.listening([], 'alice');
    expect(frames.at(-1)?.event).toBe('pusher_internal:subscription_succeeded');
  });

  test('an authorisation for another connection is refused', async () => {
    const [one, two] = [await scene.realtime(), await scene.realtime()];
    const channel = `private-user-${ACCOUNT_IDS.alice}`;
    const answer = await scene.authorise('alice', channel, await one.socketId());
    const frame = await two.subscribe(channel, String(answer.at('auth')));
    expect(frame.event).toBe('pusher:subscription_error');
  });

  test('an authorisation for another channel is refused', async () => {
    const client = await scene.realtime();
    const own = await scene.authorise('alice', `private-user-${ACCOUNT_IDS.alice}`, await client.socketId());
    const frame = await client.subscribe(`private-user-${ACCOUNT_IDS.bob}`, String(own.at('auth')));
    expect(frame.event).toBe('pusher:subscription_error');
  });

  test('test-channel carries test-event only', async () => {
    const client = await scene.listening(['test-channel']);
    await scene.place('alice', await scene.market(), {});
    await scene.admin.post('/admin/test-event/');
    const frame = await client.next('test-event');
    expect(frame.channel).toBe('test-channel');
    await client.settled();
    const carried = client.frames.filter(
      ({ channel, event }) => channel === 'test-channel' && !isInternal(event),
    );
    expect(carried.map(({ event }) => event)).toEqual(['test-event']);
  });
});

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

describe('6.2 and 6.3 new-market', () => {
  test('when a market is added to an event, on event', async () => {
    const { event } = await scene.market({ category: { id: 7, name: 'Sport' } });
    const client = await scene.listening(['event']);
    const id = freshId();
    await scene.admin.post(`/admin/events/${event}/markets/`, { id, title: 'Late entry' });
    const frame = await client.next('new-market', about('id', id));
    expect(frame).toMatchObject({
      channel: 'event',
      data: {
        id,
        title: 'Late entry',
        title_verbose: `Event ${event}: Late entry`,
        event: { id: event, title: `Event ${event}`, status: 'open', category: { id: 7, name: 'Sport' } },
        status: 'active',
        suggested_price_play_money: null,
        suggested_price_real_money: null,
        bet_start_date: null,
        bet_end_date: null,
      },
    });
  });
});

describe('6.2 and 6.3 live-data-update', () => {
  test('when live data of an event changes, on event', async () => {
    const { event } = await scene.market({ eventStartDate: '2030-01-01T10:00:00Z' });
    const client = await scene.listening(['event']);
    await scene.admin.post(`/admin/events/${event}/live/`, { isLive: true, extraData: { score: [1, 0] } });
    const frame = await client.next('live-data-update', about('id', event));
    expect(frame).toMatchObject({
      channel: 'event',
      data: {
        id: event,
        status: 'open',
        resolution: null,
        resolve_date: null,
        event_start_date: expect.stringMatching(/^2030-01-01T10:00:00/),
        event_end_date: null,
        event_extra_data: { score: [1, 0] },
        is_live: true,
      },
    });
  });

  test('when an event is resolved', async () => {
    const market = await scene.market();
    const client = await scene.listening(['event']);
    await scene.admin.post(`/admin/events/${market.event}/resolve/`, {
      resolutions: { [market.market]: 'long' },
    });
    const frame = await client.next(
      'live-data-update',
      (found) => about('id', market.event)(found) && payload(found)['status'] === 'resolved',
    );
    expect(payload(frame)).toMatchObject({
      resolution: expect.any(String),
      resolve_date: expect.stringMatching(ISO_TIME),
    });
  });
});

describe('6.2 and 6.3 market-status-change', () => {
  test.each([
    ['the status of a market', { status: 'paused' }, { status: 'paused', previous_status: 'active' }],
    ['a market disabled', { disabled: true }, { disabled: true }],
    [
      'the bet window',
      { betEndDate: '2031-05-01T00:00:00Z' },
      { bet_end_date: expect.stringMatching(/^2031-05-01/) },
    ],
  ])('%s, on event and event-{id}', async (_what, change, expected) => {
    const market = await scene.market();
    const client = await scene.listening(['event', `event-${market.event}`]);
    await scene.admin.post(`/admin/markets/${market.market}/status/`, change);
    await client.settled();
    const frames = client.ofEvent('market-status-change').filter(about('market_id', market.market));
    expect(frames.map(({ channel }) => channel)).toEqual(['event', `event-${market.event}`]);
    expect(payload(frames[0]!)).toMatchObject({
      event_id: market.event,
      market_id: market.market,
      timestamp: expect.stringMatching(ISO_MILLISECONDS),
      ...expected,
    });
  });

  test('the status of a whole event has no market', async () => {
    const market = await scene.market();
    const client = await scene.listening([`event-${market.event}`]);
    await scene.admin.post(`/admin/events/${market.event}/status/`, { status: 'paused' });
    const frame = await client.next('market-status-change', about('market_id', null as never));
    expect(payload(frame)).toMatchObject({
      event_id: market.event,
      status: 'paused',
      previous_status: 'open',
    });
  });
});

describe('6.2 and 6.3 market-comment', () => {
  test('about five seconds after it was posted, on event', async () => {
    const market = await scene.market();
    const client = await scene.listening(['event']);
    const posted = Date.now();
    await scene.admin.post(`/admin/events/${market.event}/comments/`, {
      user: ACCOUNT_IDS.alice,
      content: 'I would not.',
    });
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    await client.settled();
    expect(client.ofEvent('market-comment')).toHaveLength(0);
    const frame = await client.next('market-comment');
    expect(Date.now() - posted).toBeGreaterThanOrEqual(4_900);
    expect(frame).toMatchObject({
      channel: 'event',
      data: {
        id: expect.any(Number),
        content: 'I would not.',
        created_on: expect.stringMatching(ISO_TIME),
        user: {
          id: ACCOUNT_IDS.alice,
          username: 'alice',
          picture: null,
          win_rate: expect.any(Number),
          wagers_count: expect.any(Number),
          net_earnings: expect.any(Number),
        },
        question: {
          id: market.event,
          title: `Event ${market.event}`,
          slug: `event-${market.event}`,
          status: 'open',
          resolve_date: null,
          bet_end_date: null,
          is_binary: true,
        },
      },
    });
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

describe('6.2 and 6.3 the private channel', () => {
  let market: TestMarket;
  let client: RealtimeClient;
  let id: number;
  beforeAll(async () => {
    market = await scene.market();
    client = await scene.listening([], 'carol');
    id = await scene.place('carol', market, { price: 0.4, shares: '10', currency: 'USDC' });
    await scene.place('bob', market, { position: 'short', price: 0.6, shares: '4', currency: 'USDC' });
    await scene.as('carol').patch(`/orders/${id}/cancel/`);
    await client.settled();
  });
  const updates = (): readonly Payload[] =>
    client.ofEvent('order-update').filter(about('order_id', id)).map(payload);

  test('order-update: created, filled in part, canceled', () => {
    expect(updates().map(({ status }) => status)).toEqual(['open', 'partial_filled', 'canceled']);
    expect(updates().map(({ previous_status }) => previous_status)).toEqual([null, 'open', 'partial_filled']);
  });

  test.each([
    ['side', ['bid', 'bid', 'bid']],
    ['position', ['l', 'l', 'l']],
    ['price', [0.4, 0.4, 0.4]],
    ['shares_requested', [10, 10, 10]],
    ['shares_filled', [0, 4, 4]],
    ['shares_filled_delta', [undefined, 4, undefined]],
    ['avg_fill_price', [null, 0.4, 0.4]],
    ['currency', ['USDC', 'USDC', 'USDC']],
    ['cancel_reason', [undefined, undefined, 'user-requested']],
    ['expired_at', [undefined, undefined, undefined]],
    ['is_system_initiated', [undefined, undefined, undefined]],
    ['timestamp', Array.from({ length: 3 }, () => expect.stringMatching(ISO_MILLISECONDS))],
  ])('order-update %s', (field, values) => {
    expect(updates().map((update) => update[field])).toEqual(values);
  });

  test.each(['market_id', 'event_id'] as const)('order-update %s', (field) => {
    expect(updates()[0]?.[field]).toBe(field === 'market_id' ? market.market : market.event);
  });

  test('order-update expired_at and short positions', async () => {
    const expired_at = new Date(Date.now() + 3_600_000).toISOString();
    const other = await scene.place('carol', market, { position: 'short', price: 0.1, expired_at });
    const frame = await client.next('order-update', about('order_id', other));
    expect(payload(frame)).toMatchObject({ position: 's', expired_at });
  });

  test('order-update of a market order: price null', async () => {
    const other = await scene.market();
    await scene.place('bob', other, { position: 'short', price: 0.5, shares: '1' });
    const answer = await scene.order('carol', other, { price: null, shares: '1' });
    const frame = await client.next('order-update', about('order_id', answer.number('id')));
    expect(payload(frame)['price']).toBeNull();
  });

  test('position-update', async () => {
    const frame = await client.next('position-update', about('market_id', market.market));
    expect(frame.data).toEqual({
      market_id: market.market,
      event_id: market.event,
      position: 'long',
      currency: 'USDC',
      shares: 4,
      purchases_amount: 1.6,
      avg_price: 0.4,
    });
  });

  test('balance-changed: Unix seconds and no amount', async () => {
    const frame = await client.next('balance-changed');
    expect(frame.data).toEqual({ timestamp: expect.any(Number) });
    expect(Math.abs(Number(payload(frame)['timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
  });

  test('deposit-success', async () => {
    await scene.admin.post(`/admin/accounts/${ACCOUNT_IDS.carol}/deposit/`, {
      currency: 'OOM',
      amount: '12.5',
    });
    const frame = await client.next('deposit-success');
    expect(frame.data).toEqual({ amount: 12.5, currency: 'OOM' });
  });

  test("nothing of another's orders", async () => {
    const other = await scene.place('bob', market, { price: 0.2 });
    await client.settled();
    expect(client.ofEvent('order-update').some(about('order_id', other))).toBe(false);
  });
});

const isInternal = (event: string): boolean => event.startsWith('pusher');
