/** Specification 3: states and transitions, one test per row of its tables. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractScene, type TestMarket } from '../support/contract/contract-scene.js';
import type { RealtimeClient } from '../support/wire/realtime-client.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

const statusOf = async (market: TestMarket, id: number, at = scene): Promise<string | null> => {
  for (const status of ['processing', 'open', 'partial_filled', 'filled', 'canceled']) {
    const answer = await at.as('alice').get('/orders/', { status, market: market.market });
    const ids = answer.list('results').map((_, index) => answer.number(`results.${index}.id`));
    if (ids.includes(id)) return status;
  }
  return null;
};

describe('3.1 order transitions', () => {
  test('open, single cancel: canceled, 204', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, {});
    expect((await scene.as('alice').patch(`/orders/${id}/cancel/`)).status).toBe(204);
    expect(await statusOf(market, id)).toBe('canceled');
  });

  test('partial_filled, single cancel: canceled, 204', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { shares: '10' });
    await scene.place('bob', market, { position: 'short', shares: '4' });
    expect(await statusOf(market, id)).toBe('partial_filled');
    expect((await scene.as('alice').patch(`/orders/${id}/cancel/`)).status).toBe(204);
    expect(await statusOf(market, id)).toBe('canceled');
  });

  test('filled, single cancel: unchanged, 400', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { shares: '4' });
    await scene.place('bob', market, { position: 'short', shares: '4' });
    expect((await scene.as('alice').patch(`/orders/${id}/cancel/`)).status).toBe(400);
    expect(await statusOf(market, id)).toBe('filled');
  });

  test('canceled, single cancel: unchanged, 400', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, {});
    await scene.as('alice').patch(`/orders/${id}/cancel/`);
    expect((await scene.as('alice').patch(`/orders/${id}/cancel/`)).status).toBe(400);
    expect(await statusOf(market, id)).toBe('canceled');
  });

  test('open, batch update: canceled, with a replacement of a new id and the changed fields', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { price: 0.4, shares: '10' });
    const orders = [{ id, price: '0.45' }];
    const answer = await scene.as('alice').post('/orders/batch-update/', { orders });
    expect(answer.at('0.order')).toMatchObject({ price: 0.45, shares: 10, status: 'open' });
    const replacement = answer.number('0.order.id');
    expect(replacement).not.toBe(id);
    expect(await statusOf(market, id)).toBe('canceled');
    expect(await statusOf(market, replacement)).toBe('open');
  });

  test('open, batch cancel: canceled, success true', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, {});
    const answer = await scene.as('alice').post('/orders/batch-cancel/', { order_ids: [id] });
    expect(answer.body).toEqual([{ index: 0, order_id: id, success: true }]);
    expect(await statusOf(market, id)).toBe('canceled');
  });

  test('filled, batch cancel: unchanged, success false with a text', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { shares: '4' });
    await scene.place('bob', market, { position: 'short', shares: '4' });
    const answer = await scene.as('alice').post('/orders/batch-cancel/', { order_ids: [id] });
    expect(answer.body).toEqual([{ index: 0, order_id: id, success: false, error: expect.any(String) }]);
  });

  test('open to partial_filled to filled', async () => {
    const market = await scene.market();
    const id = await scene.place('alice', market, { shares: '10' });
    expect(await statusOf(market, id)).toBe('open');
    await scene.place('bob', market, { position: 'short', shares: '4' });
    expect(await statusOf(market, id)).toBe('partial_filled');
    await scene.place('bob', market, { position: 'short', shares: '6', price: 0.51 });
    expect(await statusOf(market, id)).toBe('filled');
  });

  test('expired: realtime says so, REST lists it as canceled', async () => {
    const market = await scene.market();
    const client = await scene.listening([], 'alice');
    const expired_at = new Date(Date.now() + 3_000).toISOString();
    const id = await scene.place('alice', market, { expired_at });
    const frame = await client.next('order-update', ({ data }) => hasStatus(data, id, 'expired'));
    expect(frame.data).toMatchObject({ previous_status: 'open', is_system_initiated: true });
    expect(await statusOf(market, id)).toBe('canceled');
  });
});

describe('3.1 order transitions while processing', () => {
  const DELAY_MS = 2_000;
  let slow: ContractScene;
  let client: RealtimeClient;
  beforeAll(async () => {
    slow = await ContractScene.start({ processingDelayMs: DELAY_MS });
    client = await slow.listening([], 'alice');
  });
  afterAll(() => slow.close());

  test('a new order is processing, realtime says pending', async () => {
    const market = await slow.market();
    const answer = await slow.order('alice', market, {});
    expect(answer.at('status')).toBe('processing');
    const id = answer.number('id');
    expect((await client.next('order-update', ({ data }) => hasId(data, id))).data).toMatchObject({
      status: 'pending',
      previous_status: null,
    });
  });

  test('processing, internal acknowledgement: open', async () => {
    const market = await slow.market();
    const id = await slow.place('alice', market, {});
    const frame = await client.next('order-update', ({ data }) => hasStatus(data, id, 'open'));
    expect(frame.data).toMatchObject({ previous_status: 'pending' });
    expect(await statusOf(market, id, slow)).toBe('open');
  });

  test('processing, single cancel: unchanged, 400', async () => {
    const id = await slow.place('alice', await slow.market(), {});
    expect((await slow.as('alice').patch(`/orders/${id}/cancel/`)).status).toBe(400);
    await client.next('order-update', ({ data }) => hasStatus(data, id, 'open'));
  });

  test('processing, batch cancel: unchanged, success false with a text', async () => {
    const id = await slow.place('alice', await slow.market(), {});
    const answer = await slow.as('alice').post('/orders/batch-cancel/', { order_ids: [id] });
    expect(answer.body).toEqual([{ index: 0, order_id: id, success: false, error: expect.any(String) }]);
  });

  test('processing, batch update: item refused with a text', async () => {
    const id = await slow.place('alice', await slow.market(), {});
    const answer = await slow.as('alice').post('/orders/batch-update/', { orders: [{ id, price: '0.4' }] });
    expect(answer.at('0.success')).toBe(false);
    expect(answer.at('0.errors')).toEqual(expect.any(String));
  });

  test('processing, cancel-all: listed in processing_order_ids', async () => {
    const market = await slow.market();
    const id = await slow.place('alice', market, {});
    const answer = await slow.as('alice').post('/orders/cancel-all/', { market: market.market });
    expect(answer.body).toEqual({ canceled_order_ids: [], processing_order_ids: [id] });
  });
});

describe('3.2 wager statuses', () => {
  const wager = async (market: TestMarket): Promise<unknown> => {
    const answer = await scene.as('alice').get('/wagers/', { event: market.event });
    return answer.at('results.0.status');
  };
  const held = async (settings = {}): Promise<TestMarket> => {
    const market = await scene.market(settings);
    await scene.holding('alice', 'bob', market, '10');
    return market;
  };

  test('purchased: shares are held', async () => {
    expect(await wager(await held())).toBe('purchased');
  });

  test('sold: all shares were sold', async () => {
    const market = await held();
    await scene.place('bob', market, { price: 0.6, shares: '10' });
    await scene.place('alice', market, { side: 'ask', price: 0.6, shares: '10' });
    expect(await wager(market)).toBe('sold');
  });

  test.each([
    ['won', 'long'],
    ['lost', 'short'],
    ['cancelled', 'void'],
  ])('%s: the market resolved %s', async (status, resolution) => {
    const market = await held();
    await scene.admin.post(`/admin/events/${market.event}/resolve/`, {
      resolutions: { [market.market]: resolution },
    });
    expect(await wager(market)).toBe(status);
  });

  test('cancelled: the event was cancelled', async () => {
    const market = await held();
    await scene.admin.post(`/admin/events/${market.event}/status/`, { status: 'cancelled' });
    expect(await wager(market)).toBe('cancelled');
  });

  test('disabled: the market was disabled', async () => {
    const market = await held();
    await scene.admin.post(`/admin/markets/${market.market}/status/`, { disabled: true });
    expect(await wager(market)).toBe('disabled');
  });

  test('a reversed resolution makes it purchased again', async () => {
    const market = await held();
    await scene.admin.post(`/admin/events/${market.event}/resolve/`, {
      resolutions: { [market.market]: 'long' },
    });
    await scene.admin.post(`/admin/events/${market.event}/reverse/`);
    expect(await wager(market)).toBe('purchased');
  });
});

describe('3.3 KYC statuses', () => {
  test.each([
    ['alice', 'approved'],
    ['unverified', 'requested'],
  ] as const)('%s is %s', async (name, status) => {
    expect((await scene.as(name).get('/me/')).at('kyc_status')).toBe(status);
  });
});

const hasId = (data: unknown, id: number): boolean => (data as { order_id?: number }).order_id === id;
const hasStatus = (data: unknown, id: number, status: string): boolean =>
  hasId(data, id) && (data as { status?: string }).status === status;
