import { describe, expect, test } from 'vitest';
import { eventId, marketId, orderId } from '../../../src/exchange/contract/ids.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import { ladder } from '../../support/exchange/ladder.js';
import { ALICE, BOB, EVENT, TestVenue, order } from '../../support/exchange/test-venue.js';

const slow = (): TestVenue => new TestVenue({ exchange: { processingDelayMs: 2_000 } });

describe('single and batch cancel', () => {
  test('an open and a partially filled order are cancelled and release their locks', () => {
    const venue = new TestVenue();
    const open = venue.placed(ALICE, 'bid long 5 @ 0.5');
    const partial = venue.placed(ALICE, 'bid long 5 @ 0.6');
    venue.placed(BOB, 'bid short 2 @ 0.4');
    expect(venue.cancel(ALICE, open.id)).toEqual({ ok: true, value: open.id });
    expect(venue.cancel(ALICE, partial.id)).toEqual({ ok: true, value: partial.id });
    expect(venue.locked(ALICE)).toBe(0);
    expect(venue.orderOf(ALICE, partial.id)).toMatchObject({ status: 'canceled', filled: 200 });
    expect(venue.ladder()).toBe('');
  });

  test('what has ended, is processing or is another’s cannot be cancelled', () => {
    const venue = new TestVenue();
    const filled = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(BOB, 'bid short 5 @ 0.5');
    const canceled = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.cancel(ALICE, canceled.id);
    expect(venue.cancel(ALICE, filled.id)).toEqual({ ok: false, why: 'filled' });
    expect(venue.cancel(ALICE, canceled.id)).toEqual({ ok: false, why: 'canceled' });
    expect(venue.cancel(ALICE, orderId(2))).toEqual({ ok: false, why: 'not-found' });
    expect(venue.cancel(ALICE, orderId(99))).toEqual({ ok: false, why: 'not-found' });
    const processing = slow();
    processing.placed(ALICE, 'bid long 5 @ 0.5');
    expect(processing.cancel(ALICE, orderId(1))).toEqual({ ok: false, why: 'processing' });
  });

  test('items of a batch are cancelled independently, in request order', () => {
    const venue = new TestVenue();
    const first = venue.placed(ALICE, 'bid long 5 @ 0.5');
    const second = venue.placed(ALICE, 'bid long 5 @ 0.4');
    const orderIds = [second.id, orderId(77), first.id, second.id];
    const { outcome } = venue.run({ kind: 'cancel-batch', account: ALICE, orderIds });
    expect(outcome.items).toEqual([
      { orderId: 2, ok: true, value: 2 },
      { orderId: 77, ok: false, why: 'not-found' },
      { orderId: 1, ok: true, value: 1 },
      { orderId: 2, ok: false, why: 'canceled' },
    ]);
  });
});

describe('cancel-all', () => {
  const stocked = (venue: TestVenue): TestVenue => {
    venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(ALICE, 'bid short 5 @ 0.3', { marketId: marketId(101) });
    venue.placed(ALICE, 'bid long 5 @ 0.5 OOM');
    venue.placed(BOB, 'bid long 5 @ 0.4');
    return venue;
  };
  const all = (venue: TestVenue, scope: { event?: number; market?: number } = {}) =>
    venue.run({
      kind: 'cancel-all',
      account: ALICE,
      eventId: scope.event === undefined ? null : eventId(scope.event),
      marketId: scope.market === undefined ? null : marketId(scope.market),
    }).outcome;

  test('without a scope it cancels every order of the account and nobody else’s', () => {
    const venue = stocked(new TestVenue());
    expect(all(venue)).toEqual({ canceledIds: [1, 2, 3], processingIds: [] });
    expect(venue.ladder()).toBe('5 |0.40|');
  });

  test('it keeps within its event and its market, which may be combined', () => {
    const venue = stocked(new TestVenue());
    expect(all(venue, { event: 11 })).toEqual({ canceledIds: [], processingIds: [] });
    expect(all(venue, { event: 11, market: 100 })).toEqual({ canceledIds: [], processingIds: [] });
    expect(all(venue, { event: 10, market: 100 })).toEqual({ canceledIds: [1, 3], processingIds: [] });
    expect(all(venue, { event: 10 })).toEqual({ canceledIds: [2], processingIds: [] });
  });

  test('orders in processing are listed and left alone', () => {
    expect(all(stocked(slow()))).toEqual({ canceledIds: [], processingIds: [1, 2, 3] });
  });
});

describe('batch update', () => {
  test('replaces an open order: a new id, the changed fields, the others as they were', () => {
    const venue = new TestVenue();
    const expiresAt = venue.after(60);
    const old = venue.placed(ALICE, 'bid long 5 @ 0.5', { expiresAt });
    const [priced] = venue.update(ALICE, { orderId: old.id, price: 5_200 });
    expect(priced).toMatchObject({
      orderId: 1,
      ok: true,
      value: { id: 2, price: 5_200, shares: 500, expiresAt, status: 'open' },
    });
    expect(venue.orderOf(ALICE, old.id).status).toBe('canceled');
    const [sized] = venue.update(ALICE, { orderId: orderId(2), shares: 700, expiresAt: null });
    expect(sized).toMatchObject({ value: { id: 3, price: 5_200, shares: 700, expiresAt: null } });
    expect(venue.ladder()).toBe('7 |0.52|');
  });

  test('the replacement is last in time', () => {
    const venue = new TestVenue();
    const first = venue.placed(ALICE, 'bid long 5 @ 0.5');
    const second = venue.placed(BOB, 'bid long 5 @ 0.5');
    venue.update(ALICE, { orderId: first.id });
    venue.placed(BOB, 'bid long 1 @ 0.1');
    const taker = venue.place(BOB, 'bid short 5 @ 0.5', { cancelConflicting: true });
    expect(taker.ok).toBe(true);
    expect(venue.orderOf(BOB, second.id).status).toBe('canceled');
    expect(venue.orderOf(ALICE, orderId(3)).status).toBe('filled');
  });

  test('the replacement may trade at once', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(BOB, 'bid short 3 @ 0.45');
    const [item] = venue.update(ALICE, { orderId: bid.id, price: 5_600 });
    expect(item).toMatchObject({ ok: true, value: { status: 'partial_filled', filled: 300 } });
  });

  test('only open orders: the others say what they are', () => {
    const venue = new TestVenue();
    const partial = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(BOB, 'bid short 2 @ 0.5');
    const filled = venue.placed(BOB, 'bid short 3 @ 0.5');
    const canceled = venue.placed(BOB, 'bid short 3 @ 0.2');
    venue.cancel(BOB, canceled.id);
    venue.cancel(ALICE, partial.id);
    const another = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(BOB, 'bid short 1 @ 0.5');
    expect(venue.update(ALICE, { orderId: another.id, shares: 9 })).toMatchObject([
      { ok: false, why: { code: 'not-open' } },
    ]);
    expect(
      venue.update(BOB, { orderId: filled.id }, { orderId: canceled.id }, { orderId: another.id }),
    ).toMatchObject([
      { why: { code: 'filled' } },
      { why: { code: 'canceled' } },
      { why: { code: 'not-found' } },
    ]);
    const processing = slow();
    processing.placed(ALICE, 'bid long 5 @ 0.5');
    expect(processing.update(ALICE, { orderId: orderId(1) })).toMatchObject([
      { why: { code: 'processing' } },
    ]);
  });

  test('an item that fails leaves its order untouched', () => {
    const venue = new TestVenue({ alice: { balances: { USDC: 5_010_000 as Money } } });
    const old = venue.placed(ALICE, 'bid long 10 @ 0.5');
    const before = venue.exchange.ledger();
    const failures = [
      { price: 5_050 },
      { shares: 0 },
      { expiresAt: venue.at },
      { price: 5_100 },
      { shares: 1_001 },
    ];
    const items = venue.update(ALICE, ...failures.map((change) => ({ orderId: old.id, ...change })));
    expect(items.map((item) => (item.ok ? 'ok' : item.why.code))).toEqual([
      'ValidationError',
      'InvalidShares',
      'ValidationError',
      'UserNotEnoughBalance',
      'UserNotEnoughBalance',
    ]);
    expect(venue.events).toEqual([]);
    expect(venue.exchange.ledger()).toEqual(before);
  });

  test('the lock of the replaced order pays for its replacement', () => {
    const venue = new TestVenue({ alice: { balances: { USDC: 5_010_000 as Money } } });
    const old = venue.placed(ALICE, 'bid long 10 @ 0.5');
    expect(venue.update(ALICE, { orderId: old.id, shares: 200 })).toMatchObject([{ ok: true }]);
    expect(venue.update(ALICE, { orderId: orderId(2), shares: 1_000 })).toMatchObject([{ ok: true }]);
  });

  test('an ask keeps its shares through the update', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    const ask = venue.placed(ALICE, 'ask long 10 @ 0.9');
    expect(venue.update(ALICE, { orderId: ask.id, price: 8_000 })).toMatchObject([{ ok: true }]);
    expect(venue.update(ALICE, { orderId: orderId(4), shares: 1_001 })).toMatchObject([
      { ok: false, why: { code: 'UserNotEnoughBalance' } },
    ]);
  });

  test('a conflict with another own order is refused', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(ALICE, 'bid short 5 @ 0.4');
    expect(venue.update(ALICE, { orderId: bid.id, price: 6_000 })).toMatchObject([
      { ok: false, why: { code: 'OrderBookConflictingOrders' } },
    ]);
  });

  test('items run in order, so that two can swap places', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.40');
    const ask = venue.placed(ALICE, 'bid short 5 @ 0.50');
    venue.update(ALICE, { orderId: ask.id, price: 4_000 }, { orderId: bid.id, price: 5_500 });
    expect(venue.ladder()).toBe(ladder('|0.60| 5 \n 5 |0.55|'));
  });

  test('an imitated failure cancels and does not re-create', () => {
    const venue = new TestVenue();
    const old = venue.placed(ALICE, 'bid long 5 @ 0.5');
    const { outcome } = venue.run({
      kind: 'update-batch',
      account: ALICE,
      request: null,
      misbehaviour: { loseReplacement: true },
      updates: [{ orderId: old.id, price: 5_100 }],
    });
    expect(outcome).toMatchObject({ ok: true, items: [{ ok: false, why: { code: 'lost' } }] });
    expect(venue.orderOf(ALICE, old.id).status).toBe('canceled');
  });
});

describe('processing', () => {
  test('an order is pending, then opens and matches when its time is over', () => {
    const venue = slow();
    venue.placed(BOB, 'bid short 3 @ 0.5');
    venue.pass(2);
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    expect(bid.status).toBe('processing');
    expect(venue.said('order-update')).toMatchObject([{ status: 'pending', previousStatus: null }]);
    expect(venue.locked(ALICE)).toBe(2.505);
    venue.pass(1.999999);
    expect(venue.orderOf(ALICE, bid.id).status).toBe('processing');
    expect(venue.exchange.nextDue()).toBe(venue.at + 1);
    venue.pass(0.000001);
    expect(venue.said('order-update').filter(({ account }) => account === ALICE)).toMatchObject([
      { status: 'open', previousStatus: 'pending', filledDelta: 0 },
      { status: 'partial_filled', previousStatus: 'open', filledDelta: 300 },
    ]);
    expect(venue.exchange.nextDue()).toBeNull();
  });

  test('a market order waits as well, and then spends no more than there is', () => {
    const venue = new TestVenue({
      exchange: { processingDelayMs: 1_000 },
      alice: { balances: { USDC: 3_000_000 as Money } },
    });
    venue.placed(BOB, 'bid short 10 @ 0.5');
    venue.pass(1);
    venue.placed(ALICE, 'bid long 5');
    venue.placed(ALICE, 'bid long 2 @ 0.49');
    venue.pass(1);
    expect(venue.orderOf(ALICE, orderId(2))).toMatchObject({ status: 'canceled', filled: 402 });
    expect(venue.cash(ALICE)).toBeGreaterThanOrEqual(0);
  });

  test('an order that expires while it is processing never opens', () => {
    const venue = slow();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5', { expiresAt: venue.after(1) });
    venue.pass(3);
    expect(venue.orderOf(ALICE, bid.id).status).toBe('canceled');
    expect(venue.said('order-update')).toMatchObject([{ status: 'expired', previousStatus: 'pending' }]);
  });

  test('a pause keeps it processing until trading goes on', () => {
    const venue = slow();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'paused' });
    venue.pass(3);
    expect(venue.orderOf(ALICE, bid.id).status).toBe('processing');
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'open' });
    expect(venue.orderOf(ALICE, bid.id).status).toBe('open');
  });

  test('a command may name its own delay', () => {
    const venue = new TestVenue();
    const { outcome } = venue.run({
      kind: 'place-order',
      account: ALICE,
      request: null,
      misbehaviour: { processingMs: 500 },
      order: order('bid long 5 @ 0.5'),
    });
    expect(outcome).toMatchObject({ ok: true, order: { status: 'processing' } });
    venue.pass(0.5);
    expect(venue.orderOf(ALICE, orderId(1)).status).toBe('open');
  });
});

describe('expiry', () => {
  test('REST lists an expired order as canceled, realtime says expired', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5', { expiresAt: venue.after(10) });
    expect(venue.exchange.nextDue()).toBe(venue.after(10));
    venue.pass(9.999999);
    expect(venue.orderOf(ALICE, bid.id).status).toBe('open');
    venue.pass(0.000001);
    expect(venue.orderOf(ALICE, bid.id).status).toBe('canceled');
    expect(venue.said('order-update')).toMatchObject([
      { status: 'expired', previousStatus: 'open', cancelReason: 'expired', systemInitiated: true },
    ]);
    expect(venue.locked(ALICE)).toBe(0);
  });

  test('every command first does what is due', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.5', { expiresAt: venue.after(10) });
    venue.at = venue.after(10);
    venue.placed(BOB, 'bid short 5 @ 0.5');
    expect(venue.ladder()).toBe('|0.50| 5');
  });

  test('an order that has ended is not waited for', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5', { expiresAt: venue.after(10) });
    venue.cancel(ALICE, bid.id);
    expect(venue.exchange.nextDue()).toBeNull();
    venue.pass(20);
    expect(venue.events).toEqual([]);
  });

  test('time never runs backwards', () => {
    const venue = new TestVenue();
    venue.pass(10);
    venue.at = (venue.at - 5_000_000) as Micros;
    expect(venue.placed(ALICE, 'bid long 5 @ 0.5').createdAt).toBe(venue.exchange.now());
  });
});
