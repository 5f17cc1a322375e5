/** Specification 6.2 and 6.3: what the private channel tells, and when, one test per row. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene, type TestMarket } from '../support/contract/contract-scene.js';
import { about, payload, type Payload, type RealtimeClient } from '../support/wire/realtime-client.js';
import { ISO_MILLISECONDS } from '../support/wire/wire-matchers.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

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
