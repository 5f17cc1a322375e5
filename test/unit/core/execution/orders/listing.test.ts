import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../../src/domain/ids.js';
import type { AnswerBody } from '../../../../../src/domain/answers.js';
import { missedOrders, type OrderReport } from '../../../../../src/domain/orders.js';
import type { Shares } from '../../../../../src/domain/units.js';
import type { OwnOrders } from '../../../../../src/core/execution/orders/own-orders.js';
import { approved } from '../../../../support/bot/effects.js';
import { EVENT, limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
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
  created,
  kinds,
  noOrders,
  oneLiveOrder,
  sendFrom,
  SHARED,
  working,
} from '../../../../support/orders/own-orders.js';

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
    expect(working(orders)).toMatchObject([{ orderId: '5', state: 'unknown' }]);
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
    const body: AnswerBody = {
      kind: 'cancel-orders',
      items: [{ ok: false, code: 'not found', means: 'unstated' }],
    };
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

describe('a pass that found the end of an order', () => {
  const other = listed(reportOf(limitOrder(40, 1), 9));
  const over = (status: 'filled' | 'canceled', order = bid): OrderReport =>
    listed(reportOf(order, 5, { status }));

  it('tells of one that was filled what it filled, at once', () => {
    const orders = oneLiveOrder();
    const news = orders.listed([other], ms(100), ms(110), [over('filled')]);
    expect(kinds(news)).toEqual(['filled', 'ended', 'found']);
    expect(news[0]).toMatchObject({ fill: { orderId: '5', shares: 1_000, liquidity: 'maker' } });
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'done', ending: 'filled', absences: 0 });
    expect(orders.unheardEnds(MARKET)).toEqual([]);
  });

  it('is the end although nothing else is listed: it does not rest on an absence', () => {
    const orders = oneLiveOrder();
    expect(kinds(orders.listed([], ms(100), ms(110), [over('filled')]))).toEqual(['filled', 'ended']);
  });

  it('does not count again what a frame had told, nor what one tells later', () => {
    const orders = oneLiveOrder();
    orders.reported(reportOf(bid, 5, { status: 'partial_filled', filled: 400 as Shares }), ms(20));
    const [first] = orders.listed([], ms(100), ms(110), [over('filled')]);
    expect(first).toMatchObject({ kind: 'filled', fill: { shares: 600 } });
    expect(orders.reported(reportOf(bid, 5, { status: 'filled', filled: 1_000 as Shares }), ms(120))).toEqual(
      [],
    );
  });

  it('leaves open what one that was canceled had filled before: holdings are to tell', () => {
    const orders = oneLiveOrder();
    expect(kinds(orders.listed([], ms(100), ms(110), [over('canceled')]))).toEqual(['ended']);
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'done', ending: 'canceled' });
    expect(orders.unheardEnds(MARKET)).toMatchObject([{ orderId: '5' }]);
    expect(orders.endsReadDue).not.toBeNull();
    const told = { status: 'canceled', filled: 300 as Shares } as const;
    expect(kinds(orders.reported(reportOf(bid, 5, told), ms(200)))).toEqual(['filled']);
    expect(orders.unheardEnds(MARKET)).toEqual([]);
  });

  it('says nothing of an order of other terms that had the id before', () => {
    const orders = oneLiveOrder();
    const news = orders.listed([other], ms(100), ms(110), [over('filled', limitOrder(47, 10))]);
    expect(kinds(news)).toEqual(['found']);
    expect(orders.byId(orderId(5))).toMatchObject({ filled: 0, absences: 1 });
  });

  it('shows what works, and nobody absent, when what is over could not be read', () => {
    const orders = oneLiveOrder();
    for (const at of [100, 200, 300]) {
      const news = orders.listed([other], ms(at), ms(at + 10), 'unread');
      expect(kinds(news)).toEqual(at === 100 ? ['found'] : []);
    }
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'live', absences: 0 });
  });

  it('counts what was filled as soon as that is read, whatever becomes of the rest', () => {
    const orders = oneLiveOrder();
    const body = { kind: 'read-orders', orders: [], ended: 'pending', filled: [over('filled')] } as const;
    const answer = { kind: 'answer', requestId: 9, sentAt: ms(100), outcome: { ok: true, body } } as const;
    expect(kinds(orders.answered(answer, ms(110)))).toEqual(['filled', 'ended']);
    expect(orders.listed([], ms(100), ms(120), 'unread')).toEqual([]);
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'done', ending: 'filled' });
  });

  it('leaves what an update put in the place of a canceled one in doubt', () => {
    const orders = oneLiveOrder();
    const replacement = { orderId: orderId(5), place: bid, price: bid.price, shares: bid.shares };
    const update = approved({ ...replacement, expiresAt: null, says: 'all' as const });
    sendFrom(orders, 2, { kind: 'replace-orders', replacements: [update] }, ms(20));
    orders.answered(failed(2, TIMED_OUT, ms(20)), ms(30));
    orders.listed([], ms(100), ms(110), [over('canceled')]);
    expect(working(orders)).toMatchObject([{ orderId: null, state: 'unknown' }]);
  });
});

describe('the orders that a listing has missed', () => {
  const missedBy = (orders: OwnOrders, ...shown: readonly number[]) =>
    missedOrders(
      { places: orders.places, pages: 4 },
      shown.map((id) => reportOf(bid, id)),
    );

  it('are none when all that are known were shown', () => {
    expect(missedBy(oneLiveOrder(), 5, 6)).toBeNull();
    expect(missedBy(noOrders())).toBeNull();
  });

  it('are those that are live, and that a request is under way about, and in doubt', () => {
    const missed = { ids: new Set([orderId(5)]), marketId: MARKET, eventId: EVENT, pages: 4 };
    const orders = oneLiveOrder();
    expect(missedBy(orders)).toEqual(missed);
    sendFrom(orders, 2, { kind: 'cancel-orders', orderIds: [orderId(5)] }, ms(20));
    expect(missedBy(orders)).toEqual(missed);
    orders.answered(failed(2, TIMED_OUT, ms(20)), ms(30));
    expect(missedBy(orders)).toEqual(missed);
  });

  it('are not those that ended, or have no id', () => {
    const orders = oneLiveOrder();
    orders.reported(reportOf(bid, 5, { status: 'canceled' }), ms(20));
    sendFrom(orders, 2, create(limitOrder(40, 1)), ms(30));
    expect(missedBy(orders)).toBeNull();
  });

  it('are in one market, in one event, or anywhere', () => {
    const orders = oneLiveOrder();
    const elsewhere = limitOrder(40, 1, { marketId: SHARED });
    sendFrom(orders, 2, create(elsewhere), ms(20));
    orders.answered(answered(2, created(reportOf(elsewhere, 6)), ms(20)), ms(30));
    expect(missedBy(orders, 5)).toMatchObject({ marketId: SHARED, eventId: EVENT });
    expect(missedBy(orders)).toMatchObject({ marketId: null, eventId: EVENT });
    orders.recover([{ kind: 'own-orders', orderIds: [orderId(3)] }]);
    expect(missedBy(orders)).toEqual({
      ids: new Set([5, 6, 3].map(orderId)),
      marketId: null,
      eventId: null,
      pages: 4,
    });
    expect(missedBy(orders, 5, 6, 3)).toBeNull();
  });
});
