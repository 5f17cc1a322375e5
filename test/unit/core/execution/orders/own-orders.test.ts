import { describe, expect, it } from 'vitest';
import type { AnswerBody } from '../../../../../src/domain/answers.js';
import type { Shares } from '../../../../../src/domain/units.js';
import { MARKET } from '../../../../support/orders/order-scenario.js';
import { answered, failed, ms, reportOf, TIMED_OUT } from '../../../../support/orders/own-order-reports.js';
import {
  bid,
  create,
  created,
  kinds,
  noOrders,
  oneLiveOrder,
  sendFrom,
  working,
} from '../../../../support/orders/own-orders.js';

describe('an order we ask for', () => {
  it('counts in full from before its first byte leaves', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    expect(working(orders)[0]).toMatchObject({ state: 'creating', orderId: null, remaining: 1_000 });
  });

  it('takes over the frame that came before the answer', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    const early = orders.reported(
      reportOf(bid, 5, { status: 'partial_filled', filled: 300 as Shares }),
      ms(5),
    );
    expect(early).toEqual([]);
    const news = orders.answered(answered(1, created(reportOf(bid, 5)), ms(0)), ms(10));
    expect(kinds(news)).toEqual(['filled']);
    expect(working(orders)).toHaveLength(1);
    expect(working(orders)[0]).toMatchObject({ orderId: '5', state: 'live', filled: 300, remaining: 700 });
  });

  it('is over when the venue refuses its item, with the code', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    const body: AnswerBody = {
      kind: 'create-orders',
      items: [{ ok: false, code: 'MarketClosed', means: 'market-closed' }],
      canceledIds: [],
    };
    const news = orders.answered(answered(1, body, ms(0)), ms(10));
    expect(news).toMatchObject([{ kind: 'refused', code: 'MarketClosed' }, { kind: 'ended' }]);
    expect(working(orders)).toEqual([]);
  });

  it('is over when its request never left', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, { kind: 'not-sent', reason: 'deadline' }, null), ms(10));
    expect(working(orders)).toEqual([]);
  });

  it('stays counted as unknown when nobody says what became of it', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid));
    orders.answered(failed(1, TIMED_OUT, ms(0)), ms(2_000));
    expect(working(orders)[0]).toMatchObject({ state: 'unknown', doubt: 'create', remaining: 1_000 });
    expect(orders.doubtful.size).toBe(1);
  });

  it('takes an answer of another shape for no answer', () => {
    const orders = noOrders();
    sendFrom(orders, 1, create(bid, bid));
    orders.answered(answered(1, created(reportOf(bid, 5)), ms(0)), ms(10));
    expect(working(orders).map(({ state }) => state)).toEqual(['unknown', 'unknown']);
  });
});

describe('what was made of the orders of a market', () => {
  it('serves on when a frame repeats the answer, and not when it tells more', () => {
    const orders = oneLiveOrder();
    const { version } = orders.own(MARKET);
    orders.reported(reportOf(bid, 5), ms(20));
    expect(orders.own(MARKET).version).toBe(version);
    orders.reported(reportOf(bid, 5, { status: 'partial_filled', filled: 300 as Shares }), ms(30));
    expect(orders.own(MARKET).version).toBeGreaterThan(version);
  });
});
