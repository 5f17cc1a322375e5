import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../../src/domain/ids.js';
import type { PriceUnits } from '../../../../../src/domain/units.js';
import type { JournalRecord, OrderClaims } from '../../../../../src/core/ports/journal.js';
import { approved } from '../../../../support/bot/effects.js';
import {
  answered,
  failed,
  listed,
  ms,
  reportOf,
  TIMED_OUT,
} from '../../../../support/orders/own-order-reports.js';
import {
  bid,
  create,
  kinds,
  noOrders,
  sendFrom,
  SHARED,
  working,
} from '../../../../support/orders/own-orders.js';

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
    expect(working(orders, SHARED)).toMatchObject([{ orderId: '51', ownership: 'ours', state: 'live' }]);
  });

  it('is claimed in a shared market when several lost creates fit it: it is one of them', () => {
    const orders = noOrders();
    const there = { ...bid, marketId: SHARED };
    sendFrom(orders, 1, create(there, there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    orders.reported(reportOf(there, 51), ms(1_100));
    expect(working(orders, SHARED)).toMatchObject([
      { orderId: '51', ownership: 'ours', state: 'live' },
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
    expect(kinds(news)).toEqual(['ambiguous', 'ambiguous']);
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'ambiguous' });
    expect(orders.doubted).toEqual(['51', '52']);
  });

  it('is in doubt when only the time of its creation speaks against it: who tells of that may have another clock', () => {
    const orders = noOrders();
    const there = { ...bid, marketId: SHARED };
    sendFrom(orders, 1, create(there), ms(200_000));
    orders.answered(failed(1, TIMED_OUT, ms(200_000)), ms(201_000));
    orders.reported(reportOf(there, 51, { createdAt: ms(0) }), ms(201_100));
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'ambiguous' });
    orders.reported(reportOf(there, 52, { createdAt: ms(200_100) }), ms(201_200));
    expect(orders.byId(orderId(52))).toMatchObject({ ownership: 'ours' });
  });

  it('is foreign whatever its terms where it was known before the request left', () => {
    const orders = noOrders();
    const there = { ...bid, marketId: SHARED };
    orders.reported(reportOf(there, 50), ms(0));
    sendFrom(orders, 1, create(there), ms(100));
    orders.answered(failed(1, TIMED_OUT, ms(100)), ms(1_000));
    const shown = [50, 51].map((id) => listed(reportOf(there, id, { createdAt: ms(id) })));
    expect(kinds(orders.listed(shown, ms(1_100), ms(1_110)))).toContain('claimed');
    expect(orders.byId(orderId(50))).toMatchObject({ ownership: 'foreign' });
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'ours' });
    expect(orders.doubted).toEqual([]);
  });

  it('with the most aggressive price is counted where a market order is still processed', () => {
    const orders = noOrders();
    orders.reported(reportOf(bid, 50, { price: null, status: 'pending' }), ms(0));
    expect(working(orders)).toMatchObject([{ price: 9_999 as PriceUnits, stage: 'processing' }]);
  });
});

describe('an order that took the id of a lost create', () => {
  const there = { ...bid, marketId: SHARED };

  function oneClaimed(id = 51) {
    const orders = noOrders();
    sendFrom(orders, 1, create(there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    expect(kinds(orders.reported(reportOf(there, id), ms(1_100)))).toContain('claimed');
    return orders;
  }

  it('is in doubt, and so is the other, when one more of its terms comes that may be the lost one as well', () => {
    const orders = oneClaimed();
    expect(kinds(orders.reported(reportOf(there, 52), ms(5_000)))).toEqual(['ambiguous', 'ambiguous']);
    expect(orders.doubted).toEqual(['51', '52']);
    expect(kinds(orders.reported(reportOf(there, 53), ms(6_000)))).toEqual(['ambiguous']);
  });

  it('stays ours when the other comes after everything that was asked for can have come', () => {
    const orders = oneClaimed();
    orders.listed([listed(reportOf(there, 51))], ms(64_000), ms(64_010));
    expect(kinds(orders.reported(reportOf(there, 52), ms(64_500)))).toEqual(['foreign']);
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'ours' });
  });

  it('is in doubt whenever one shows that may be older: no listing since tells that it did not stand before', () => {
    const orders = oneClaimed();
    orders.listed([listed(reportOf(there, 51))], ms(31_000), ms(31_010));
    orders.reported(reportOf(there, 50), ms(90_000));
    expect(orders.doubted).toEqual(['51', '50']);
  });

  it('stays ours once it was moved: what stands in its place an answer has named', () => {
    const orders = oneClaimed();
    const { price } = { price: 4_900 as PriceUnits };
    const replacement = {
      orderId: orderId(51),
      place: there,
      price,
      shares: there.shares,
      expiresAt: null,
      says: 'price',
    } as const;
    sendFrom(orders, 2, { kind: 'replace-orders', replacements: [approved(replacement)] }, ms(2_000));
    const moved = { ...there, price };
    const body = { kind: 'replace-orders', items: [{ ok: true, value: reportOf(moved, 53) }] } as const;
    orders.answered(answered(2, body, ms(2_000)), ms(2_100));
    expect(kinds(orders.reported(reportOf(there, 54), ms(5_000)))).toEqual(['foreign']);
    expect(orders.byId(orderId(53))).toMatchObject({ ownership: 'ours' });
  });

  it('is ours for certain once an answer names it, whatever was doubted', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(500));
    sendFrom(orders, 1, create(there), ms(1_000));
    orders.answered(failed(1, TIMED_OUT, ms(1_000)), ms(1_500));
    orders.reported(reportOf(there, 51), ms(1_600));
    orders.reported(reportOf(there, 52), ms(1_700));
    expect(orders.doubted).toEqual(['51', '52']);
    orders.reported(reportOf(there, 52, { status: 'canceled' }), ms(1_800));
    expect(orders.doubted).toEqual(['51']);
  });
});

describe('what an earlier run knew of the orders of the account', () => {
  const there = { ...bid, marketId: SHARED };
  const asked = {
    kind: 'request',
    requestId: 1,
    key: 'k',
    at: ms(0),
    request: create(there),
    body: '',
  } as const;
  const claims = (known: Partial<OrderClaims>): JournalRecord => ({
    kind: 'claims',
    ours: [],
    foreign: [],
    ambiguous: [],
    ended: [],
    ...known,
  });
  const shownTo = (records: readonly JournalRecord[], ...ids: readonly number[]) => {
    const orders = noOrders();
    orders.recover(records);
    orders.listed(
      ids.map((id) => listed(reportOf(there, id, { createdAt: ms(0) }))),
      ms(1_000),
      ms(1_010),
    );
    return orders;
  };

  it('makes a foreign order no candidate for a lost create', () => {
    const orders = shownTo([asked, claims({ foreign: [orderId(52)] })], 51, 52);
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'ours' });
    expect(orders.byId(orderId(52))).toMatchObject({ ownership: 'foreign' });
  });

  it('gives a lost create its order', () => {
    const { expiresAt: _, ...terms } = there;
    const orders = shownTo([asked, claims({ ours: [{ ...terms, orderId: orderId(51) }] })], 51, 52);
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'ours' });
    expect(orders.byId(orderId(52))).toMatchObject({ ownership: 'foreign' });
    expect(working(orders, SHARED)).toHaveLength(2);
  });

  it('keeps in doubt what was in doubt, however few stand', () => {
    const orders = shownTo([asked, claims({ ambiguous: [orderId(51)] })], 51);
    expect(orders.doubted).toEqual(['51']);
  });

  it('is in doubt of an order until a listing that shows anything does not show it', () => {
    const records = [claims({ ambiguous: [orderId(51)] })];
    expect(shownTo(records).doubted).toEqual(['51']);
    expect(shownTo(records, 60).doubted).toEqual([]);
  });
});
