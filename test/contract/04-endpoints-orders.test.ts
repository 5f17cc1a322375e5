/** Specification 4.4 to 4.10: creating, listing, updating and cancelling orders. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractScene, freshId, orderInput, type TestMarket } from '../support/contract/contract-scene.js';
import { idsOf, type Query, type WireAnswer } from '../support/wire/venue-client.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('4.4 POST /orders/', () => {
  test.each(['/orders/', '/v2.0/orders/'])('%s creates with 201', async (path) => {
    const answer = await scene.as('alice').post(path, orderInput(await scene.market()));
    expect(answer.status).toBe(201);
    expect(answer.at('status')).toBe('open');
  });

  test('an order that meets another fills at the resting price', async () => {
    const market = await scene.market();
    await scene.place('bob', market, { position: 'short', price: 0.6, shares: '10' });
    const answer = await scene.order('alice', market, { price: 0.55 });
    expect(answer.body).toMatchObject({ status: 'filled', price: 0.55 });
    const wagers = await scene.as('alice').get('/wagers/', { event: market.event });
    expect(wagers.at('results.0.purchases_amount')).toBe(4);
  });

  test('both sellers of complementary positions redeem the pair', async () => {
    const market = await scene.market();
    await scene.holding('alice', 'bob', market, '10');
    await scene.place('alice', market, { side: 'ask', position: 'long', price: 0.4, shares: '10' });
    const answer = await scene.order('bob', market, { side: 'ask', position: 'short', price: 0.6 });
    expect(answer.at('status')).toBe('filled');
    const ledger = await scene.admin.get('/admin/ledger/');
    expect(ledger.at('sum.OOM')).toBe('0');
  });

  test('a market order that finds nothing is canceled, never rests', async () => {
    const answer = await scene.order('alice', await scene.market(), { price: null, shares: '5' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ status: 'canceled', price: null });
  });

  test('a market order by amount spends at most the amount', async () => {
    const market = await scene.market();
    await scene.place('bob', market, { position: 'short', price: 0.6, shares: '10' });
    const { shares: _shares, ...rest } = orderInput(market);
    const answer = await scene.as('alice').post('/orders/', { ...rest, price: null, amount: '2' });
    expect(answer.body).toMatchObject({ status: 'filled', shares: 5, amount: 2 });
  });
});

describe('4.5 GET /orders/', () => {
  let first: TestMarket;
  let second: TestMarket;
  let categorised: TestMarket;
  const category = freshId();
  let open: number;
  let partial: number;
  let filled: number;
  let canceled: number;
  let real: number;
  beforeAll(async () => {
    [first, second] = (await scene.event(2)) as [TestMarket, TestMarket];
    categorised = await scene.market({
      category: { id: category, name: 'Weather' },
      title: `Will it snow in ${category}?`,
    });
    open = await scene.place('carol', first, { price: 0.2, shares: '7' });
    partial = await scene.place('carol', first, { price: 0.5, shares: '10' });
    await scene.place('bob', first, { position: 'short', price: 0.5, shares: '4' });
    filled = await scene.place('carol', second, { price: 0.5, shares: '4' });
    await scene.place('bob', second, { position: 'short', price: 0.5, shares: '4' });
    canceled = await scene.place('carol', second, { price: 0.3 });
    await scene.as('carol').patch(`/orders/${canceled}/cancel/`);
    real = await scene.place('carol', categorised, { price: 0.4, currency: 'USDC', position: 'short' });
  });
  const list = (query: Query): Promise<WireAnswer> =>
    scene.as('carol').get('/orders/', { limit: 100, ...query });
  /** Of the orders above: the account may have others in an exchange that is not ours alone. */
  const found = async (query: Query): Promise<readonly number[]> =>
    idsOf(await list(query)).filter((id) => [open, partial, filled, canceled, real].includes(id));

  test.each(['/orders/', '/v2.0/orders/'])('%s: open orders by default, newest first', async (path) => {
    const answer = await scene.as('carol').get(path);
    expect(answer.status).toBe(200);
    expect(idsOf(answer).slice(0, 2)).toEqual([real, open]);
  });

  test('status', async () => {
    const event = first.event;
    expect(await found({ status: 'open', event })).toEqual([open]);
    expect(await found({ status: 'partial_filled', event })).toEqual([partial]);
    expect(await found({ status: 'filled', event })).toEqual([filled]);
    expect(await found({ status: 'canceled', event })).toEqual([canceled]);
    expect(await found({ status: 'processing', event })).toEqual([]);
  });

  test('side', async () => {
    expect(await found({ side: 'bid' })).toEqual([real, open]);
    expect(await found({ side: 'ask' })).toEqual([]);
  });

  test('market', async () => {
    expect(await found({ market: first.market })).toEqual([open]);
  });

  test('event', async () => {
    expect(await found({ event: categorised.event })).toEqual([real]);
  });

  test('currency', async () => {
    expect(await found({ currency: 'USDC' })).toEqual([real]);
    expect(await found({ currency: 'usdc' })).toEqual([real]);
  });

  test('currency_mode', async () => {
    expect(await found({ currency_mode: 'play_money' })).toEqual([open]);
    expect(await found({ currency_mode: 'real_money' })).toEqual([real]);
  });

  test('currencies, repeated', async () => {
    expect(await found({ currencies: ['USDC', 'USD'] })).toEqual([real]);
    expect(await found({ currencies: ['USDC', 'OOM'] })).toEqual([real, open]);
  });

  test('categories, repeated', async () => {
    expect(await found({ categories: [String(category)] })).toEqual([real]);
    expect(await found({ categories: [String(category), '1'] })).toContain(real);
    expect(await found({ categories: ['999999'] })).toEqual([]);
  });

  test('search', async () => {
    expect(await found({ search: `snow ${category}` })).toEqual([real]);
    expect(await found({ search: 'no such words' })).toEqual([]);
  });

  test('ordering, ascending and descending', async () => {
    expect(await found({ ordering: 'price' })).toEqual([open, real]);
    expect(await found({ ordering: '-price' })).toEqual([real, open]);
    expect((await list({ ordering: 'colour' })).at('fields.ordering')).toBeDefined();
  });

  test('limit', async () => {
    const answer = await list({ limit: 1 });
    expect(idsOf(answer)).toEqual([real]);
    expect(answer.at('pagination.page_size')).toBe(1);
  });

  test('offset', async () => {
    expect(idsOf(await list({ limit: 1, offset: 1 }))).toEqual([open]);
  });

  test('results are orders of 2.3', async () => {
    expect((await list({ market: first.market })).at('results.0')).toEqual({
      id: open,
      market: first.market,
      side: 'bid',
      currency: 'OOM',
      price: 0.2,
      shares: 7,
      amount: 1.4,
      position: 'long',
      status: 'open',
      expired_at: null,
      created_at: expect.any(String),
    });
  });

  test.each([
    ['status', 'resting'],
    ['side', 'buy'],
    ['market', 'abc'],
    ['event', '-1'],
    ['currency', 'DOLLAR'],
    ['currency_mode', 'gold'],
    ['categories', 'x'],
    ['limit', 'many'],
    ['offset', '1.5'],
    ['search', 'x'.repeat(256)],
  ])('%s=%s is refused, naming the field', async (field, value) => {
    const answer = await list({ [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.at(`fields.${field}`)).toEqual([expect.any(String)]);
  });
});

describe('4.6 PATCH /orders/{id}/cancel/', () => {
  test.each(['', '/v2.0'])('%s answers 204 and nothing', async (prefix) => {
    const id = await scene.place('alice', await scene.market(), {});
    const answer = await scene.as('alice').patch(`${prefix}/orders/${id}/cancel/`);
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('404 for an order that there is not, or of another account', async () => {
    const id = await scene.place('bob', await scene.market(), {});
    expect((await scene.as('alice').patch(`/orders/${id}/cancel/`)).status).toBe(404);
    expect((await scene.as('alice').patch('/orders/999999999/cancel/')).status).toBe(404);
  });
});

describe('4.7 POST /orders/batch/', () => {
  test.each(['/orders/batch/', '/v2.0/orders/batch/'])('%s: results in request order', async (path) => {
    const market = await scene.market();
    const orders = [0.1, 0.2, 0.3].map((price) => ({ ...orderInput(market), price }));
    const answer = await scene.as('alice').post(path, { orders });
    expect(answer.status).toBe(200);
    expect(answer.list('results')).toEqual(
      [0.1, 0.2, 0.3].map((price, index) => ({
        index,
        success: true,
        order: expect.objectContaining({ price }),
      })),
    );
  });

  test('a failed item carries a code or fields, and the others stand', async () => {
    const market = await scene.market();
    const orders = [
      { ...orderInput(market), shares: '0' },
      { ...orderInput(market), price: 'abc' },
      { ...orderInput(market), price: 0.42 },
      { ...orderInput(market), shares: '900000000', price: 0.99 },
      7,
    ] as const;
    const answer = await scene.as('alice').post('/orders/batch/', { orders });
    expect(answer.status).toBe(200);
    expect(answer.list('results')).toEqual([
      { index: 0, success: false, errors: 'InvalidShares' },
      { index: 1, success: false, errors: { price: [expect.any(String)] } },
      { index: 2, success: true, order: expect.objectContaining({ price: 0.42 }) },
      { index: 3, success: false, errors: 'OrderBookInvalidAmount' },
      { index: 4, success: false, errors: expect.any(Object) },
    ]);
  });

  test('cancelled_existing_order_ids', async () => {
    const market = await scene.market();
    const resting = await scene.place('alice', market, { price: 0.6 });
    const orders = [
      { ...orderInput(market), position: 'short', price: 0.5, cancel_conflicting_orders: true },
    ];
    const answer = await scene.as('alice').post('/orders/batch/', { orders });
    expect(answer.at('cancelled_existing_order_ids')).toEqual([resting]);
    const nothing = await scene.as('alice').post('/orders/batch/', {
      orders: [{ ...orderInput(await scene.market()) }],
    });
    expect(nothing.at('cancelled_existing_order_ids')).toEqual([]);
  });
});

describe('4.8 POST /orders/batch-update/', () => {
  const update = (orders: readonly Record<string, string | number | null>[]): Promise<WireAnswer> =>
    scene.as('alice').post('/orders/batch-update/', { orders });

  test.each(['/orders/batch-update/', '/v2.0/orders/batch-update/'])('%s: a bare array', async (path) => {
    const market = await scene.market();
    const one = await scene.place('alice', market, { price: 0.3 });
    const two = await scene.place('alice', market, { price: 0.2 });
    const orders = [
      { id: two, price: '0.21' },
      { id: one, shares: '3' },
    ];
    const answer = await scene.as('alice').post(path, { orders });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      { index: 0, order_id: two, success: true, order: expect.objectContaining({ price: 0.21, shares: 10 }) },
      { index: 1, order_id: one, success: true, order: expect.objectContaining({ price: 0.3, shares: 3 }) },
    ]);
  });

  test('id is required', async () => {
    const answer = await update([{ price: '0.4' }]);
    expect(answer.at('0')).toMatchObject({ index: 0, success: false, errors: { id: ['is required'] } });
  });

  test('shares: the whole size of the replacement', async () => {
    const id = await scene.place('alice', await scene.market(), { shares: '10' });
    expect((await update([{ id, shares: '4.5' }])).at('0.order.shares')).toBe(4.5);
  });

  test('price', async () => {
    const id = await scene.place('alice', await scene.market(), {});
    expect((await update([{ id, price: '0.11' }])).at('0.order.price')).toBe(0.11);
  });

  test('expired_at: a time, null removes it, omitted keeps it', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const market = await scene.market();
    const id = await scene.place('alice', market, { expired_at: later });
    const kept = await update([{ id, price: '0.4' }]);
    expect(new Date(String(kept.at('0.order.expired_at'))).toISOString()).toBe(later);
    const removed = await update([{ id: kept.number('0.order.id'), expired_at: null }]);
    expect(removed.at('0.order.expired_at')).toBeNull();
  });

  test('a failure does not block the others and leaves its order untouched', async () => {
    const market = await scene.market();
    const one = await scene.place('alice', market, { price: 0.3 });
    const two = await scene.place('alice', market, { price: 0.2 });
    const answer = await update([
      { id: one, price: '1.7' },
      { id: two, price: '0.25' },
      { id: 999_999_999, price: '0.4' },
      { id: one, shares: '0' },
    ]);
    expect(answer.list().map((_, at) => answer.at(`${at}.success`))).toEqual([false, true, false, false]);
    expect(answer.at('0.errors.price')).toEqual([expect.any(String)]);
    expect(answer.at('2.errors')).toEqual(expect.any(String));
    expect(answer.at('3.errors')).toBe('InvalidShares');
    const open = await scene.as('alice').get('/orders/', { market: market.market });
    expect(idsOf(open)).toContain(one);
  });

  test('only open orders: a partially filled one is refused', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { shares: '10' });
    await scene.place('bob', market, { position: 'short', shares: '4' });
    expect((await update([{ id, price: '0.4' }])).at('0')).toMatchObject({ success: false });
  });

  test('the replacement is last in time at its price', async () => {
    const market = await scene.market();
    const first = await scene.place('alice', market, { shares: '5' });
    await scene.place('carol', market, { shares: '5' });
    await update([{ id: first, shares: '4' }]);
    await scene.place('bob', market, { position: 'short', shares: '5' });
    const carols = await scene.as('carol').get('/orders/', { market: market.market, status: 'filled' });
    expect(carols.at('pagination.total')).toBe(1);
  });
});

describe('4.9 POST /orders/batch-cancel/', () => {
  test.each(['/orders/batch-cancel/', '/v2.0/orders/batch-cancel/'])('%s: in request order', async (path) => {
    const market = await scene.market();
    const mine = await scene.place('alice', market, { price: 0.3 });
    const other = await scene.place('bob', market, { price: 0.2 });
    const answer = await scene.as('alice').post(path, { order_ids: [other, mine, 999_999_999] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      { index: 0, order_id: other, success: false, error: expect.any(String) },
      { index: 1, order_id: mine, success: true },
      { index: 2, order_id: 999_999_999, success: false, error: expect.any(String) },
    ]);
  });

  test.each([
    ['no order_ids', {}],
    ['an empty list', { order_ids: [] }],
    ['a list of texts', { order_ids: ['1'] }],
    ['a fraction', { order_ids: [1.5] }],
  ])('400 for %s', async (_what, body) => {
    const answer = await scene.as('alice').post('/orders/batch-cancel/', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.at('fields') as object)[0]).toMatch(/^order_ids/);
  });
});

describe('4.10 POST /orders/cancel-all/', () => {
  let first: TestMarket;
  let second: TestMarket;
  let elsewhere: TestMarket;
  let orders: readonly number[];
  const place = async (): Promise<void> => {
    const made: number[] = [];
    [first, second] = (await scene.event(2)) as [TestMarket, TestMarket];
    elsewhere = await scene.market();
    for (const market of [first, second, elsewhere])
      made.push(await scene.place('poor', market, { price: 0.02, shares: '1' }));
    orders = made;
  };
  const cancelAll = (body: Record<string, number>): Promise<WireAnswer> =>
    scene.as('poor').post('/orders/cancel-all/', body);

  test('market', async () => {
    await place();
    const answer = await cancelAll({ market: first.market });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ canceled_order_ids: [orders[0]], processing_order_ids: [] });
    await cancelAll({});
  });

  test('event', async () => {
    await place();
    expect((await cancelAll({ event: first.event })).at('canceled_order_ids')).toEqual(orders.slice(0, 2));
    await cancelAll({});
  });

  test('event and market combined', async () => {
    await place();
    expect(
      (await cancelAll({ event: first.event, market: elsewhere.market })).at('canceled_order_ids'),
    ).toEqual([]);
    expect((await cancelAll({ event: first.event, market: second.market })).at('canceled_order_ids')).toEqual(
      [orders[1]],
    );
    await cancelAll({});
  });

  test.each(['/orders/cancel-all/', '/v2.0/orders/cancel-all/'])(
    '%s without a body: every order',
    async (path) => {
      await place();
      const answer = await scene
        .as('poor')
        .post(path, {}, { text: '', headers: { 'content-type': undefined } });
      expect(answer.status).toBe(200);
      expect(answer.at('canceled_order_ids')).toEqual(orders);
    },
  );

  test.each(['event', 'market'])(
    '%s of the wrong type is refused, and nothing is canceled',
    async (field) => {
      await place();
      const answer = await scene.as('poor').post('/orders/cancel-all/', { [field]: 'all' });
      expect(answer.status).toBe(400);
      expect(answer.at(`fields.${field}`)).toBeDefined();
      expect((await cancelAll({})).at('canceled_order_ids')).toEqual(orders);
    },
  );
});
