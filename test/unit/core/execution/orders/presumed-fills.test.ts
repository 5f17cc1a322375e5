import { describe, expect, it } from 'vitest';
import type { Fill } from '../../../../../src/domain/fill.js';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import type { Shares } from '../../../../../src/domain/units.js';
import type { OwnOrders } from '../../../../../src/core/execution/orders/own-orders.js';
import { approved } from '../../../../support/bot/effects.js';
import { exclusiveOrders, limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import { failed, ms, reportOf, TIMED_OUT } from '../../../../support/orders/own-order-reports.js';

const bid = limitOrder(48, 10);
const ask = { ...limitOrder(60, 10), side: 'ask' } as const;

/** Live orders of these terms, numbered from 5 on. */
const live = (...terms: readonly LimitOrder[]): OwnOrders => listed(exclusiveOrders(), terms);
const listed = (orders: OwnOrders, terms: readonly LimitOrder[]): OwnOrders => {
  orders.listed(
    terms.map((order, index) => reportOf(order, 5 + index)),
    ms(0),
    ms(1),
  );
  return orders;
};
/** Two: 5 buys, 6 sells. */
const both = (): OwnOrders => live(bid, ask);
const tell = (orders: OwnOrders, order: LimitOrder, id: number, filled: number, at: number) =>
  orders
    .reported(reportOf(order, id, { status: 'partial_filled', filled: filled as Shares }), ms(at))
    .flatMap((item) => {
      if (item.kind !== 'filled') return [];
      const presumed = item.fill.replaces?.shares ?? 0;
      return [[item.fill.shares + presumed, presumed]];
    });
const repaired = (
  orders: OwnOrders,
  came: number,
  at: number,
  { currency = bid.currency, venue = came } = {},
): readonly Fill[] =>
  orders
    .holdingDiffers(
      MARKET,
      { position: 'long', currency, came, venue: venue as Shares, since: ms(at - 100) },
      ms(at),
    )
    .flatMap((item) => (item.kind === 'filled' ? [item.fill] : []));

describe('a holding that was repaired', () => {
  it('contains the fill of which a frame tells late', () => {
    const orders = both();
    repaired(orders, -400, 1_000);
    expect(tell(orders, ask, 6, 400, 1_900)).toEqual([[400, 400]]);
    expect(tell(orders, ask, 6, 700, 2_000)).toEqual([[300, 0]]);
  });

  it('contains a purchase of the other position where the venue nets, and only there', () => {
    const short = limitOrder(40, 10, { position: 'short' });
    for (const [nets, presumed] of [
      [true, 400],
      [false, 0],
    ] as const) {
      const orders = listed(exclusiveOrders(nets), [short]);
      repaired(orders, -400, 1_000);
      expect(tell(orders, short, 5, 400, 1_900)).toEqual([[400, presumed]]);
    }
  });

  it('is booked as a fill of the order at its price, and corrected once the venue tells of it', () => {
    const orders = both();
    const [inferred] = repaired(orders, 400, 1_000);
    expect(inferred).toMatchObject({
      id: 1,
      orderId: '5',
      side: 'bid',
      shares: 400,
      amount: 400 * 4_800,
      isInferred: true,
      replaces: null,
      at: ms(900),
    });
    const report = reportOf(bid, 5, {
      status: 'partial_filled',
      filled: 600 as Shares,
      averageFillPrice: 0.47,
    });
    const told = orders
      .reported(report, ms(2_000))
      .flatMap((item) => (item.kind === 'filled' ? [item.fill] : []));
    expect(told).toMatchObject([
      { id: 2, shares: 0, amount: 400 * -100, replaces: { id: 1, shares: 400, amount: 400 * 4_800 } },
      { id: 3, shares: 200, amount: 200 * 4_700, isInferred: false, replaces: null },
    ]);
  });

  it('is taken back where the fill was told of as if it were new: the holding has not moved, and ours has', () => {
    const orders = live(bid, bid);
    repaired(orders, 400, 1_000, { venue: 400 });
    orders.listed([reportOf(bid, 5), reportOf(bid, 6)], ms(4_000), ms(4_010));
    expect(tell(orders, bid, 6, 400, 5_000)).toEqual([[400, 0]]);
    expect(repaired(orders, -400, 9_000, { venue: 400 })).toMatchObject([
      { orderId: '5', side: 'bid', shares: -400, amount: -400 * 4_800, replaces: { id: 1, shares: 400 } },
    ]);
  });

  it('says nothing of orders that would have moved it the other way', () => {
    const orders = both();
    repaired(orders, -400, 1_000);
    expect(tell(orders, bid, 5, 400, 1_900)).toEqual([[400, 0]]);
  });

  it('says nothing of orders in another currency, which has holdings of its own', () => {
    const inDollars = { ...limitOrder(47, 10), currency: 'USD' } as const;
    const orders = live(bid, inDollars);
    repaired(orders, 400, 1_000, { currency: 'USD' });
    expect(tell(orders, bid, 5, 400, 1_900)).toEqual([[400, 0]]);
    expect(tell(orders, inDollars, 6, 400, 1_900)).toEqual([[400, 400]]);
  });

  it('contains what an order may have traded before an end that nobody heard of', () => {
    const orders = both();
    orders.listed([reportOf(bid, 5)], ms(5_000), ms(5_010));
    orders.listed([reportOf(bid, 5)], ms(6_000), ms(6_010));
    expect(orders.unheardEnds(MARKET)).toMatchObject([{ orderId: '6', ending: 'vanished' }]);
    repaired(orders, -1_000, 7_000);
    expect(tell(orders, ask, 6, 1_000, 7_900)).toEqual([[1_000, 1_000]]);
  });

  it('and then the other way, contains what was bought and what was sold', () => {
    const orders = both();
    repaired(orders, -400, 1_000);
    repaired(orders, 400, 3_000);
    expect(tell(orders, ask, 6, 400, 3_100)).toEqual([[400, 400]]);
    expect(tell(orders, bid, 5, 400, 3_100)).toEqual([[400, 400]]);
  });

  it('contains the fill of another order than the one that it was presumed of', () => {
    const orders = live(bid, bid);
    repaired(orders, 400, 1_000);
    expect(tell(orders, bid, 6, 400, 1_900)).toEqual([[400, 400]]);
    expect(tell(orders, bid, 5, 400, 2_000)).toEqual([[400, 0]]);
  });

  it('contains the fill of an order whose create nobody answered', () => {
    const orders = exclusiveOrders();
    const request = { kind: 'create-orders', orders: [approved(bid)] } as const;
    orders.sent({ kind: 'send', requestId: 1, request, deadline: ms(60_000) }, ms(0));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(500));
    repaired(orders, 400, 1_000);
    expect(tell(orders, bid, 5, 400, 1_900)).toEqual([[400, 400]]);
  });

  it('says nothing of an order that came after it', () => {
    const orders = live(bid);
    repaired(orders, 400, 1_000);
    orders.listed([reportOf(bid, 5), reportOf(bid, 6)], ms(1_100), ms(1_200));
    expect(tell(orders, bid, 6, 400, 1_900)).toEqual([[400, 0]]);
  });

  it('contains the fill of another order, however late it is told, unless that was heard of before', () => {
    const orders = live(bid, bid, bid);
    repaired(orders, 400, 1_000);
    expect(tell(orders, bid, 6, 0, 15_000)).toEqual([]);
    expect(tell(orders, bid, 6, 400, 20_000)).toEqual([[400, 0]]);
    expect(tell(orders, bid, 7, 400, 20_100)).toEqual([[400, 400]]);
    expect(tell(orders, bid, 5, 400, 20_200)).toEqual([[400, 0]]);
  });

  it('says nothing of an order that a later listing shows untouched', () => {
    const orders = live(bid, bid);
    repaired(orders, 400, 1_000);
    orders.listed([reportOf(bid, 5), reportOf(bid, 6)], ms(4_000), ms(4_010));
    expect(tell(orders, bid, 6, 400, 5_000)).toEqual([[400, 0]]);
  });

  it('is the older one of two that contains the fill of an older order, and leaves the other to younger ones', () => {
    const small = limitOrder(48, 6);
    const orders = live(small, bid);
    repaired(orders, 600, 1_000);
    orders.listed([reportOf(small, 5), reportOf(bid, 6), reportOf(bid, 7)], ms(1_100), ms(1_200));
    repaired(orders, 300, 3_000);
    expect(tell(orders, bid, 6, 300, 3_100)).toEqual([[300, 300]]);
    expect(tell(orders, small, 5, 300, 3_200)).toEqual([[300, 300]]);
    expect(tell(orders, bid, 7, 300, 3_300)).toEqual([[300, 300]]);
  });

  it('leaves what was told of it able to be filled once more, until a later read agrees', () => {
    const orders = live(bid);
    repaired(orders, 400, 1_000);
    expect(tell(orders, bid, 5, 400, 9_900)).toEqual([[400, 400]]);
    expect(orders.unheardEnds(MARKET)).toMatchObject([{ orderId: '5', requested: 400, filled: 0 }]);
    expect(orders.endsReadDue).toBe(ms(12_400));
    const { version } = orders.own(MARKET);
    orders.holdingsAgree(ms(11_900));
    expect(orders.own(MARKET).version).toBe(version);
    orders.holdingsAgree(ms(12_000));
    expect(orders.unheardEnds(MARKET)).toEqual([]);
    expect(orders.own(MARKET).version).toBeGreaterThan(version);
  });
});
