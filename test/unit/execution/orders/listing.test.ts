import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import type { AnswerBody } from '../../../../src/domain/answers.js';
import type { Shares } from '../../../../src/domain/units.js';
import type { OwnOrders } from '../../../../src/execution/orders/own-orders.js';
import { limitOrder } from '../../../support/order-scenario.js';
import { answered, listed, ms, reportOf } from '../../../support/own-order-reports.js';
import {
  bid,
  create,
  created,
  kinds,
  noOrders,
  oneLiveOrder,
  sendFrom,
  working,
} from '../../../support/own-orders.js';

describe('a listing', () => {
  it('ends a known order only when two complete passes begun later miss it', () => {
    const orders = oneLiveOrder();
    const other = reportOf(limitOrder(40, 1), 9);
    orders.reported(other, ms(20));
    orders.listed([listed(other)], ms(5), ms(30));
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'live', absences: 0 });
    orders.listed([listed(other)], ms(100), ms(110));
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'unknown', absences: 1 });
    const news = orders.listed([listed(other)], ms(200), ms(210));
    expect(kinds(news)).toEqual(['ended', 'vanished']);
  });

  const processing = (): OwnOrders => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(answered(1, created(reportOf(bid, 5, { status: 'processing' })), ms(0)), ms(10));
    return orders;
  };

  it('tells that a frame shows an order processed: the market may have closed meanwhile', () => {
    const orders = processing();
    expect(orders.reported(reportOf(bid, 5, { status: 'processing' }), ms(20))).toEqual([]);
    expect(kinds(orders.reported(reportOf(bid, 5), ms(30)))).toEqual(['processed']);
    expect(orders.reported(reportOf(bid, 5), ms(40))).toEqual([]);
  });

  it('tells that an order is processed which no frame has told', () => {
    const orders = processing();
    expect(orders.listed([listed(reportOf(bid, 5, { status: 'processing' }))], ms(20), ms(30))).toEqual([]);
    expect(kinds(orders.listed([listed(reportOf(bid, 5))], ms(40), ms(50)))).toEqual(['processed']);
    expect(orders.listed([listed(reportOf(bid, 5))], ms(60), ms(70))).toEqual([]);
  });

  it('concludes nothing from an empty answer that contradicts what stands', () => {
    const orders = oneLiveOrder();
    for (const at of [100, 200, 300]) {
      const news = orders.listed([], ms(at), ms(at + 10));
      expect(news).toContainEqual({ kind: 'contradicted', orders: 1 });
    }
    expect(working(orders)).toMatchObject([{ orderId: 5, state: 'unknown' }]);
  });

  it('concludes nothing about a partly filled order where nothing partly filled is listed', () => {
    const orders = oneLiveOrder();
    const other = reportOf(limitOrder(40, 1), 9);
    orders.reported(reportOf(bid, 5, { status: 'partial_filled', filled: 400 as Shares }), ms(20));
    for (const at of [100, 200, 300]) {
      const news = orders.listed([listed(other)], ms(at), ms(at + 10));
      expect(news).toContainEqual({ kind: 'contradicted', orders: 1 });
    }
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'unknown', remaining: 600 });
  });

  it('believes an empty answer together with a cancel that was turned down', () => {
    const orders = oneLiveOrder();
    orders.listed([], ms(100), ms(110));
    sendFrom(orders, 2, { kind: 'cancel-orders', orderIds: [orderId(5)] }, ms(120));
    const body: AnswerBody = { kind: 'cancel-orders', items: [{ ok: false, code: 'not found' }] };
    orders.answered(answered(2, body, ms(120)), ms(130));
    orders.listed([], ms(200), ms(210));
    expect(working(orders)).toEqual([]);
  });

  it('brings back an order that was concluded to be gone', () => {
    const orders = oneLiveOrder();
    const other = reportOf(limitOrder(40, 1), 9);
    orders.reported(other, ms(20));
    for (const at of [100, 200]) orders.listed([listed(other)], ms(at), ms(at + 10));
    const news = orders.listed([listed(other), listed(reportOf(bid, 5))], ms(300), ms(310));
    expect(kinds(news)).toEqual(['found']);
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'live', remaining: 1_000 });
  });

  it('does not revive what the venue itself said is over', () => {
    const orders = oneLiveOrder();
    orders.reported(reportOf(bid, 5, { status: 'canceled' }), ms(100));
    orders.listed([listed(reportOf(bid, 5))], ms(200), ms(210));
    expect(working(orders)).toEqual([]);
  });

  it('tells that something was filled without telling how much', () => {
    const orders = oneLiveOrder();
    orders.listed([listed(reportOf(bid, 5, { status: 'partial_filled' }))], ms(100), ms(110));
    expect(working(orders)[0]).toMatchObject({ filled: 0, remaining: 1_000, fillsUnknownSince: ms(110) });
    orders.reported(reportOf(bid, 5, { status: 'partial_filled', filled: 400 as Shares }), ms(120));
    expect(working(orders)[0]).toMatchObject({ filled: 400, fillsUnknownSince: null });
  });
});
