import { describe, expect, it } from 'vitest';
import type { Shares } from '../../../../../src/domain/units.js';
import { approved, send } from '../../../../support/bot/effects.js';
import { exclusiveOrders, limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import { answered, ms, reportOf } from '../../../../support/orders/own-order-reports.js';

describe('a venue that begins to count anew', () => {
  const asked = limitOrder(40, 10);

  /** Creates an order that the venue answers with this id. */
  function create(orders: ReturnType<typeof exclusiveOrders>, requestId: number, id: number, at: number) {
    orders.sent(send(requestId, { kind: 'create-orders', orders: [approved(asked)] }), ms(at));
    const items = [{ ok: true, value: reportOf(asked, id) } as const];
    orders.answered(
      answered(requestId, { kind: 'create-orders', items, canceledIds: [] }, ms(at)),
      ms(at + 1),
    );
  }

  it('has its new order tracked although an order that ended had the id before', () => {
    const orders = exclusiveOrders();
    create(orders, 1, 17, 0);
    orders.reported(reportOf(asked, 17, { status: 'canceled' }), ms(10));
    create(orders, 2, 17, 20);
    expect(orders.own(MARKET).working.map(({ orderId }) => orderId)).toEqual(['17']);
  });

  it('has its new order tracked although one that was thought to stand had the id', () => {
    const orders = exclusiveOrders();
    create(orders, 1, 17, 0);
    create(orders, 2, 17, 20);
    const { working, ended } = orders.own(MARKET);
    expect(working.map(({ serial }) => serial)).toEqual([2]);
    expect(ended.map(({ ending }) => ending)).toEqual(['vanished']);
  });

  it('has fills under the id booked to the new order', () => {
    const orders = exclusiveOrders();
    create(orders, 1, 17, 0);
    orders.reported(reportOf(asked, 17, { status: 'canceled' }), ms(10));
    create(orders, 2, 17, 20);
    const told = { status: 'partial_filled', filled: 300 as Shares } as const;
    const news = orders.reported(reportOf(asked, 17, told), ms(30));
    expect(news).toMatchObject([{ kind: 'filled', fill: { shares: 300 } }]);
  });
});
