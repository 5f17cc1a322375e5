/** Specification 8 and facts "Limits": every limit, one test per row; and 9, versioning. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNT_IDS,
  ContractScene,
  orderInput,
  freshId,
  type TestMarket,
} from '../support/contract/contract-scene.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

const input = (market: TestMarket) => ({ ...orderInput(market), shares: '1' });

describe('8 limits of the specification', () => {
  test.each([0, 21])('%s items in a batch create: 400, naming the field', async (count) => {
    const orders = Array.from({ length: count }, () => input({ event: 1, market: 2231 }));
    const answer = await scene.as('alice').post('/orders/batch/', { orders });
    expect(answer.status).toBe(400);
    expect(answer.at('fields.orders')).toEqual([expect.any(String)]);
  });

  test.each([1, 20])('%s items in a batch create', async (count) => {
    const market = await scene.market();
    const orders = Array.from({ length: count }, (_, at) => ({ ...input(market), price: (at + 1) / 100 }));
    const answer = await scene.as('alice').post('/orders/batch/', { orders });
    expect(answer.list('results')).toHaveLength(count);
    expect(answer.at(`results.${count - 1}.success`)).toBe(true);
  });

  test.each([0, 21])('%s items in a batch update: 400, naming the field', async (count) => {
    const orders = Array.from({ length: count }, (_, at) => ({ id: at + 1, price: '0.5' }));
    const answer = await scene.as('alice').post('/orders/batch-update/', { orders });
    expect(answer.status).toBe(400);
    expect(answer.at('fields.orders')).toEqual([expect.any(String)]);
  });

  test('20 items in a batch update', async () => {
    const orders = Array.from({ length: 20 }, (_, at) => ({ id: 900_000_000 + at, price: '0.5' }));
    expect((await scene.as('alice').post('/orders/batch-update/', { orders })).list()).toHaveLength(20);
  });

  test('at least one id in a batch cancel, and more than twenty are taken', async () => {
    expect((await scene.as('alice').post('/orders/batch-cancel/', { order_ids: [] })).status).toBe(400);
    const order_ids = Array.from({ length: 200 }, (_, at) => 900_000_000 + at);
    const answer = await scene.as('alice').post('/orders/batch-cancel/', { order_ids });
    expect(answer.list()).toHaveLength(200);
  });

  test('the currency filter has at most 4 characters', async () => {
    expect((await scene.as('alice').get('/orders/', { currency: 'USDC' })).status).toBe(200);
    expect(
      (await scene.as('alice').get('/orders/', { currency: 'USDCX' })).at('fields.currency'),
    ).toBeDefined();
  });

  test('search has at most 255 characters, however many bytes', async () => {
    expect((await scene.as('alice').get('/orders/', { search: '😀'.repeat(255) })).status).toBe(200);
    const answer = await scene.as('alice').get('/orders/', { search: 'x'.repeat(256) });
    expect(answer.at('fields.search')).toBeDefined();
  });

  test.each([
    ['0', 400],
    ['0.01', 201],
    ['0.99', 201],
    ['1', 400],
  ])('a price of %s: %s', async (price, status) => {
    expect((await scene.order('alice', await scene.market(), { price, shares: '1' })).status).toBe(status);
  });

  test('5 levels per order-book-update', async () => {
    const market = await scene.market();
    const client = await scene.listening([`event-${market.event}`]);
    const orders = Array.from({ length: 8 }, (_, at) => ({ ...input(market), price: (at + 1) / 100 }));
    await scene.as('alice').post('/orders/batch/', { orders });
    const frame = await client.next('order-book-update');
    expect(frame.data).toMatchObject({ top_n: 5, bid: { length: 5 } });
  });
});

describe('rate limits', () => {
  test('2,000 a minute for one key, then 429 with Retry-After; other keys go on', async () => {
    const limited = await ContractScene.start({ rateLimit: { perMinute: 5, perDay: 1_000 } });
    const statuses: number[] = [];
    for (let at = 0; at < 6; at++) statuses.push((await limited.as('alice').get('/me/')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await limited.as('alice').post('/orders/cancel-all/');
    expect(refused.body).toEqual({ error: 'Throttled', detail: expect.any(String) });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await limited.as('bob').get('/me/')).status).toBe(200);
    await limited.close();
  });

  test('of two keys of one account each has its own', async () => {
    const limited = await ContractScene.start({ rateLimit: { perMinute: 1, perDay: 1_000 } });
    expect((await limited.as('alice').get('/me/')).status).toBe(200);
    expect((await limited.as('alice').get('/me/')).status).toBe(429);
    expect((await limited.as('alice', 'guard').get('/me/')).status).toBe(200);
    await limited.close();
  });

  test('a limit per day, with the hours until it is over', async () => {
    const limited = await ContractScene.start({ rateLimit: { perMinute: 100, perDay: 1 } });
    expect((await limited.as('alice').get('/me/')).status).toBe(200);
    const refused = await limited.as('alice').get('/me/');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    await limited.close();
  });

  test('authentication comes first, and its refusals do not count', async () => {
    const limited = await ContractScene.start({ rateLimit: { perMinute: 1, perDay: 1_000 } });
    for (let at = 0; at < 3; at++) {
      const forged = await limited.as('alice').get('/me/', {}, { headers: { HMAC: '0'.repeat(128) } });
      expect(forged.status).toBe(401);
    }
    expect((await limited.as('alice').get('/me/')).status).toBe(200);
    await limited.close();
  });

  test('the limit comes before the schema', async () => {
    const limited = await ContractScene.start({ rateLimit: { perMinute: 1, perDay: 1_000 } });
    expect((await limited.as('alice').post('/orders/', { side: 1 })).status).toBe(400);
    expect((await limited.as('alice').post('/orders/', { side: 1 })).status).toBe(429);
    await limited.close();
  });
});

describe('the same POST twice within a second', () => {
  test.each(['/orders/', '/orders/batch/'])('%s: wager_action_duplicated', async (path) => {
    const market = await scene.market();
    const body = path === '/orders/' ? input(market) : { orders: [input(market)] };
    const twins = await Promise.all([1, 2].map(() => scene.as('alice').post(path, body)));
    const [taken, refused] = twins.toSorted((a, b) => a.status - b.status);
    expect(taken?.status).toBeLessThan(300);
    expect(refused?.status).toBe(400);
    expect(refused?.at('error')).toBe('wager_action_duplicated');
  });

  test('after a second it is a new request', async () => {
    const market = await scene.market();
    expect((await scene.order('alice', market, {})).status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await scene.order('alice', market, {})).status).toBe(201);
  });

  test('another account, another path, another content are not the same', async () => {
    const market = await scene.market();
    expect((await scene.order('alice', market, {})).status).toBe(201);
    expect((await scene.order('bob', market, {})).status).toBe(201);
    expect((await scene.order('alice', market, { shares: '11' })).status).toBe(201);
  });

  test('a replay under the same Idempotency-Key is answered, not refused', async () => {
    const market = await scene.market();
    const headers = { 'Idempotency-Key': `replay-${freshId()}` };
    const first = await scene.as('alice').post('/orders/', input(market), { headers });
    const second = await scene.as('alice').post('/orders/', input(market), { headers });
    expect(second.text).toBe(first.text);
  });

  test('cancels and updates may be repeated', async () => {
    const id = await scene.place('alice', await scene.market(), {});
    for (const path of ['/orders/batch-cancel/', '/orders/batch-cancel/']) {
      expect((await scene.as('alice').post(path, { order_ids: [id] })).status).toBe(200);
    }
  });
});

describe('books of some age', () => {
  test('bookCacheMs: the same book again until it is over', async () => {
    const cached = await ContractScene.start({ bookCacheMs: 3_000 });
    const market = await cached.market();
    const read = async (): Promise<number> => {
      const path = `/markets/${market.market}/book/`;
      return (await cached.nobody.get(path, { currency_mode: 'play_money' })).list('bid').length;
    };
    expect(await read()).toBe(0);
    await cached.place('alice', market, {});
    expect(await read()).toBe(0);
    await expect.poll(read, { timeout: 30_000 }).toBe(1);
    await cached.close();
  });
});

describe('messages of at most 10 KB', () => {
  test('price-change drops trailing markets', async () => {
    const event = freshId();
    const markets = Array.from({ length: 120 }, () => ({ id: freshId(), title: 'Long title '.repeat(10) }));
    await scene.admin.post('/admin/events/', { id: event, title: 'Many', markets });
    const client = await scene.listening(['event']);
    const sizes: number[] = [];
    client.websocket.on('message', (bytes: Buffer) => sizes.push(bytes.length));
    await scene.holding('alice', 'bob', { event, market: markets[0]!.id }, '1');
    const frame = await client.next('price-change', ({ data }) => (data as { id: number }).id === event);
    const kept = (frame.data as { markets: readonly unknown[] }).markets.length;
    expect(kept).toBeGreaterThan(20);
    expect(kept).toBeLessThan(120);
    expect(Math.max(...sizes)).toBeGreaterThan(9_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10_240);
  });

  test('what cannot be shortened is not sent', async () => {
    const market = await scene.market();
    const client = await scene.listening(['event']);
    const extraData = { text: 'x'.repeat(11_000) };
    const answer = await scene.admin.post(`/admin/events/${market.event}/live/`, { isLive: true, extraData });
    expect(answer.status).toBe(200);
    await client.settled();
    const seen = client.ofEvent('live-data-update').map(({ data }) => (data as { id: number }).id);
    expect(seen).not.toContain(market.event);
  });
});

describe('9 versioning', () => {
  test('references and pages keep the path that was asked', async () => {
    await scene.place('alice', await scene.market(), {});
    await scene.place('alice', await scene.market(), {});
    const answer = await scene.as('alice').get('/v2.0/orders/', { limit: 1 });
    expect(new URL(String(answer.at('pagination.next'))).pathname).toBe('/v2.0/orders/');
  });

  test('the authorisation path of 4.17 stands under /v2.0/', async () => {
    const channel = `private-user-${ACCOUNT_IDS.bob}`;
    expect((await scene.authorise('bob', channel, '12.34')).status).toBe(200);
  });
});
