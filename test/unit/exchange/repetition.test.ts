import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../../src/exchange/contract.js';
import { ALICE, BOB, TestVenue, order } from '../../support/exchange/test-venue.js';

const place = (venue: TestVenue, key: string | null, body: string, request: OrderRequest, account = ALICE) =>
  venue.run({ kind: 'place-order', account, request: { key, body }, order: request });

const HALF = order('bid long 1 @ 0.5');

describe('idempotency', () => {
  test('the same key and body get the stored answer, and nothing happens again', () => {
    const venue = new TestVenue();
    const first = place(venue, 'k', 'b', HALF);
    venue.cancel(ALICE, 1 as never);
    const again = place(venue, 'k', 'b', HALF);
    expect(again).toEqual({ outcome: first.outcome, events: [], replayed: true });
    expect(JSON.stringify(again.outcome)).toBe(JSON.stringify(first.outcome));
    expect(venue.ladder()).toBe('');
  });

  test('another body, another key, another account or another endpoint is another request', () => {
    const venue = new TestVenue({ exchange: { duplicateWindowMs: 0 } });
    place(venue, 'k', 'b', HALF);
    expect(place(venue, 'k', 'c', HALF).replayed).toBe(false);
    expect(place(venue, 'l', 'b', HALF).replayed).toBe(false);
    expect(place(venue, 'k', 'b', HALF, BOB).replayed).toBe(false);
    const request = { key: 'k', body: 'b' };
    const batch = venue.run({ kind: 'place-batch', account: ALICE, request, orders: [HALF] });
    expect(batch.replayed).toBe(false);
  });

  test('refusals of 7.2 are stored, validation errors are not', () => {
    const venue = new TestVenue();
    place(venue, 'k', 'b', order('bid long 9999 @ 0.5'));
    expect(place(venue, 'k', 'b', HALF)).toMatchObject({
      replayed: true,
      outcome: { ok: false, refusal: { code: 'UserNotEnoughBalance' } },
    });
    place(venue, 'l', 'c', order('bid long 1 @ 0.505'));
    venue.pass(1);
    expect(place(venue, 'l', 'c', HALF)).toMatchObject({ replayed: false, outcome: { ok: true } });
  });

  test('batch create and batch update are stored as well', () => {
    const venue = new TestVenue();
    const request = { key: 'k', body: 'b' };
    const batch = () => venue.run({ kind: 'place-batch', account: ALICE, request, orders: [HALF, HALF] });
    expect(batch().outcome).toEqual(batch().outcome);
    const update = () =>
      venue.run({
        kind: 'update-batch',
        account: ALICE,
        request,
        updates: [{ orderId: 1 as never, price: 5_100 }],
      });
    const first = update();
    expect(update()).toMatchObject({ replayed: true, outcome: first.outcome });
  });

  test('an answer is kept for its time', () => {
    const venue = new TestVenue({ exchange: { idempotency: { keptMs: 10_000, bytes: 1e6 } } });
    place(venue, 'k', 'b', HALF);
    venue.pass(9.999999);
    expect(place(venue, 'k', 'b', HALF).replayed).toBe(true);
    venue.pass(0.000001);
    expect(place(venue, 'k', 'b', HALF).replayed).toBe(false);
  });

  test('the oldest answers give way when memory is used up', () => {
    const venue = new TestVenue({ exchange: { idempotency: { keptMs: 1e9, bytes: 2_000 } } });
    for (const key of ['k', 'l', 'm']) place(venue, key, key, HALF);
    expect(place(venue, 'm', 'm', HALF).replayed).toBe(true);
    expect(place(venue, 'l', 'l', HALF).replayed).toBe(true);
    venue.pass(1);
    expect(place(venue, 'k', 'k', HALF).replayed).toBe(false);
  });
});

describe('duplicates', () => {
  const refusal = { ok: false, refusal: { code: 'wager_action_duplicated' } };

  test('the same content twice within a second is refused, on single and on batch creation', () => {
    const venue = new TestVenue();
    place(venue, null, 'b', HALF);
    expect(place(venue, null, 'b', HALF).outcome).toEqual(refusal);
    const request = { key: null, body: 'b' };
    const batch = () => venue.run({ kind: 'place-batch', account: ALICE, request, orders: [HALF] });
    expect(batch().outcome.ok).toBe(true);
    expect(batch().outcome).toEqual(refusal);
    expect(place(venue, null, 'b', HALF, BOB).outcome.ok).toBe(true);
    venue.pass(0.999999);
    expect(place(venue, null, 'b', HALF).outcome).toEqual(refusal);
    venue.pass(0.000001);
    expect(place(venue, null, 'b', HALF).outcome.ok).toBe(true);
  });

  test('a new key does not excuse the same content, the same key gets its stored answer', () => {
    const venue = new TestVenue();
    place(venue, 'k', 'b', HALF);
    expect(place(venue, 'l', 'b', HALF).outcome).toEqual(refusal);
    expect(place(venue, 'k', 'b', HALF)).toMatchObject({ replayed: true, outcome: { ok: true } });
    venue.pass(1);
    expect(place(venue, 'l', 'b', HALF).outcome.ok).toBe(true);
  });

  test('updates are never duplicates, and a window of 0 switches the check off', () => {
    const venue = new TestVenue({ exchange: { duplicateWindowMs: 0 } });
    place(venue, null, 'b', HALF);
    expect(place(venue, null, 'b', HALF).outcome.ok).toBe(true);
    const watchful = new TestVenue();
    const request = { key: null, body: 'b' };
    const update = () => watchful.run({ kind: 'update-batch', account: ALICE, request, updates: [] });
    expect([update().outcome.ok, update().outcome.ok]).toEqual([true, true]);
  });

  test('commands without an identity are never compared', () => {
    const venue = new TestVenue();
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('taken');
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('taken');
  });
});
