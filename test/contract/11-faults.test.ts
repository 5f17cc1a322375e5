/** Faults as data: what each kind does on the wire, and that the n-th match alone meets it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ContractScene, freshId, type TestMarket } from '../support/contract/contract-scene.js';
import { unixNow } from '../support/wire/venue-client.js';
import type { Plain } from '../support/wire/venue-signer.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start({});
});
afterEach(() => faults());
afterAll(() => scene.close());

type Rule = Readonly<Record<string, Plain>>;
async function faults(...rules: readonly Rule[]): Promise<void> {
  const answer = await scene.admin.post('/admin/faults/', { seed: 7, rules });
  expect(answer.status).toBe(200);
}

const open = async (market: TestMarket): Promise<number> =>
  (await scene.as('alice').get('/orders/', { market: market.market })).number('pagination.total');
const batchOf = ({ market }: TestMarket, count: number) => ({
  orders: Array.from({ length: count }, (_, at) => ({
    market,
    side: 'bid',
    currency: 'OOM',
    position: 'long',
    price: (at + 1) / 100,
    shares: '10',
  })),
});

describe('requests', () => {
  test('lose_answer: the order is taken, the connection ends without an answer', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/', kind: 'lose_answer', nth: 1 });
    await expect(scene.order('alice', market, {})).rejects.toThrow(/closed|ECONNRESET/);
    expect(await open(market)).toBe(1);
  });

  test('lose_answer: sent again under its key, the stored response comes and nothing new', async () => {
    const market = await scene.market();
    const sending = { headers: { 'Idempotency-Key': `lost-${freshId()}` } };
    const body = { ...batchOf(market, 1).orders[0]! };
    await faults({ on: 'POST /orders/', kind: 'lose_answer', nth: 1 });
    await expect(scene.as('alice').post('/orders/', body, sending)).rejects.toThrow(/closed|ECONNRESET/);
    const again = await scene.as('alice').post('/orders/', body, sending);
    expect(again.status).toBe(201);
    expect(await open(market)).toBe(1);
  });

  test('delay: the answer comes late, the effect at once', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/', kind: 'delay', ms: 300, nth: 1 });
    const answer = await scene.order('alice', market, {});
    expect(answer.status).toBe(201);
    expect(Date.now() - Date.parse(String(answer.at('created_at')))).toBeGreaterThanOrEqual(295);
    expect(await open(market)).toBe(1);
  });

  test('error_before: 500, no effect', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/', kind: 'error_before', nth: 1 });
    expect((await scene.order('alice', market, {})).status).toBe(500);
    expect(await open(market)).toBe(0);
  });

  test('error_after: 500, the effect stands', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/', kind: 'error_after', nth: 1 });
    expect((await scene.order('alice', market, {})).status).toBe(500);
    expect(await open(market)).toBe(1);
  });

  test('rate_limit: 429 with Retry-After, also of an hour, no effect', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/', kind: 'rate_limit', ms: 3_600_000, nth: 1 });
    const answer = await scene.order('alice', market, {});
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3600']);
    expect(await open(market)).toBe(0);
  });

  test('reset: the connection ends, no effect', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/', kind: 'reset', nth: 1 });
    await expect(scene.order('alice', market, {})).rejects.toThrow(/closed|ECONNRESET/);
    expect(await open(market)).toBe(0);
  });

  test('half_applied: the first half of a batch stands, 500', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/batch/', kind: 'half_applied', nth: 1 });
    const answer = await scene.as('alice').post('/orders/batch/', batchOf(market, 5));
    expect(answer.status).toBe(500);
    expect(await open(market)).toBe(3);
  });

  test('half_applied on an update: canceled, and not created again', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, {});
    await faults({ on: 'POST /orders/batch-update/', kind: 'half_applied', nth: 1 });
    const answer = await scene.as('alice').post('/orders/batch-update/', { orders: [{ id, price: '0.4' }] });
    expect(answer.at('0')).toMatchObject({ order_id: id, success: false, errors: expect.any(String) });
    expect(await open(market)).toBe(0);
  });

  test('half_applied on a batch cancel: the first half is canceled, 500', async () => {
    const market = await scene.market();
    const created = await scene.as('alice').post('/orders/batch/', batchOf(market, 4));
    const order_ids = [0, 1, 2, 3].map((at) => created.number(`results.${at}.order.id`));
    await faults({ on: 'POST /orders/batch-cancel/', kind: 'half_applied', nth: 1 });
    expect((await scene.as('alice').post('/orders/batch-cancel/', { order_ids })).status).toBe(500);
    expect(await open(market)).toBe(2);
  });

  test('stale_book: the book that was read before', async () => {
    const market = await scene.market();
    const path = `/markets/${market.market}/book/`;
    const bids = async (): Promise<number> =>
      (await scene.nobody.get(path, { currency_mode: 'play_money' })).list('bid').length;
    expect(await bids()).toBe(0);
    await scene.place('alice', market, {});
    await faults({ on: 'GET /markets/{id}/book/', kind: 'stale_book', nth: 1 });
    expect(await bids()).toBe(0);
    expect(await bids()).toBe(1);
  });

  test('empty_list: a listing of nothing with 200', async () => {
    const market = await scene.market();
    await scene.place('alice', market, {});
    await faults({ on: 'GET /orders/', kind: 'empty_list', nth: 1 });
    const answer = await scene.as('alice').get('/orders/', { market: market.market });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ pagination: { total: 0, next: null }, results: [] });
    expect(await open(market)).toBe(1);
  });

  test('html_answer: 200 with a page', async () => {
    await faults({ on: 'GET /me/', kind: 'html_answer', nth: 1 });
    const answer = await scene.as('alice').get('/me/');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.text).toMatch(/^<!doctype html>/);
  });

  test('clock_skew: another time for the clock window, and in the Date header', async () => {
    await faults({ on: 'GET /me/', kind: 'clock_skew', ms: 3_600_000, probability: 1 });
    const refused = await scene.as('alice').get('/me/');
    expect(refused.at('error')).toBe('ExpiredTimestamp');
    expect(Date.parse(String(refused.headers['date'])) / 1_000 - unixNow()).toBeGreaterThan(3_590);
    expect((await scene.as('alice').get('/me/', {}, { timestamp: unixNow() + 3_600 })).status).toBe(200);
  });

  test('slow_processing: the order stays processing', async () => {
    const market = await scene.market();
    await faults({ on: 'POST /orders/', kind: 'slow_processing', ms: 200, nth: 1 });
    expect((await scene.order('alice', market, {})).at('status')).toBe('processing');
    await expect.poll(() => open(market)).toBe(1);
  });
});

describe('rules', () => {
  test('nth: that match alone', async () => {
    await faults({ on: 'GET /me/', kind: 'error_before', nth: 3 });
    const statuses: number[] = [];
    for (let at = 0; at < 5; at++) statuses.push((await scene.as('alice').get('/me/')).status);
    expect(statuses).toEqual([200, 200, 500, 200, 200]);
  });

  test('probability: the same seed, the same matches', async () => {
    const rounds: number[][] = [];
    for (let round = 0; round < 2; round++) {
      await faults({ on: 'GET /me/', kind: 'error_before', probability: 0.5 });
      const statuses: number[] = [];
      for (let at = 0; at < 20; at++) statuses.push((await scene.as('alice').get('/me/')).status);
      rounds.push(statuses);
    }
    expect(rounds[0]).toEqual(rounds[1]);
    expect(new Set(rounds[0])).toEqual(new Set([200, 500]));
  });

  test('both spellings of a path match', async () => {
    await faults({ on: 'GET /me/', kind: 'error_before', nth: 1 });
    expect((await scene.as('alice').get('/v2.0/me/')).status).toBe(500);
  });

  test.each([
    ['kind', { on: 'GET /me/', kind: 'explode', nth: 1 }],
    ['kind', { on: 'POST /orders/', kind: 'drop_ws', nth: 1 }],
    ['kind', { on: 'POST /orders/', kind: 'empty_list', nth: 1 }],
    ['kind', { on: 'ws', kind: 'lose_answer', nth: 1 }],
    ['on', { on: 'everything', kind: 'reset', nth: 1 }],
    ['on', { on: 'POST /order/', kind: 'reset', nth: 1 }],
    ['probability', { on: 'GET /me/', kind: 'reset' }],
    ['nth', { on: 'GET /me/', kind: 'reset', nth: 0 }],
    ['probability', { on: 'GET /me/', kind: 'reset', probability: 1.5 }],
  ])('%s of %j is refused, and the old plan stays', async (field, rule) => {
    await faults({ on: 'GET /me/', kind: 'error_before', nth: 1 });
    const answer = await scene.admin.post('/admin/faults/', { seed: 1, rules: [rule] });
    expect(answer.status).toBe(400);
    expect(answer.at('fields')).toEqual({ [`rules.0.${field}`]: [expect.any(String)] });
    expect((await scene.as('alice').get('/me/')).status).toBe(500);
  });
});

describe('frames', () => {
  const prices = (frames: readonly { readonly data?: unknown }[]): readonly unknown[] =>
    frames.map(({ data }) => (data as { bid: readonly { price: number }[] }).bid[0]?.price);
  const listening = async () => {
    const market = await scene.market();
    const client = await scene.listening([`event-${market.event}`]);
    return { market, client };
  };
  /** Two book updates; each comes with one `best-prices-change`, so the updates are frames 1 and 3. */
  const twoUpdates = async (market: TestMarket): Promise<void> => {
    await scene.place('alice', market, { price: 0.2 });
    await scene.place('alice', market, { price: 0.3 });
  };

  test('frame_lose', async () => {
    const { market, client } = await listening();
    await faults({ on: 'ws', kind: 'frame_lose', nth: 1 });
    await twoUpdates(market);
    await client.settled();
    expect(prices(client.ofEvent('order-book-update'))).toEqual([0.3]);
  });

  test('frame_dup', async () => {
    const { market, client } = await listening();
    await faults({ on: 'ws', kind: 'frame_dup', nth: 1 });
    await twoUpdates(market);
    await client.settled();
    expect(prices(client.ofEvent('order-book-update'))).toEqual([0.2, 0.2, 0.3]);
  });

  test('frame_delay', async () => {
    const { market, client } = await listening();
    await faults({ on: 'ws', kind: 'frame_delay', ms: 2_000, nth: 1 });
    await twoUpdates(market);
    await expect.poll(() => prices(client.ofEvent('order-book-update'))).toEqual([0.3, 0.2]);
  });

  test('frame_reorder: the next frame comes first', async () => {
    const { market, client } = await listening();
    await faults({ on: 'ws', kind: 'frame_reorder', nth: 1 });
    await scene.place('alice', market, { price: 0.2 });
    await client.settled();
    const events = client.frames.map(({ event }) => event).filter((event) => !event.startsWith('pusher'));
    expect(events).toEqual(['best-prices-change', 'order-book-update']);
  });

  test('frame_reorder: with nothing to overtake it, it comes later', async () => {
    const client = await scene.listening(['test-channel']);
    await faults({ on: 'ws', kind: 'frame_reorder', ms: 100, nth: 1 });
    await scene.admin.post('/admin/test-event/');
    expect((await client.next('test-event')).channel).toBe('test-channel');
  });

  test('drop_ws', async () => {
    const { market, client } = await listening();
    await faults({ on: 'ws', kind: 'drop_ws', nth: 2 });
    await twoUpdates(market);
    expect((await client.goodbye).code).toBe(1006);
  });

  test('mute_private: the private channel goes mute, the public ones go on', async () => {
    const market = await scene.market();
    const client = await scene.listening([`event-${market.event}`], 'alice');
    await faults({ on: 'ws', kind: 'mute_private', ms: 300, nth: 1 });
    await scene.place('alice', market, { price: 0.2 });
    await client.settled();
    expect(client.ofEvent('order-update')).toHaveLength(0);
    expect(client.ofEvent('order-book-update')).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 320));
    await scene.place('alice', market, { price: 0.3 });
    await client.next('order-update');
  });
});
