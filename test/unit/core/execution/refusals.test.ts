import { describe, expect, it } from 'vitest';
import type { TradingRequest } from '../../../../src/domain/effects.js';
import { orderId } from '../../../../src/domain/ids.js';
import type { RequestFailure } from '../../../../src/domain/answers.js';
import type { OwnOrders } from '../../../../src/core/execution/orders/own-orders.js';
import { approved } from '../../../support/bot/effects.js';
import { limitOrder } from '../../../support/orders/order-scenario.js';
import { failed, ms, refusedWith, reportOf } from '../../../support/orders/own-order-reports.js';
import {
  create,
  noOrders,
  oneLiveOrder,
  sendFrom,
  SHARED,
  working,
} from '../../../support/orders/own-orders.js';

const bid = { ...limitOrder(48, 10), marketId: SHARED };
const moved = { ...bid, price: limitOrder(49, 10).price };

const MOVE: TradingRequest = {
  kind: 'replace-orders',
  replacements: [
    approved({
      orderId: orderId(5),
      place: bid,
      price: moved.price,
      shares: moved.shares,
      expiresAt: null,
      says: 'price',
    }),
  ],
};
const CANCEL: TradingRequest = { kind: 'cancel-orders', orderIds: [orderId(5)] };

/** The order 5 works and the request about it is under way, as number 2. */
function asking(request: TradingRequest): OwnOrders {
  const orders = oneLiveOrder(bid);
  sendFrom(orders, 2, request);
  return orders;
}

/** The venue's mood, not the request: another copy of the same bytes, a moment later, may be taken. */
const MOMENTARY: readonly RequestFailure[] = [
  refusedWith('Throttled', 429),
  refusedWith('Slow down', 429),
  refusedWith('ExpiredTimestamp', 401),
];

describe('a refusal that lies in the moment', () => {
  it.each(MOMENTARY)('leaves a create in doubt, and is told: $code', (failure) => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    const news = orders.answered(failed(1, failure, ms(0)), ms(10));
    expect(news).toMatchObject([{ kind: 'refused' }]);
    expect(working(orders, SHARED)).toMatchObject([{ state: 'unknown', doubt: 'create', remaining: 1_000 }]);
  });

  it('leaves an update in doubt: the old order and the new one count', () => {
    const orders = asking(MOVE);
    orders.answered(failed(2, refusedWith('Throttled', 429), ms(0)), ms(20));
    expect(working(orders, SHARED)).toMatchObject([
      { orderId: '5', state: 'unknown', doubt: 'update' },
      { orderId: null, state: 'unknown', doubt: 'create' },
    ]);
  });

  it('does not make the order foreign that a copy of the request brought', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, refusedWith('Throttled', 429), ms(0)), ms(10));
    orders.reported(reportOf(bid, 51, { createdAt: ms(20) }), ms(30));
    expect(working(orders, SHARED)).toMatchObject([{ orderId: '51', ownership: 'ours', state: 'live' }]);
  });

  it('leaves an order live whose cancel was refused: it is asked for again', () => {
    const orders = asking(CANCEL);
    orders.answered(failed(2, refusedWith('Throttled', 429), ms(0)), ms(20));
    expect(working(orders, SHARED)).toMatchObject([{ orderId: '5', state: 'live' }]);
  });
});

describe('a refusal that lies in the request', () => {
  it.each([
    refusedWith('UserNotEnoughBalance'),
    refusedWith('ValidationError'),
    refusedWith('wager_action_duplicated'),
  ])('ends a create: $code', (failure) => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, failure, ms(0)), ms(10));
    expect(working(orders, SHARED)).toEqual([]);
  });
});
