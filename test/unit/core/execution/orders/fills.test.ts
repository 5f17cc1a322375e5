import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../../src/domain/ids.js';
import type { OrderReport } from '../../../../../src/domain/orders.js';
import type { Shares } from '../../../../../src/domain/units.js';
import type { OrderNews } from '../../../../../src/core/execution/orders/own-order.js';
import { MARKET } from '../../../../support/orders/order-scenario.js';
import { answered, ms, reportOf } from '../../../../support/orders/own-order-reports.js';
import {
  bid,
  create,
  created,
  kinds,
  noOrders,
  oneLiveOrder,
  sendFrom,
  SHARED,
} from '../../../../support/orders/own-orders.js';

describe('fills', () => {
  const told = (filled: number, average: number | null): OrderReport =>
    reportOf(bid, 5, { status: 'partial_filled', filled: filled as Shares, averageFillPrice: average });
  const amounts = (news: readonly OrderNews[]) =>
    news.flatMap((item) => (item.kind === 'filled' ? [[item.fill.shares, item.fill.amount]] : []));

  it('are passed on once, at the difference of cumulative amounts', () => {
    const orders = oneLiveOrder();
    expect(amounts(orders.reported(told(200, 0.47), ms(20)))).toEqual([[200, 200 * 4_700]]);
    expect(amounts(orders.reported(told(200, 0.47), ms(21)))).toEqual([]);
    expect(amounts(orders.reported(told(500, 0.476), ms(22)))).toEqual([[300, 500 * 4_760 - 200 * 4_700]]);
    expect(amounts(orders.reported(told(200, 0.47), ms(23)))).toEqual([]);
  });

  it('count at the price of the order until the average is told, then correct it', () => {
    const orders = oneLiveOrder();
    expect(amounts(orders.reported(told(200, null), ms(20)))).toEqual([[200, 200 * 4_800]]);
    expect(amounts(orders.reported(told(200, 0.47), ms(21)))).toEqual([[0, -200 * 100]]);
  });

  it('end the order at its full size even where the frame says no number', () => {
    const orders = oneLiveOrder();
    const news = orders.reported(reportOf(bid, 5, { status: 'filled', filled: null }), ms(20));
    expect(kinds(news)).toEqual(['filled', 'ended']);
    expect(orders.byId(orderId(5))).toMatchObject({ ending: 'filled', filled: 1_000, remaining: 0 });
  });

  it('inside the answer to a create were taken and pay the taker fee', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    const report = reportOf(bid, 5, { status: 'filled', filled: 1_000 as Shares, averageFillPrice: 0.45 });
    const news = orders.answered(answered(1, created(report), ms(0)), ms(10));
    expect(news).toMatchObject([
      { kind: 'filled', fill: { liquidity: 'taker', fee: 10_000, amount: 4_500 * 1_000 } },
      { kind: 'ended' },
    ]);
  });

  it('inside the answer were taken though frames told of them first', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.reported(reportOf(bid, 5, { status: 'open', filled: 0 as Shares }), ms(5));
    const filled = { status: 'filled', filled: 1_000 as Shares, averageFillPrice: 0.45 } as const;
    orders.reported(reportOf(bid, 5, filled), ms(6));
    const news = orders.answered(answered(1, created(reportOf(bid, 5, filled)), ms(0)), ms(10));
    expect(news).toMatchObject([{ kind: 'filled', fill: { liquidity: 'taker' } }, { kind: 'ended' }]);
  });

  it('at a better price than its own were taken, though a frame had called the order open', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(answered(1, created(reportOf(bid, 5, { status: 'processing' })), ms(0)), ms(10));
    orders.reported(reportOf(bid, 5, { status: 'open' }), ms(250));
    const news = orders.reported(told(200, 0.45), ms(251));
    expect(news).toMatchObject([{ fill: { liquidity: 'taker', fee: 2_000 } }]);
  });

  it('in the instant in which the order left processing pay the dearer fee, at its own price, too', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(answered(1, created(reportOf(bid, 5, { status: 'processing' })), ms(0)), ms(10));
    orders.reported({ ...reportOf(bid, 5), toldAt: ms(249) }, ms(250));
    const atOnce = orders.reported({ ...told(200, 0.48), toldAt: ms(249) }, ms(251));
    const later = orders.reported({ ...told(300, 0.48), toldAt: ms(300) }, ms(301));
    expect(atOnce).toMatchObject([{ fill: { liquidity: 'unknown', fee: 2_000 } }]);
    expect(later).toMatchObject([{ fill: { liquidity: 'maker', fee: 0 } }]);
  });

  it('that a frame tells of before the answer are withheld until it comes', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    expect(orders.areFillsWithheld(MARKET)).toBe(false);
    orders.reported(told(200, 0.48), ms(5));
    expect([orders.areFillsWithheld(MARKET), orders.areFillsWithheld(SHARED)]).toEqual([true, false]);
    orders.answered(answered(1, created(reportOf(bid, 5)), ms(0)), ms(10));
    expect(orders.areFillsWithheld(MARKET)).toBe(false);
  });

  it('of an order that rested were made', () => {
    const orders = oneLiveOrder();
    const news = orders.reported(told(200, 0.48), ms(20));
    expect(news).toMatchObject([{ fill: { liquidity: 'maker', fee: 0 } }]);
  });
});
