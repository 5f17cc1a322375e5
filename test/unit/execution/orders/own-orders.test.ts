import { describe, expect, it } from 'vitest';
import type { TradingRequest } from '../../../../src/domain/effects.js';
import { marketId, type OrderId, orderId } from '../../../../src/domain/ids.js';
import type { AnswerBody } from '../../../../src/domain/inputs.js';
import type { LimitOrder, OrderReport } from '../../../../src/domain/orders.js';
import type { Money, PriceUnits, Shares } from '../../../../src/domain/units.js';
import type { OrderNews } from '../../../../src/execution/orders/order-news.js';
import { OwnOrders } from '../../../../src/execution/orders/own-orders.js';
import { approved, EVENT, limitOrder, MARKET } from '../../../support/order-scenario.js';
import {
  answered,
  failed,
  listed,
  ms,
  refusedWith,
  reportOf,
  TIMED_OUT,
} from '../../../support/own-order-reports.js';

const SHARED = marketId(8);

const open = (): OwnOrders =>
  new OwnOrders({
    tenure: (market) => {
      if (market === MARKET) return { eventId: EVENT, ownership: 'exclusive' };
      return market === SHARED ? { eventId: EVENT, ownership: 'shared' } : null;
    },
    fees: () => ({ takerFee: 1_000 as Money, makerFee: 0 as Money }),
    clockWindowMs: 60_000,
    readAgeMs: 0,
    keepEndedMs: 60_000,
  });

const create = (...orders: LimitOrder[]): TradingRequest => ({
  kind: 'create-orders',
  orders: orders.map(approved),
});
const send = (orders: OwnOrders, requestId: number, request: TradingRequest, at = ms(0)): void =>
  orders.sent({ kind: 'send', requestId, request, deadline: ms(60_000) }, at);
const created = (...reports: OrderReport[]): AnswerBody => ({
  kind: 'create-orders',
  items: reports.map((value) => ({ ok: true, value })),
  canceledIds: [],
});

const bid = limitOrder(48, 10);
const working = (orders: OwnOrders, market = MARKET) => orders.own(market).working;
const kinds = (news: readonly OrderNews[]): string[] => news.map(({ kind }) => kind);

/** One live order, number 5. */
function live(order = bid): OwnOrders {
  const orders = open();
  send(orders, 1, create(order));
  orders.answered(answered(1, created(reportOf(order, 5)), ms(0)), ms(10));
  return orders;
}

describe('what was made of the orders of a market', () => {
  it('serves on when a frame repeats the answer, and not when it tells more', () => {
    const orders = live();
    const { version } = orders.own(MARKET);
    orders.reported(reportOf(bid, 5), ms(20));
    expect(orders.own(MARKET).version).toBe(version);
    orders.reported(reportOf(bid, 5, { status: 'partial_filled', filled: 300 as Shares }), ms(30));
    expect(orders.own(MARKET).version).toBeGreaterThan(version);
  });
});

describe('an order we ask for', () => {
  it('counts in full from before its first byte leaves', () => {
    const orders = open();
    send(orders, 1, create(bid));
    expect(working(orders)[0]).toMatchObject({ state: 'creating', orderId: null, remaining: 1_000 });
  });

  it('takes over the frame that came before the answer', () => {
    const orders = open();
    send(orders, 1, create(bid));
    const early = orders.reported(
      reportOf(bid, 5, { status: 'partial_filled', filled: 300 as Shares }),
      ms(5),
    );
    expect(early).toEqual([]);
    const news = orders.answered(answered(1, created(reportOf(bid, 5)), ms(0)), ms(10));
    expect(kinds(news)).toEqual(['filled']);
    expect(working(orders)).toHaveLength(1);
    expect(working(orders)[0]).toMatchObject({ orderId: 5, state: 'live', filled: 300, remaining: 700 });
  });

  it('is over when the venue refuses its item, with the code', () => {
    const orders = open();
    send(orders, 1, create(bid));
    const body: AnswerBody = {
      kind: 'create-orders',
      items: [{ ok: false, code: 'MarketClosed' }],
      canceledIds: [],
    };
    const news = orders.answered(answered(1, body, ms(0)), ms(10));
    expect(news).toMatchObject([{ kind: 'refused', code: 'MarketClosed' }, { kind: 'ended' }]);
    expect(working(orders)).toEqual([]);
  });

  it('is over when its request never left', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.answered(failed(1, { kind: 'not-sent', reason: 'deadline' }, null), ms(10));
    expect(working(orders)).toEqual([]);
  });

  it('stays counted as unknown when nobody says what became of it', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(2_000));
    expect(working(orders)[0]).toMatchObject({ state: 'unknown', doubt: 'create', remaining: 1_000 });
    expect(orders.doubtful.size).toBe(1);
  });

  it('takes an answer of another shape for no answer', () => {
    const orders = open();
    send(orders, 1, create(bid, bid));
    orders.answered(answered(1, created(reportOf(bid, 5)), ms(0)), ms(10));
    expect(working(orders).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
  });
});

describe('a request whose answer was lost', () => {
  it('is settled by the frame of its order', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(2_000));
    orders.reported(reportOf(bid, 5), ms(2_100));
    expect(working(orders)).toMatchObject([{ orderId: 5, state: 'live' }]);
    expect([...orders.openRequests()]).toEqual([]);
  });

  it('tells when a frame or a listing shows that it stands: the market may have closed meanwhile', () => {
    const byFrame = open();
    send(byFrame, 1, create(bid));
    byFrame.answered(failed(1, TIMED_OUT, ms(0)), ms(10));
    expect(kinds(byFrame.reported(reportOf(bid, 5), ms(30)))).toEqual(['certain']);
    const byListing = open();
    send(byListing, 1, create(bid));
    byListing.answered(failed(1, TIMED_OUT, ms(0)), ms(10));
    expect(kinds(byListing.listed([listed(reportOf(bid, 5))], ms(40), ms(50)))).toEqual(['certain']);
  });

  it('is settled by the stored answer to its replay, which makes no second order', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    send(orders, 1, create(bid), ms(1_100));
    expect(working(orders)).toHaveLength(1);
    orders.answered(answered(1, created(reportOf(bid, 5)), ms(1_100)), ms(1_200));
    expect(working(orders)).toMatchObject([{ orderId: 5, state: 'live' }]);
  });

  it('is not taken for refused because its replay was throttled', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    send(orders, 1, create(bid), ms(1_100));
    orders.answered(failed(1, refusedWith('Throttled', 429), ms(1_100)), ms(1_200));
    expect(working(orders)).toMatchObject([{ state: 'unknown', doubt: 'create' }]);
  });

  it('was never executed when two listings begun after the clock window miss its order', () => {
    const orders = live(limitOrder(40, 1));
    send(orders, 2, create(bid), ms(1_000));
    orders.answered(failed(2, TIMED_OUT, ms(1_000)), ms(2_000));
    const others = [listed(reportOf(limitOrder(40, 1), 5))];
    orders.listed(others, ms(30_000), ms(30_010));
    orders.listed(others, ms(61_001), ms(61_010));
    expect(orders.doubtful.size).toBe(1);
    orders.listed(others, ms(62_000), ms(62_010));
    expect(orders.doubtful.size).toBe(0);
    expect(orders.own(MARKET).ended).toMatchObject([{ ending: 'never-executed' }]);
  });

  it('names twins by the answer to the replay even when a frame had named them the other way round', () => {
    const orders = open();
    send(orders, 1, create(bid, bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    orders.reported(reportOf(bid, 6), ms(1_050));
    send(orders, 1, create(bid, bid), ms(1_100));
    orders.answered(answered(1, created(reportOf(bid, 5), reportOf(bid, 6)), ms(1_100)), ms(1_200));
    expect(new Set(working(orders).map(({ orderId: id }) => id))).toEqual(new Set([5, 6]));
    expect(working(orders).map(({ state }) => state)).toEqual(['live', 'live']);
  });

  it('still counts when another lost create of the same terms had been given its id', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    send(orders, 2, create(bid), ms(1_100));
    orders.answered(failed(2, TIMED_OUT, ms(1_100)), ms(2_100));
    orders.reported(reportOf(bid, 6), ms(2_200));
    send(orders, 2, create(bid), ms(2_300));
    orders.answered(answered(2, created(reportOf(bid, 6)), ms(2_300)), ms(2_400));
    expect(working(orders)).toMatchObject([
      { orderId: 6, state: 'live' },
      { orderId: null, state: 'unknown', doubt: 'create' },
    ]);
    expect([...orders.openRequests()].map(({ requestId }) => requestId)).toEqual([2]);
    orders.reported(reportOf(bid, 5), ms(2_500));
    expect(working(orders).map(({ orderId: id }) => id)).toEqual([6, 5]);
  });
});

describe('an update', () => {
  const to = limitOrder(49, 10);
  const update: TradingRequest = {
    kind: 'replace-orders',
    replacements: [
      approved({ orderId: orderId(5), place: to, price: to.price, shares: to.shares, expiresAt: null }),
    ],
  };
  const updated = (report: OrderReport): AnswerBody => ({
    kind: 'replace-orders',
    items: [{ ok: true, value: report }],
  });

  it('counts the old remainder and the whole replacement while it is under way', () => {
    const orders = live();
    send(orders, 2, update, ms(100));
    expect(working(orders)).toMatchObject([
      { orderId: 5, state: 'updating', remaining: 1_000 },
      { orderId: null, state: 'creating', remaining: 1_000 },
    ]);
  });

  it('puts the replacement in the place of the old order and keeps what the old one traded before', () => {
    const orders = live();
    send(orders, 2, update, ms(100));
    orders.answered(answered(2, updated(reportOf(to, 6)), ms(100)), ms(110));
    expect(working(orders)).toMatchObject([{ orderId: 6, longPrice: 4_900, state: 'live' }]);
    const news = orders.reported(
      reportOf(bid, 5, { status: 'canceled', filled: 200 as Shares, averageFillPrice: 0.48 }),
      ms(200),
    );
    expect(news).toMatchObject([{ kind: 'filled', fill: { orderId: 5, shares: 200, amount: 200 * 4_800 } }]);
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'done', ending: 'replaced' });
  });

  it('leaves the old order unknown when its item failed', () => {
    const orders = live();
    send(orders, 2, update, ms(100));
    const body: AnswerBody = {
      kind: 'replace-orders',
      items: [{ ok: false, code: 'Only open orders can be updated.' }],
    };
    orders.answered(answered(2, body, ms(100)), ms(110));
    expect(working(orders)).toMatchObject([{ orderId: 5, state: 'unknown', doubt: 'update' }]);
  });

  it('leaves the old order live when the whole request was refused', () => {
    const orders = live();
    send(orders, 2, update, ms(100));
    orders.answered(failed(2, refusedWith('ValidationError'), ms(100)), ms(110));
    expect(working(orders)).toMatchObject([{ orderId: 5, state: 'live' }]);
  });

  it('can no longer take effect once the old order was cancelled by its id', () => {
    const orders = live();
    send(orders, 2, update, ms(100));
    orders.answered(failed(2, TIMED_OUT, ms(100)), ms(1_100));
    expect(working(orders).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    send(orders, 3, { kind: 'cancel-orders', orderIds: [orderId(5)] }, ms(1_200));
    const cancelled: AnswerBody = { kind: 'cancel-orders', items: [{ ok: true, value: orderId(5) }] };
    orders.answered(answered(3, cancelled, ms(1_200)), ms(1_300));
    expect(working(orders)).toEqual([]);
  });
});

describe('an update whose answer was lost', () => {
  const to = limitOrder(49, 10);
  const item = { orderId: orderId(5), place: to, price: to.price, shares: to.shares, expiresAt: null };
  const lostUpdate = (): OwnOrders => {
    const orders = live();
    send(orders, 2, { kind: 'replace-orders', replacements: [approved(item)] }, ms(100));
    orders.answered(failed(2, TIMED_OUT, ms(100)), ms(1_100));
    expect(working(orders).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    return orders;
  };
  const cancelMarket = (orders: OwnOrders, ...canceledIds: OrderId[]): void => {
    const scope = { kind: 'market', eventId: EVENT, marketId: MARKET } as const;
    send(orders, 3, { kind: 'cancel-scope', scope }, ms(1_200));
    const body: AnswerBody = { kind: 'cancel-scope', canceledIds, processingIds: [] };
    orders.answered(answered(3, body, ms(1_200)), ms(1_300));
  };

  it('can no longer take effect once the old order was cancelled with its market', () => {
    const orders = lostUpdate();
    cancelMarket(orders, orderId(5));
    expect(working(orders)).toEqual([]);
  });

  it('may still take effect when a cancel of the market did not find the old order', () => {
    const orders = lostUpdate();
    cancelMarket(orders);
    expect(working(orders)).toMatchObject([
      { orderId: 5, state: 'unknown' },
      { orderId: null, state: 'unknown' },
    ]);
  });

  it('can no longer take effect once the old order was filled', () => {
    const orders = lostUpdate();
    orders.reported(reportOf(bid, 5, { status: 'filled', filled: 1_000 as Shares }), ms(1_200));
    expect(working(orders)).toEqual([]);
  });

  it('had none when the old order was filled before the answer was given up', () => {
    const orders = live();
    send(orders, 2, { kind: 'replace-orders', replacements: [approved(item)] }, ms(100));
    orders.reported(reportOf(bid, 5, { status: 'filled', filled: 1_000 as Shares }), ms(200));
    orders.answered(failed(2, TIMED_OUT, ms(100)), ms(1_100));
    expect(working(orders)).toEqual([]);
  });
});

describe('a listing', () => {
  it('ends a known order only when two complete passes begun later miss it', () => {
    const orders = live();
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
    const orders = open();
    send(orders, 1, create(bid));
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
    const orders = live();
    for (const at of [100, 200, 300]) {
      const news = orders.listed([], ms(at), ms(at + 10));
      expect(news).toContainEqual({ kind: 'contradicted', orders: 1 });
    }
    expect(working(orders)).toMatchObject([{ orderId: 5, state: 'unknown' }]);
  });

  it('concludes nothing about a partly filled order where nothing partly filled is listed', () => {
    const orders = live();
    const other = reportOf(limitOrder(40, 1), 9);
    orders.reported(reportOf(bid, 5, { status: 'partial_filled', filled: 400 as Shares }), ms(20));
    for (const at of [100, 200, 300]) {
      const news = orders.listed([listed(other)], ms(at), ms(at + 10));
      expect(news).toContainEqual({ kind: 'contradicted', orders: 1 });
    }
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'unknown', remaining: 600 });
  });

  it('believes an empty answer together with a cancel that was turned down', () => {
    const orders = live();
    orders.listed([], ms(100), ms(110));
    send(orders, 2, { kind: 'cancel-orders', orderIds: [orderId(5)] }, ms(120));
    const body: AnswerBody = { kind: 'cancel-orders', items: [{ ok: false, code: 'not found' }] };
    orders.answered(answered(2, body, ms(120)), ms(130));
    orders.listed([], ms(200), ms(210));
    expect(working(orders)).toEqual([]);
  });

  it('brings back an order that was concluded to be gone', () => {
    const orders = live();
    const other = reportOf(limitOrder(40, 1), 9);
    orders.reported(other, ms(20));
    for (const at of [100, 200]) orders.listed([listed(other)], ms(at), ms(at + 10));
    const news = orders.listed([listed(other), listed(reportOf(bid, 5))], ms(300), ms(310));
    expect(kinds(news)).toEqual(['found']);
    expect(orders.byId(orderId(5))).toMatchObject({ state: 'live', remaining: 1_000 });
  });

  it('does not revive what the venue itself said is over', () => {
    const orders = live();
    orders.reported(reportOf(bid, 5, { status: 'canceled' }), ms(100));
    orders.listed([listed(reportOf(bid, 5))], ms(200), ms(210));
    expect(working(orders)).toEqual([]);
  });

  it('tells that something was filled without telling how much', () => {
    const orders = live();
    orders.listed([listed(reportOf(bid, 5, { status: 'partial_filled' }))], ms(100), ms(110));
    expect(working(orders)[0]).toMatchObject({ filled: 0, remaining: 1_000, fillsUnknownSince: ms(110) });
    orders.reported(reportOf(bid, 5, { status: 'partial_filled', filled: 400 as Shares }), ms(120));
    expect(working(orders)[0]).toMatchObject({ filled: 400, fillsUnknownSince: null });
  });
});

describe('fills', () => {
  const told = (filled: number, average: number | null): OrderReport =>
    reportOf(bid, 5, { status: 'partial_filled', filled: filled as Shares, averageFillPrice: average });
  const amounts = (news: readonly OrderNews[]) =>
    news.flatMap((item) => (item.kind === 'filled' ? [[item.fill.shares, item.fill.amount]] : []));

  it('are passed on once, at the difference of cumulative amounts', () => {
    const orders = live();
    expect(amounts(orders.reported(told(200, 0.47), ms(20)))).toEqual([[200, 200 * 4_700]]);
    expect(amounts(orders.reported(told(200, 0.47), ms(21)))).toEqual([]);
    expect(amounts(orders.reported(told(500, 0.476), ms(22)))).toEqual([[300, 500 * 4_760 - 200 * 4_700]]);
    expect(amounts(orders.reported(told(200, 0.47), ms(23)))).toEqual([]);
  });

  it('count at the price of the order until the average is told, then correct it', () => {
    const orders = live();
    expect(amounts(orders.reported(told(200, null), ms(20)))).toEqual([[200, 200 * 4_800]]);
    expect(amounts(orders.reported(told(200, 0.47), ms(21)))).toEqual([[0, -200 * 100]]);
  });

  it('end the order at its full size even where the frame says no number', () => {
    const orders = live();
    const news = orders.reported(reportOf(bid, 5, { status: 'filled', filled: null }), ms(20));
    expect(kinds(news)).toEqual(['filled', 'ended']);
    expect(orders.byId(orderId(5))).toMatchObject({ ending: 'filled', filled: 1_000, remaining: 0 });
  });

  it('inside the answer to a create were taken and pay the taker fee', () => {
    const orders = open();
    send(orders, 1, create(bid));
    const report = reportOf(bid, 5, { status: 'filled', filled: 1_000 as Shares, averageFillPrice: 0.45 });
    const news = orders.answered(answered(1, created(report), ms(0)), ms(10));
    expect(news).toMatchObject([
      { kind: 'filled', fill: { liquidity: 'taker', fee: 10_000, amount: 4_500 * 1_000 } },
      { kind: 'ended' },
    ]);
  });

  it('inside the answer were taken though frames told of them first', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.reported(reportOf(bid, 5, { status: 'open', filled: 0 as Shares }), ms(5));
    const filled = { status: 'filled', filled: 1_000 as Shares, averageFillPrice: 0.45 } as const;
    orders.reported(reportOf(bid, 5, filled), ms(6));
    const news = orders.answered(answered(1, created(reportOf(bid, 5, filled)), ms(0)), ms(10));
    expect(news).toMatchObject([{ kind: 'filled', fill: { liquidity: 'taker' } }, { kind: 'ended' }]);
  });

  it('at a better price than its own were taken, though a frame had called the order open', () => {
    const orders = open();
    send(orders, 1, create(bid));
    orders.answered(answered(1, created(reportOf(bid, 5, { status: 'processing' })), ms(0)), ms(10));
    orders.reported(reportOf(bid, 5, { status: 'open' }), ms(250));
    const news = orders.reported(told(200, 0.45), ms(251));
    expect(news).toMatchObject([{ fill: { liquidity: 'taker', fee: 2_000 } }]);
  });

  it('that a frame tells of before the answer are withheld until it comes', () => {
    const orders = open();
    send(orders, 1, create(bid));
    expect(orders.areFillsWithheld(MARKET)).toBe(false);
    orders.reported(told(200, 0.48), ms(5));
    expect([orders.areFillsWithheld(MARKET), orders.areFillsWithheld(SHARED)]).toEqual([true, false]);
    orders.answered(answered(1, created(reportOf(bid, 5)), ms(0)), ms(10));
    expect(orders.areFillsWithheld(MARKET)).toBe(false);
  });

  it('of an order that rested were made', () => {
    const orders = live();
    const news = orders.reported(told(200, 0.48), ms(20));
    expect(news).toMatchObject([{ fill: { liquidity: 'maker', fee: 0 } }]);
  });
});

describe('an order nobody asked for', () => {
  it('is ours in an exclusive market and foreign in a shared one', () => {
    const orders = open();
    expect(kinds(orders.reported(reportOf(bid, 50), ms(0)))).toEqual(['found']);
    const there = { ...bid, marketId: SHARED };
    expect(kinds(orders.reported(reportOf(there, 51), ms(0)))).toEqual(['foreign']);
    expect(working(orders, SHARED)).toMatchObject([{ ownership: 'foreign', remaining: 1_000 }]);
  });

  it('in a market we do not trade is none of our business', () => {
    const orders = open();
    expect(orders.reported(reportOf({ ...bid, marketId: marketId(99) }, 50), ms(0))).toEqual([]);
    expect([...orders.markets()]).not.toContain(99);
  });

  it('is claimed for the one lost create it fits, in a shared market too', () => {
    const orders = open();
    const there = { ...bid, marketId: SHARED };
    send(orders, 1, create(there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    orders.reported(reportOf(there, 51, { createdAt: ms(5) }), ms(1_100));
    expect(working(orders, SHARED)).toMatchObject([{ orderId: 51, ownership: 'ours', state: 'live' }]);
  });

  it('is claimed in a shared market when several lost creates fit it: it is one of them', () => {
    const orders = open();
    const there = { ...bid, marketId: SHARED };
    send(orders, 1, create(there, there));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(1_000));
    orders.reported(reportOf(there, 51), ms(1_100));
    expect(working(orders, SHARED)).toMatchObject([
      { orderId: 51, ownership: 'ours', state: 'live' },
      { orderId: null, state: 'unknown' },
    ]);
  });

  it('is foreign and for a person to look at when a listing shows more of its terms than were lost', () => {
    const orders = open();
    const there = { ...bid, marketId: SHARED };
    send(orders, 1, create(there));
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
    const orders = open();
    const there = { ...bid, marketId: SHARED };
    send(orders, 1, create(there), ms(200_000));
    orders.answered(failed(1, TIMED_OUT, ms(200_000)), ms(201_000));
    orders.reported(reportOf(there, 51, { createdAt: ms(0) }), ms(201_100));
    expect(orders.byId(orderId(51))).toMatchObject({ ownership: 'foreign' });
  });

  it('with the most aggressive price is counted where a market order is still processed', () => {
    const orders = open();
    orders.reported(reportOf(bid, 50, { price: null, status: 'pending' }), ms(0));
    expect(working(orders)).toMatchObject([{ price: 9_999 as PriceUnits, stage: 'processing' }]);
  });
});
