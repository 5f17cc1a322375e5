import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../src/domain/ids.js';
import type { PriceUnits } from '../../../../src/domain/units.js';
import { failed, listed, ms, reportOf, TIMED_OUT } from '../../../support/own-order-reports.js';
import { bid, create, kinds, noOrders, sendFrom, SHARED, working } from '../../../support/own-orders.js';

describe('an order nobody asked for', () => {
  it('is ours in an exclusive market and foreign in a shared one', () => {
    const orders = noOrders();
    expect(kinds(orders.reported(reportOf(bid, 50), ms(0)))).toEqual(['found']);
    const there = { ...bid, marketId: SHARED };
    expect(kinds(orders.reported(reportOf(there, 51), ms(0)))).toEqual(['foreign']);
    expect(working(orders, SHARED)).toMatchObject([{ ownership: 'foreign', remaining: 1_000 }]);
  });

  it('of the other mode stands in another book: it is none of our business where others trade', () => {
    const orders = noOrders();
    const forRealMoney = { ...bid, currency: 'USDC' } as const;
    expect(orders.reported(reportOf({ ...forRealMoney, marketId: SHARED }, 50), ms(0))).toEqual([]);
    expect(working(orders, SHARED)).toEqual([]);
    expect(kinds(orders.reported(reportOf(forRealMoney, 51), ms(0)))).toEqual(['found']);
  });

  it('in a market we do not trade is none of our business', () => {
    const orders = noOrders();
    expect(orders.reported(reportOf({ ...bid, marketId: marketId(99) }, 50), ms(0))).toEqual([]);
    expect([...orders.markets()]).not.toContain(99);
  });

  it('is claimed for the one lost create it fits, in a shared market too', () => {
    const orders = noOrders();
    const there = { ...bid, marketId: SHARED };
    sendFrom(orders, 1, create(there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    orders.reported(reportOf(there, 51, { createdAt: ms(5) }), ms(1_100));
    expect(working(orders, SHARED)).toMatchObject([{ orderId: 51, ownership: 'ours', state: 'live' }]);
  });

  it('is claimed in a shared market when several lost creates fit it: it is one of them', () => {
    const orders = noOrders();
    const there = { ...bid, marketId: SHARED };
    sendFrom(orders, 1, create(there, there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    orders.reported(reportOf(there, 51), ms(1_100));
    expect(working(orders, SHARED)).toMatchObject([
      { orderId: 51, ownership: 'ours', state: 'live' },
      { orderId: null, state: 'unknown' },
    ]);
  });

  it('is foreign and for a person to look at when a listing shows more of its terms than were lost', () => {
    const orders = noOrders();
    const there = { ...bid, marketId: SHARED };
    sendFrom(orders, 1, create(there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    const news = orders.listed(
      [51, 52].map((id) => listed(reportOf(there, id))),
      ms(1_100),
      ms(1_110),
    );
    expect(kinds(news)).toEqual(['foreign', 'ambiguous', 'foreign', 'ambiguous']);
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'foreign' });
  });

  it('is not claimed when it was created long before the request', () => {
    const orders = noOrders();
    const there = { ...bid, marketId: SHARED };
    sendFrom(orders, 1, create(there), ms(200_000));
    orders.answered(failed(1, TIMED_OUT, ms(200_000)), ms(201_000));
    orders.reported(reportOf(there, 51, { createdAt: ms(0) }), ms(201_100));
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'foreign' });
  });

  it('with the most aggressive price is counted where a market order is still processed', () => {
    const orders = noOrders();
    orders.reported(reportOf(bid, 50, { price: null, status: 'pending' }), ms(0));
    expect(working(orders)).toMatchObject([{ price: 9_999 as PriceUnits, stage: 'processing' }]);
  });
});
