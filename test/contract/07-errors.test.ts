/** Specification 7: every error code provoked, and the shape of a failed request (facts, "Signing"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AccountName,
  ContractScene,
  orderInput,
  type TestMarket,
} from '../support/contract/contract-scene.js';
import type { WireAnswer } from '../support/wire/venue-client.js';
import type { Plain } from '../support/wire/venue-signer.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('7.1 authentication errors', () => {
  test.each([
    ['InvalidHMACKey', { Key: 'pk_nobody' }],
    ['InvalidHMACSignature', { HMAC: '0'.repeat(128) }],
    ['MissingTimestamp', { Timestamp: undefined }],
    ['ExpiredTimestamp', { Timestamp: '1000000000' }],
  ])('%s: 401', async (code, headers) => {
    const answer = await scene.as('alice').get('/me/', {}, { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: code, detail: expect.any(String) });
  });
});

describe('7.2 order creation errors', () => {
  type Setup = () => Promise<{
    readonly by?: AccountName;
    readonly market?: TestMarket;
    readonly order?: Readonly<Record<string, Plain>>;
  }>;
  const adminMarket =
    (change: Readonly<Record<string, Plain>>): Setup =>
    async () => {
      const market = await scene.market();
      await scene.admin.post(`/admin/markets/${market.market}/status/`, change);
      return { market };
    };
  const cases: readonly (readonly [string, Setup])[] = [
    ['RealMoneyForbiddenCountry', async () => ({ by: 'abroad', order: { currency: 'USDC' } })],
    ['RealMoneyBetNotAllowed', async () => ({ by: 'unverified', order: { currency: 'USDC' } })],
    ['EmailNotConfirmed', async () => ({ by: 'unconfirmed' })],
    ['UserBlockedBets', async () => ({ by: 'blocked' })],
    ['UserNotEnoughBalance', async () => ({ by: 'poor', order: { shares: '1000' } })],
    ['InvalidShares', async () => ({ order: { shares: '0' } })],
    ['OutcomeDisabled', adminMarket({ disabled: true })],
    ['MarketClosed', async () => ({ market: await scene.market({ betEndDate: '2020-01-01T00:00:00Z' }) })],
    ['OrderBookMarketClosed', adminMarket({ status: 'stopped' })],
    [
      'OrderBookConflictingOrders',
      async () => {
        const market = await scene.market();
        await scene.place('alice', market, { position: 'short', price: 0.6 });
        return { market };
      },
    ],
    ['OrderBookInvalidAmount', async () => ({ market: await scene.market({ minAmount: '6' }) })],
  ];
  const provoke = async (setup: Setup) => {
    const { by = 'alice', market, order = {} } = await setup();
    return { client: scene.as(by), body: { ...orderInput(market ?? (await scene.market())), ...order } };
  };

  test.each(cases)('%s: 400 for a single order', async (code, setup) => {
    const { client, body } = await provoke(setup);
    const answer = await client.post('/orders/', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: code, detail: expect.any(String) });
  });

  test.each(cases)('%s: the errors of an item in a batch of 200', async (code, setup) => {
    const { client, body } = await provoke(setup);
    const answer = await client.post('/orders/batch/', { orders: [body] });
    expect(answer.status).toBe(200);
    expect(answer.at('results.0')).toEqual({ index: 0, success: false, errors: code });
  });

  test.each([
    ['UserNotEnoughBalance: selling what is not held', { side: 'ask' }, 'UserNotEnoughBalance'],
    ['InvalidShares: negative', { shares: '-1' }, 'InvalidShares'],
    ['InvalidShares: off the grid of 0.01', { shares: '1.005' }, 'InvalidShares'],
    ['OrderBookInvalidAmount: above the maximum', { shares: '900000' }, 'OrderBookInvalidAmount'],
  ])('%s', async (_what, change, code) => {
    const answer = await scene
      .as('alice')
      .post('/orders/', { ...orderInput(await scene.market()), ...change });
    expect(answer.at('error')).toBe(code);
  });

  test('play money is not refused for want of real-money rights', async () => {
    for (const name of ['abroad', 'unverified'] as const) {
      expect((await scene.order(name, await scene.market(), {})).status).toBe(201);
    }
  });

  test('account before market before order', async () => {
    const market = await scene.market();
    await scene.admin.post(`/admin/markets/${market.market}/status/`, { disabled: true });
    const order = { ...orderInput(market), shares: '0' };
    expect((await scene.as('blocked').post('/orders/', order)).at('error')).toBe('UserBlockedBets');
    expect((await scene.as('alice').post('/orders/', order)).at('error')).toBe('OutcomeDisabled');
  });

  test('schema before account', async () => {
    const order = orderInput(await scene.market());
    for (const wrong of [{ side: 'sell' }, { price: 1.5 }, { price: 0 }, { shares: null }]) {
      const answer = await scene.as('blocked').post('/orders/', { ...order, ...wrong });
      expect(answer.at('error')).toBe('ValidationError');
    }
  });

  test('authentication before schema', async () => {
    const answer = await scene.as('alice').post('/orders/', { side: 'sell' }, { headers: { HMAC: 'no' } });
    expect(answer.at('error')).toBe('InvalidHMACSignature');
  });

  test('JSON before authentication', async () => {
    const answer = await scene.as('alice').post('/orders/', {}, { text: '{', headers: { HMAC: 'no' } });
    expect(answer.at('error')).toBe('MalformedBody');
  });
});

describe('7.3 other errors', () => {
  test.each(['filled', 'canceled'])('single cancel of an order that is %s: 400', async (status) => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { shares: '1' });
    if (status === 'filled') await scene.place('bob', market, { position: 'short', shares: '1' });
    else await scene.as('alice').patch(`/orders/${id}/cancel/`);
    const answer = await scene.as('alice').patch(`/orders/${id}/cancel/`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: 'OrderNotCancelable', detail: expect.stringContaining(status) });
  });

  test('batch cancel and batch update fail per item, with a text', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { shares: '1' });
    await scene.place('bob', market, { position: 'short', shares: '1' });
    const cancel = await scene.as('alice').post('/orders/batch-cancel/', { order_ids: [id] });
    expect(cancel.at('0.error')).toMatch(/filled/);
    const update = await scene.as('alice').post('/orders/batch-update/', { orders: [{ id, price: '0.4' }] });
    expect(update.at('0.errors')).toMatch(/filled/);
  });

  test('success codes: 200, 201, 204', async () => {
    const market = await scene.market();
    const created = await scene.order('alice', market, {});
    const canceled = await scene.as('alice').patch(`/orders/${created.number('id')}/cancel/`);
    const listed = await scene.as('alice').get('/orders/');
    expect([created.status, canceled.status, listed.status]).toEqual([201, 204, 200]);
  });
});

describe('7.3 the shape of a failed request', () => {
  test('validation: the code, a sentence, and the fields', async () => {
    const answer = await scene.as('alice').post('/orders/', { price: 'high' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: 'ValidationError',
      detail: expect.any(String),
      fields: {
        market: ['is required'],
        side: ['is required'],
        currency: ['is required'],
      },
    });
  });

  test('404 for a path that there is not', async () => {
    for (const path of [
      '/',
      '/order/',
      '/orders',
      '/v2.0/',
      '/v1.0/me/',
      '/orders/abc/cancel/',
      '/markets/1e3/book/',
    ]) {
      const answer = await scene.nobody.get(path);
      expect([path, answer.status, answer.at('error')]).toEqual([path, 404, 'NotFound']);
    }
  });

  test('405 with the methods that the path answers', async () => {
    const answer = await scene.nobody.get('/orders/batch/');
    expect(answer.status).toBe(405);
    expect(answer.at('error')).toBe('MethodNotAllowed');
    expect(answer.headers['allow']).toBe('POST');
  });

  test('403 for a channel of another user', async () => {
    expect((await scene.authorise('alice', 'private-user-2', '1.2')).at('error')).toBe('PermissionDenied');
  });

  test('every error is JSON', async () => {
    const answers: readonly WireAnswer[] = await Promise.all([
      scene.nobody.get('/nowhere/'),
      scene.nobody.get('/me/'),
      scene.as('alice').post('/orders/', {}, { text: 'x' }),
      scene.as('alice').post('/orders/', {}, { text: 'x', headers: { 'content-type': 'text/plain' } }),
    ]);
    for (const answer of answers) {
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.at('error')).toEqual(expect.any(String));
    }
  });
});
