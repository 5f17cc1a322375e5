import { describe, expect, it } from 'vitest';
import type { TradingRequest } from '../../../src/domain/effects.js';
import { marketId, orderId } from '../../../src/domain/ids.js';
import type { RequestFailure } from '../../../src/domain/inputs.js';
import type { Money } from '../../../src/domain/units.js';
import type { OwnOrder } from '../../../src/execution/orders/own-order.js';
import { OwnOrders } from '../../../src/execution/orders/own-orders.js';
import { answered, failed, ms, refusedWith, reportOf } from '../../support/own-order-reports.js';
import { approved, EVENT, limitOrder } from '../../support/order-scenario.js';

const SHARED = marketId(8);
const bid = { ...limitOrder(48, 10), marketId: SHARED };
const moved = { ...bid, price: limitOrder(49, 10).price };

const CREATE: TradingRequest = { kind: 'create-orders', orders: [approved(bid)] };
const MOVE: TradingRequest = {
  kind: 'replace-orders',
  replacements: [
    approved({
      orderId: orderId(5),
      place: bid,
      price: moved.price,
      shares: moved.shares,
      expiresAt: null,
    }),
  ],
};
const CANCEL: TradingRequest = { kind: 'cancel-orders', orderIds: [orderId(5)] };

const open = (): OwnOrders =>
  new OwnOrders({
    tenure: () => ({ eventId: EVENT, ownership: 'shared' }),
    fees: () => ({ takerFee: 0 as Money, makerFee: 0 as Money }),
    clockWindowMs: 60_000,
    readAgeMs: 0,
    keepEndedMs: 60_000,
  });

function send(orders: OwnOrders, requestId: number, request: TradingRequest): void {
  orders.sent({ kind: 'send', requestId, request, deadline: ms(60_000) }, ms(0));
}

/** The order 5 works and the request about it is under way, as number 2. */
function asking(request: TradingRequest): OwnOrders {
  const orders = open();
  send(orders, 1, CREATE);
  const items = [{ ok: true, value: reportOf(bid, 5) }] as const;
  orders.answered(answered(1, { kind: 'create-orders', items, canceledIds: [] }, ms(0)), ms(10));
  send(orders, 2, request);
  return orders;
}

const working = (orders: OwnOrders): readonly OwnOrder[] => orders.own(SHARED).working;

/** The venue's mood, not the request: another copy of the same bytes, a moment later, may be taken. */
const MOMENTARY: readonly RequestFailure[] = [
  refusedWith('Throttled', 429),
  refusedWith('Slow down', 429),
  refusedWith('ExpiredTimestamp', 401),
];

describe('a refusal that lies in the moment', () => {
  it.each(MOMENTARY)('leaves a create in doubt, and is told: $code', (failure) => {
    const orders = open();
    send(orders, 1, CREATE);
    const news = orders.answered(failed(1, failure, ms(0)), ms(10));
    expect(news).toMatchObject([{ kind: 'refused' }]);
    expect(working(orders)).toMatchObject([{ state: 'unknown', doubt: 'create', remaining: 1_000 }]);
  });

  it('leaves an update in doubt: the old order and the new one count', () => {
    const orders = asking(MOVE);
    orders.answered(failed(2, refusedWith('Throttled', 429), ms(0)), ms(20));
    expect(working(orders)).toMatchObject([
      { orderId: 5, state: 'unknown', doubt: 'update' },
      { orderId: null, state: 'unknown', doubt: 'create' },
    ]);
  });

  it('does not make the order foreign that a copy of the request brought', () => {
    const orders = open();
    send(orders, 1, CREATE);
    orders.answered(failed(1, refusedWith('Throttled', 429), ms(0)), ms(10));
    orders.reported(reportOf(bid, 51, { createdAt: ms(20) }), ms(30));
    expect(working(orders)).toMatchObject([{ orderId: 51, ownership: 'ours', state: 'live' }]);
  });

  it('leaves an order live whose cancel was refused: it is asked for again', () => {
    const orders = asking(CANCEL);
    orders.answered(failed(2, refusedWith('Throttled', 429), ms(0)), ms(20));
    expect(working(orders)).toMatchObject([{ orderId: 5, state: 'live' }]);
  });
});

describe('a refusal that lies in the request', () => {
  it.each([
    refusedWith('UserNotEnoughBalance'),
    refusedWith('ValidationError'),
    refusedWith('wager_action_duplicated'),
  ])('ends a create: $code', (failure) => {
    const orders = open();
    send(orders, 1, CREATE);
    orders.answered(failed(1, failure, ms(0)), ms(10));
    expect(working(orders)).toEqual([]);
  });
});
