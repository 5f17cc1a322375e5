/** Specification 2.3 and 2.4: orders as they are shown and as they are created, one test per row of the tables. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractScene, orderInput, type TestMarket } from '../support/contract/contract-scene.js';
import { ISO_TIME } from '../support/wire/wire-matchers.js';
import type { WireAnswer } from '../support/wire/venue-client.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('2.3 limit order', () => {
  let market: TestMarket;
  let created: WireAnswer;
  let listed: WireAnswer;
  beforeAll(async () => {
    market = await scene.market();
    created = await scene.order('alice', market, { price: 0.37, shares: '12.5' });
    listed = await scene.as('alice').get('/orders/', { market: market.market });
  });

  const rows: readonly (readonly [string, unknown])[] = [
    ['id', expect.any(Number)],
    ['side', 'bid'],
    ['currency', 'OOM'],
    ['price', 0.37],
    ['shares', 12.5],
    ['amount', 4.625],
    ['position', 'long'],
    ['status', 'open'],
    ['expired_at', null],
    ['created_at', expect.stringMatching(ISO_TIME)],
  ];
  test.each(rows)('%s, as created and as listed', (field, value) => {
    expect(created.at(field)).toEqual(value);
    expect(listed.at(`results.0.${field}`)).toEqual(created.at(field));
  });

  test('market', () => {
    expect(created.at('market')).toBe(market.market);
    expect(listed.at('results.0.market')).toBe(market.market);
  });

  test('price is null for a market order', async () => {
    await scene.place('bob', market, { position: 'short', price: 0.5, shares: '3' });
    const answer = await scene.order('carol', market, { price: null, shares: '2' });
    expect(answer.status).toBe(201);
    expect(answer.at('price')).toBeNull();
  });

  test('nothing else stands in it', () => {
    expect(Object.keys(created.body as object)).toEqual([
      'id',
      'market',
      'side',
      'currency',
      'price',
      'shares',
      'amount',
      'position',
      'status',
      'expired_at',
      'created_at',
    ]);
  });
});

describe('2.3 the order object inside batch results', () => {
  let market: TestMarket;
  let created: WireAnswer;
  beforeAll(async () => {
    market = await scene.market();
    const item = { ...market, side: 'bid', currency: 'OOM', position: 'short', price: 0.4, shares: '20' };
    await scene.place('bob', market, { price: 0.6, shares: '5' });
    created = await scene.as('alice').post('/orders/batch/', { orders: [item] });
  });

  test.each([
    ['id', expect.any(Number)],
    ['price', 0.4],
    ['shares', 20],
    ['shares_requested', 20],
    ['shares_filled', '5'],
    ['currency', 'OOM'],
    ['side', 'bid'],
    ['position', 'short'],
    ['expired_at', null],
    ['status', 'partial_filled'],
    ['created', expect.stringMatching(ISO_TIME)],
  ])('%s', (field, value) => {
    expect(created.at(`results.0.order.${field}`)).toEqual(value);
  });

  test('event: id as text', () => {
    expect(created.at('results.0.order.event')).toBe(String(market.event));
  });

  test('market: id as text', () => {
    expect(created.at('results.0.order.market')).toBe(String(market.market));
  });

  test('created_at is not in it', () => {
    expect(created.at('results.0.order.created_at')).toBeUndefined();
  });
});

describe('2.4 order creation input', () => {
  test('market is required', async () => {
    const market = await scene.market();
    const { market: _market, ...rest } = orderInput(market);
    const answer = await scene.as('alice').post('/orders/', rest);
    expect(answer.status).toBe(400);
    expect(answer.at('fields.market')).toEqual(['is required']);
  });

  test('event: in batch items the market must belong to it', async () => {
    const [market, other] = [await scene.market(), await scene.market()];
    const orders = [
      { ...orderInput(market), event: market.event },
      { ...orderInput(market), event: other.event },
    ];
    const answer = await scene.as('alice').post('/orders/batch/', { orders });
    expect(answer.at('results.0.success')).toBe(true);
    expect(answer.at('results.1.success')).toBe(false);
    expect(answer.at('results.1.errors.event')).toEqual([expect.any(String)]);
  });

  test.each(['side', 'currency'])('%s is required and one of a closed list', async (field) => {
    const market = await scene.market();
    const { [field as 'side' | 'currency']: _left, ...missing } = orderInput(market);
    expect((await scene.as('alice').post('/orders/', missing)).at(`fields.${field}`)).toEqual([
      'is required',
    ]);
    const wrong = await scene.as('alice').post('/orders/', { ...orderInput(market), [field]: 'nonsense' });
    expect(wrong.status).toBe(400);
    expect(wrong.at(`fields.${field}`)).toEqual([expect.stringContaining('one of')]);
  });

  test('position: long when a single order names none', async () => {
    const market = await scene.market();
    const { position: _position, ...rest } = orderInput(market);
    const answer = await scene.as('alice').post('/orders/', rest);
    expect(answer.status).toBe(201);
    expect(answer.at('position')).toBe('long');
  });

  test('position: required in a batch', async () => {
    const market = await scene.market();
    const { position: _position, ...rest } = orderInput(market);
    const answer = await scene.as('alice').post('/orders/batch/', { orders: [rest] });
    expect(answer.at('results.0.errors')).toEqual({ position: ['is required'] });
  });

  test.each([0, 1, -0.1, 1.5, 0.123456])('price: %s is refused, naming the field', async (price) => {
    const answer = await scene.order('alice', await scene.market(), { price });
    expect(answer.status).toBe(400);
    expect(answer.at('error')).toBe('ValidationError');
    expect(answer.at('fields.price')).toEqual([expect.any(String)]);
  });

  test('price: off the tick size of the market is refused', async () => {
    const coarse = await scene.market();
    const fine = await scene.market({}, { tickSize: '0.001' });
    expect((await scene.order('alice', coarse, { price: 0.375 })).at('fields.price')).toBeDefined();
    expect((await scene.order('alice', fine, { price: 0.375 })).status).toBe(201);
  });

  test('price: null is a market order at the best available price', async () => {
    const market = await scene.market();
    await scene.place('bob', market, { position: 'short', price: 0.3, shares: '5' });
    await scene.place('bob', market, { position: 'short', price: 0.4, shares: '5' });
    const answer = await scene.order('alice', market, { price: null, shares: '5' });
    expect(answer.body).toMatchObject({ price: null, status: 'filled', shares: 5, amount: 3 });
  });

  test('shares: as text or as a number', async () => {
    const market = await scene.market();
    expect((await scene.order('alice', market, { shares: '2.25', price: 0.31 })).at('shares')).toBe(2.25);
    expect((await scene.order('alice', market, { shares: 2.25, price: 0.32 })).at('shares')).toBe(2.25);
  });

  test('amount: gives the shares when they are missing', async () => {
    const market = await scene.market();
    const { shares: _shares, ...rest } = orderInput(market);
    const answer = await scene.as('alice').post('/orders/', { ...rest, price: 0.3, amount: '1' });
    expect(answer.body).toMatchObject({ shares: 3.33, amount: 0.999 });
  });

  test('amount: contradicting shares times price is refused', async () => {
    const answer = await scene.order('alice', await scene.market(), {
      price: 0.5,
      shares: '10',
      amount: '7',
    });
    expect(answer.status).toBe(400);
    expect(answer.at('fields.amount')).toEqual([expect.any(String)]);
  });

  test('expired_at: null means none; a time is kept', async () => {
    const market = await scene.market();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await scene.order('alice', market, { expired_at: null })).at('expired_at')).toBeNull();
    const answer = await scene.order('alice', market, { expired_at: later, price: 0.4 });
    expect(new Date(String(answer.at('expired_at'))).toISOString()).toBe(later);
  });

  test.each(['yesterday', '2026-13-01T00:00:00Z', '2020-01-01T00:00:00Z'])(
    'expired_at: %s is refused',
    async (expired_at) => {
      const answer = await scene.order('alice', await scene.market(), { expired_at });
      expect(answer.status).toBe(400);
      expect(answer.at('fields.expired_at')).toEqual([expect.any(String)]);
    },
  );

  test('cancel_conflicting_orders: false unless said', async () => {
    const market = await scene.market();
    const resting = await scene.place('alice', market, { price: 0.6 });
    const crossing = { position: 'short', price: 0.5 };
    expect((await scene.order('alice', market, crossing)).at('error')).toBe('OrderBookConflictingOrders');
    const answer = await scene.order('alice', market, { ...crossing, cancel_conflicting_orders: true });
    expect(answer.status).toBe(201);
    const open = await scene.as('alice').get('/orders/', { market: market.market });
    expect(open.list('results')).toHaveLength(1);
    expect(open.at('results.0.id')).not.toBe(resting);
  });
});
