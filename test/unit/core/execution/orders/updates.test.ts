import { describe, expect, it } from 'vitest';
import type { TradingRequest } from '../../../../../src/domain/effects.js';
import { orderId } from '../../../../../src/domain/ids.js';
import type { AnswerBody } from '../../../../../src/domain/answers.js';
import type { OrderReport } from '../../../../../src/domain/orders.js';
import type { Shares } from '../../../../../src/domain/units.js';
import { approved } from '../../../../support/bot/effects.js';
import { limitOrder } from '../../../../support/orders/order-scenario.js';
import {
  answered,
  failed,
  ms,
  refusedWith,
  reportOf,
  TIMED_OUT,
} from '../../../../support/orders/own-order-reports.js';
import { bid, oneLiveOrder, sendFrom, working } from '../../../../support/orders/own-orders.js';

describe('an update', () => {
  const to = limitOrder(49, 10);
  const update: TradingRequest = {
    kind: 'replace-orders',
    replacements: [
      approved({
        orderId: orderId(5),
        place: to,
        price: to.price,
        shares: to.shares,
        expiresAt: null,
        says: 'all',
      }),
    ],
  };
  const updated = (report: OrderReport): AnswerBody => ({
    kind: 'replace-orders',
    items: [{ ok: true, value: report }],
  });

  it('counts the old remainder and the whole replacement while it is under way', () => {
    const orders = oneLiveOrder();
    sendFrom(orders, 2, update, ms(100));
    expect(working(orders)).toMatchObject([
      { orderId: '5', state: 'updating', remaining: 1_000 },
      { orderId: null, state: 'creating', remaining: 1_000 },
    ]);
  });

  it('puts the replacement in the place of the old order and keeps what the old one traded before', () => {
    const orders = oneLiveOrder();
    sendFrom(orders, 2, update, ms(100));
    orders.answered(answered(2, updated(reportOf(to, 6)), ms(100)), ms(110));
    expect(working(orders)).toMatchObject([{ orderId: '6', longPrice: 4_900, state: 'live' }]);
    const news = orders.reported(
      reportOf(bid, 5, { status: 'canceled', filled: 200 as Shares, averageFillPrice: 0.48 }),
      ms(200),
    );
    expect(news).toMatchObject([
      { kind: 'filled', fill: { orderId: '5', shares: 200, amount: 200 * 4_800 } },
    ]);
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'done', ending: 'replaced' });
  });

  it('leaves the old order unknown when its item failed', () => {
    const orders = oneLiveOrder();
    sendFrom(orders, 2, update, ms(100));
    const body: AnswerBody = {
      kind: 'replace-orders',
      items: [{ ok: false, code: 'Only open orders can be updated.', means: 'unstated' }],
    };
    orders.answered(answered(2, body, ms(100)), ms(110));
    expect(working(orders)).toMatchObject([{ orderId: '5', state: 'unknown', doubt: 'update' }]);
  });

  it('leaves the old order live when the whole request was refused', () => {
    const orders = oneLiveOrder();
    sendFrom(orders, 2, update, ms(100));
    orders.answered(failed(2, refusedWith('ValidationError'), ms(100)), ms(110));
    expect(working(orders)).toMatchObject([{ orderId: '5', state: 'live' }]);
  });

  it('can no longer take effect once the old order was cancelled by its id', () => {
    const orders = oneLiveOrder();
    sendFrom(orders, 2, update, ms(100));
    orders.answered(failed(2, TIMED_OUT, ms(100)), ms(1_100));
    expect(working(orders).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    sendFrom(orders, 3, { kind: 'cancel-orders', orderIds: [orderId(5)] }, ms(1_200));
    const cancelled: AnswerBody = { kind: 'cancel-orders', items: [{ ok: true, value: orderId(5) }] };
    orders.answered(answered(3, cancelled, ms(1_200)), ms(1_300));
    expect(working(orders)).toEqual([]);
  });
});
