import { describe, expect, it } from 'vitest';
import { type OrderId, orderId } from '../../../../../src/domain/ids.js';
import type { AnswerBody } from '../../../../../src/domain/answers.js';
import type { Shares } from '../../../../../src/domain/units.js';
import type { OwnOrders } from '../../../../../src/core/execution/orders/own-orders.js';
import { approved } from '../../../../support/bot/effects.js';
import { EVENT, limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import {
  answered,
  failed,
  listed,
  ms,
  refusedWith,
  reportOf,
  TIMED_OUT,
} from '../../../../support/orders/own-order-reports.js';
import {
  bid,
  create,
  created,
  kinds,
  noOrders,
  oneLiveOrder,
  sendFrom,
  working,
} from '../../../../support/orders/own-orders.js';

describe('a request whose answer was lost', () => {
  it('is settled by the frame of its order', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(2_000));
    orders.reported(reportOf(bid, 5), ms(2_100));
    expect(working(orders)).toMatchObject([{ orderId: '5', state: 'live' }]);
    expect([...orders.openRequests()]).toEqual([]);
  });

  it('tells when a frame or a listing shows that it stands: the market may have closed meanwhile', () => {
    const byFrame = noOrders();
    sendFrom(byFrame, 1, create(bid));
    byFrame.answered(failed(1, TIMED_OUT, ms(0)), ms(10));
    expect(kinds(byFrame.reported(reportOf(bid, 5), ms(30)))).toEqual(['claimed', 'certain']);
    const byListing = noOrders();
    sendFrom(byListing, 1, create(bid));
    byListing.answered(failed(1, TIMED_OUT, ms(0)), ms(10));
    expect(kinds(byListing.listed([listed(reportOf(bid, 5))], ms(40), ms(50)))).toEqual([
      'claimed',
      'certain',
    ]);
  });

  it('is settled by the stored answer to its replay, which makes no second order', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    sendFrom(orders, 1, create(bid), ms(1_100));
    expect(working(orders)).toHaveLength(1);
    orders.answered(answered(1, created(reportOf(bid, 5)), ms(1_100)), ms(1_200));
    expect(working(orders)).toMatchObject([{ orderId: '5', state: 'live' }]);
  });

  it('is not taken for refused because its replay was throttled', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    sendFrom(orders, 1, create(bid), ms(1_100));
    orders.answered(failed(1, refusedWith('Throttled', 429), ms(1_100)), ms(1_200));
    expect(working(orders)).toMatchObject([{ state: 'unknown', doubt: 'create' }]);
  });

  it('was never executed when two listings begun after the clock window miss its order', () => {
    const orders = oneLiveOrder(limitOrder(40, 1));
    sendFrom(orders, 2, create(bid), ms(1_000));
    orders.answered(failed(2, TIMED_OUT, ms(1_000)), ms(2_000));
    const others = [listed(reportOf(limitOrder(40, 1), 5))];
    orders.listed(others, ms(30_000), ms(30_010));
    orders.listed(others, ms(61_001), ms(61_010));
    expect(orders.doubtful.size).toBe(1);
    orders.listed(others, ms(62_000), ms(62_010));
    expect(orders.doubtful.size).toBe(0);
    expect(orders.own(MARKET).ended).toMatchObject([{ ending: 'never-executed' }]);
  });

  it('names twins by the answer to the replay even when a frame had named them the other way round', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid, bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    orders.reported(reportOf(bid, 6), ms(1_050));
    sendFrom(orders, 1, create(bid, bid), ms(1_100));
    orders.answered(answered(1, created(reportOf(bid, 5), reportOf(bid, 6)), ms(1_100)), ms(1_200));
    expect(new Set(working(orders).map(({ orderId: id }) => id))).toEqual(new Set(['5', '6']));
    expect(working(orders).map(({ state }) => state)).toEqual(['live', 'live']);
  });

  it('still counts when another lost create of the same terms had been given its id', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    sendFrom(orders, 2, create(bid), ms(1_100));
    orders.answered(failed(2, TIMED_OUT, ms(1_100)), ms(2_100));
    orders.reported(reportOf(bid, 6), ms(2_200));
    sendFrom(orders, 2, create(bid), ms(2_300));
    orders.answered(answered(2, created(reportOf(bid, 6)), ms(2_300)), ms(2_400));
    expect(working(orders)).toMatchObject([
      { orderId: '6', state: 'live' },
      { orderId: null, state: 'unknown', doubt: 'create' },
    ]);
    expect([...orders.openRequests()].map(({ requestId }) => requestId)).toEqual([2]);
    orders.reported(reportOf(bid, 5), ms(2_500));
    expect(working(orders).map(({ orderId: id }) => id)).toEqual(['6', '5']);
  });
});

describe('an update whose answer was lost', () => {
  const to = limitOrder(49, 10);
  const item = {
    orderId: orderId(5),
    place: to,
    price: to.price,
    shares: to.shares,
    expiresAt: null,
    says: 'all',
  } as const;
  const lostUpdate = (): OwnOrders => {
    const orders = oneLiveOrder();
    sendFrom(orders, 2, { kind: 'replace-orders', replacements: [approved(item)] }, ms(100));
    orders.answered(failed(2, TIMED_OUT, ms(100)), ms(1_100));
    expect(working(orders).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    return orders;
  };
  const cancelMarket = (orders: OwnOrders, ...canceledIds: OrderId[]): void => {
    const scope = { kind: 'market', eventId: EVENT, marketId: MARKET } as const;
    sendFrom(orders, 3, { kind: 'cancel-scope', scope }, ms(1_200));
    const body: AnswerBody = { kind: 'cancel-scope', canceledIds, processingIds: [] };
    orders.answered(answered(3, body, ms(1_200)), ms(1_300));
  };

  it('can no longer take effect once the old order was cancelled with its market', () => {
    const orders = lostUpdate();
    cancelMarket(orders, orderId(5));
    expect(working(orders)).toEqual([]);
  });

  it('may still take effect when a cancel of the market did not find the old order', () => {
    const orders = lostUpdate();
    cancelMarket(orders);
    expect(working(orders)).toMatchObject([
      { orderId: '5', state: 'unknown' },
      { orderId: null, state: 'unknown' },
    ]);
  });

  it('can no longer take effect once the old order was filled', () => {
    const orders = lostUpdate();
    orders.reported(reportOf(bid, 5, { status: 'filled', filled: 1_000 as Shares }), ms(1_200));
    expect(working(orders)).toEqual([]);
  });

  it('had none when the old order was filled before the answer was given up', () => {
    const orders = oneLiveOrder();
    sendFrom(orders, 2, { kind: 'replace-orders', replacements: [approved(item)] }, ms(100));
    orders.reported(reportOf(bid, 5, { status: 'filled', filled: 1_000 as Shares }), ms(200));
    orders.answered(failed(2, TIMED_OUT, ms(100)), ms(1_100));
    expect(working(orders)).toEqual([]);
  });
});
