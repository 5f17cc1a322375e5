import { describe, expect, it } from 'vitest';
import type { SendEffect } from '../../../src/domain/effects.js';
import { marketId, orderId } from '../../../src/domain/ids.js';
import type { AnswerBody } from '../../../src/domain/inputs.js';
import type { LimitOrder } from '../../../src/domain/orders.js';
import type { Micros, Money } from '../../../src/domain/units.js';
import { type ApprovedPlan, approvePlan, type Gate } from '../../../src/execution/planning/approval.js';
import { Desk, type DeskOptions } from '../../../src/execution/desk.js';
import { LISTING_CALLS } from '../../../src/execution/sending/request-cost.js';
import { NO_PLAN } from '../../../src/execution/planning/plan.js';
import { approved } from '../../support/effects.js';
import { EVENT, limitOrder, MARKET } from '../../support/order-scenario.js';
import {
  answered,
  failed,
  listed,
  ms,
  refusedWith,
  reportOf,
  TIMED_OUT,
} from '../../support/own-order-reports.js';

const bid = limitOrder(48, 10);
const OTHER_MARKET = marketId(MARKET + 1);
const SCOPES = [{ scope: { kind: 'market', eventId: EVENT, marketId: MARKET }, markets: [MARKET] }] as const;

const open = (options: Partial<DeskOptions> = {}): Desk => {
  const desk = new Desk(
    {
      orders: {
        tenure: (market) => (market === MARKET ? { eventId: EVENT, ownership: 'exclusive' } : null),
        fees: () => ({ takerFee: 0 as Money, makerFee: 0 as Money }),
        clockWindowMs: 60_000,
        readAgeMs: 0,
        keepEndedMs: 60_000,
      },
      budget: { perMinute: 600, perDay: 1e6, burst: 0.2, cancelReserve: 5, readReserve: 3 },
      scheduler: {
        quoteLifetimeMs: 500,
        otherLifetimeMs: 5_000,
        throttledMs: 1_000,
        repeatMs: 0,
        firstPauseMs: 100,
        lastPauseMs: 1_000,
      },
      spending: null,
      settlement: { replayMaxAgeMs: 5_000, firstTryMs: 100, lastTryMs: 5_000, routineListMs: 600_000 },
      withdrawal: { roundMs: 100, giveUpMs: 10_000 },
      mayStand: () => true,
      mayReplay: () => true,
      ...options,
    },
    ms(0),
  );
  expect(desk.due(ms(0)).map(({ request }) => request.kind)).toEqual(['read-orders']);
  desk.answered(answered(1, { kind: 'read-orders', orders: [] }, ms(0)), ms(1));
  return desk;
};

const offer = (desk: Desk, ...creates: LimitOrder[]): boolean =>
  desk.offer({ ...EMPTY, creates: creates.map(approved) });
const EMPTY: ApprovedPlan = {
  marketId: MARKET,
  cancels: [],
  replacements: [],
  creates: [],
  unwanted: [],
  urgency: 0 as Money,
};
const created = (...reports: ReturnType<typeof reportOf>[]): AnswerBody => ({
  kind: 'create-orders',
  items: reports.map((value) => ({ ok: true, value })),
  canceledIds: [],
});
const kinds = (effects: readonly SendEffect[]): string[] => effects.map(({ request }) => request.kind);
const states = (desk: Desk): string[] => desk.orders.own(MARKET).working.map(({ state }) => state);

/** One order asked for at 10 ms whose answer is lost at 1,010 ms; its request has id 2. */
function lostCreate(options: Partial<DeskOptions> = {}): Desk {
  const desk = open(options);
  offer(desk, bid);
  expect(kinds(desk.due(ms(10)))).toEqual(['create-orders']);
  desk.answered(failed(2, TIMED_OUT, ms(10)), ms(1_010));
  return desk;
}

describe('a create whose answer was lost', () => {
  it('goes out again under its own key while it is young and wanted', () => {
    const desk = lostCreate();
    const [replay] = desk.due(ms(1_010));
    expect(replay).toMatchObject({ requestId: 2, request: { kind: 'create-orders', orders: [bid] } });
    expect(states(desk)).toEqual(['creating']);
    desk.answered(answered(2, created(reportOf(bid, 5)), ms(1_010)), ms(1_020));
    expect(states(desk)).toEqual(['live']);
  });

  it('is never sent again once it is older than its limit', () => {
    const desk = open();
    offer(desk, bid);
    desk.due(ms(10));
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(5_010));
    expect(kinds(desk.due(ms(5_010)))).toEqual(['cancel-scope', 'read-orders']);
  });

  it.each([
    ['is over', ms(1_010), ['cancel-scope', 'read-orders']],
    ['is ahead', ms(1_011), ['create-orders', 'read-orders']],
  ])('whose expiry %s at the moment of the replay', (_name, expiresAt, then) => {
    const desk = open();
    offer(desk, { ...bid, expiresAt });
    desk.due(ms(10));
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(1_010));
    expect(kinds(desk.due(ms(1_010)))).toEqual(then);
  });

  it('is not sent again when the last check speaks against it', () => {
    const desk = lostCreate({ mayReplay: () => false });
    expect(kinds(desk.due(ms(1_010)))).toEqual(['cancel-scope', 'read-orders']);
  });

  it('is cancelled in its scope when it is not wanted any more, and only listed after that', () => {
    const desk = lostCreate();
    desk.offer({ ...EMPTY, unwanted: desk.orders.own(MARKET).working });
    expect(kinds(desk.due(ms(1_010)))).toEqual(['cancel-scope', 'read-orders']);
    desk.answered(
      answered(3, { kind: 'cancel-scope', canceledIds: [], processingIds: [] }, ms(1_010)),
      ms(1_020),
    );
    desk.answered(answered(4, { kind: 'read-orders', orders: [] }, ms(1_010)), ms(1_020));
    expect(kinds(desk.due(ms(1_200)))).toEqual(['read-orders']);
    expect(states(desk)).toEqual(['unknown']);
  });

  it('is not sent again when one item of its batch is settled already', () => {
    const desk = open();
    offer(desk, bid, limitOrder(47, 10));
    desk.due(ms(10));
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(1_010));
    desk.reported(reportOf(bid, 5), ms(1_011));
    expect(kinds(desk.due(ms(1_020)))).toEqual(['cancel-scope', 'read-orders']);
  });

  it('is queued for its replay once, however long the budget is blocked', () => {
    const desk = lostCreate();
    desk.budget.refused(800, ms(1_010));
    for (const at of [1_010, 1_200, 1_500]) expect(desk.due(ms(at))).toEqual([]);
    expect(kinds(desk.due(ms(1_900)))).toEqual(['create-orders', 'read-orders']);
  });
});

describe('a refusal by the venue', () => {
  const refusedItem = (code: string): AnswerBody => ({
    kind: 'create-orders',
    items: [{ ok: false, code }],
    canceledIds: [],
  });

  it.each([
    ['OrderBookConflictingOrders', 'read-orders'],
    ['UserNotEnoughBalance', 'read-balances'],
    ['MarketClosed', 'read-event'],
  ])('%s is followed by %s', (code, read) => {
    const desk = open();
    offer(desk, bid);
    desk.due(ms(10));
    const news = desk.answered(answered(2, refusedItem(code), ms(10)), ms(20));
    expect(news.refused).toMatchObject([{ code, marketId: MARKET }]);
    expect(kinds(desk.due(ms(20)))).toContain(read);
  });

  it('of the market pauses its quotes', () => {
    const desk = open();
    offer(desk, bid);
    desk.due(ms(10));
    desk.answered(answered(2, refusedItem('InvalidShares'), ms(10)), ms(20));
    offer(desk, bid);
    expect(desk.due(ms(4_000))).toEqual([]);
    expect(kinds(desk.due(ms(5_020)))).toEqual(['create-orders']);
  });

  it('of the account is told once and pauses everything but cancels', () => {
    const desk = open();
    offer(desk, bid, limitOrder(47, 10));
    desk.due(ms(10));
    const news = desk.answered(failed(2, refusedWith('InvalidHMACKey', 401), ms(10)), ms(20));
    expect(news.refused).toMatchObject([{ code: 'InvalidHMACKey', marketId: null }]);
    expect(states(desk)).toEqual([]);
    offer(desk, bid);
    expect(desk.due(ms(30_000))).toEqual([]);
  });
});

describe('the private channel', () => {
  const accepted = (): Desk => {
    const desk = open();
    offer(desk, bid);
    desk.due(ms(10));
    desk.answered(answered(2, created(reportOf(bid, 5)), ms(10)), ms(20));
    return desk;
  };

  it('is silent when an accepted order does not show in a frame in time, and orders are listed at once', () => {
    const desk = accepted();
    expect(desk.nextDue(ms(20))).toBe(ms(5_020));
    expect(desk.isPrivateFeedSilent(ms(5_019))).toBe(false);
    expect(desk.isPrivateFeedSilent(ms(5_020))).toBe(true);
    expect(kinds(desk.due(ms(5_020)))).toEqual(['read-orders']);
    expect(desk.isPrivateFeedSilent(ms(60_000))).toBe(true);
  });

  it('speaks when a frame comes, be it before the answer', () => {
    const desk = open();
    offer(desk, bid);
    desk.due(ms(10));
    desk.reported(reportOf(bid, 5, { status: 'pending' }), ms(15));
    desk.answered(answered(2, created(reportOf(bid, 5)), ms(10)), ms(20));
    expect(desk.isPrivateFeedSilent(ms(60_000))).toBe(false);
  });

  it('speaks again with the next frame, or once it was joined anew', () => {
    const heard = accepted();
    expect(heard.isPrivateFeedSilent(ms(6_000))).toBe(true);
    heard.reported(reportOf(bid, 5), ms(6_100));
    expect(heard.isPrivateFeedSilent(ms(6_100))).toBe(false);
    const joined = accepted();
    expect(joined.isPrivateFeedSilent(ms(6_000))).toBe(true);
    joined.reconnected(ms(6_100));
    expect(joined.isPrivateFeedSilent(ms(6_100))).toBe(false);
  });

  it('has orders listed again soon when the listing fails that is to show what was missed', () => {
    const desk = accepted();
    const listings = (at: Micros) => desk.due(at).filter(({ request }) => request.kind === 'read-orders');
    const known = { kind: 'read-orders', orders: [listed(reportOf(bid, 5))] } as const;
    desk.reported(reportOf(bid, 5), ms(30));
    desk.reconnected(ms(1_000));
    const [first] = listings(ms(1_000));
    desk.answered(failed(first!.requestId, TIMED_OUT, ms(1_000)), ms(1_500));
    expect(listings(ms(1_500))).toEqual([]);
    expect(desk.nextDue(ms(1_500))).toBe(ms(1_600));
    const [second] = listings(ms(1_600));
    desk.answered(failed(second!.requestId, TIMED_OUT, ms(1_600)), ms(1_700));
    expect(listings(ms(1_700))).toEqual([]);
    const [third] = listings(ms(1_900));
    desk.answered(answered(third!.requestId, known, ms(1_900)), ms(1_950));
    expect(listings(ms(9_000))).toEqual([]);
  });

  it('does not speak because a frame from before the silence finds its order', () => {
    const other = limitOrder(47, 10);
    const desk = accepted();
    offer(desk, other);
    desk.due(ms(30));
    desk.reported(reportOf(other, 6), ms(40));
    expect(desk.isPrivateFeedSilent(ms(5_020))).toBe(true);
    desk.answered(failed(3, TIMED_OUT, ms(30)), ms(6_000));
    expect(desk.orders.byId(orderId(6))).toMatchObject({ state: 'live' });
    expect(desk.isPrivateFeedSilent(ms(6_000))).toBe(true);
  });

  it('is not judged by what only a listing told of', () => {
    const desk = accepted();
    desk.answered(answered(1, { kind: 'read-orders', orders: [listed(reportOf(bid, 5))] }, ms(30)), ms(40));
    expect(desk.isPrivateFeedSilent(ms(5_020))).toBe(true);
  });
});

describe('a withdrawal', () => {
  const quoting = (): Desk => {
    const desk = open();
    offer(desk, bid);
    desk.due(ms(10));
    desk.answered(answered(2, created(reportOf(bid, 5)), ms(10)), ms(20));
    return desk;
  };
  const emptyListing = (desk: Desk, requestId: number, sentAt: Micros, at: Micros): void =>
    void desk.answered(answered(requestId, { kind: 'read-orders', orders: [] }, sentAt), at);

  it('cancels the scope and is proved by two empty listings begun after that', () => {
    const desk = quoting();
    desk.withdraw(SCOPES, ms(30));
    expect(kinds(desk.due(ms(30)))).toEqual(['cancel-scope']);
    const body: AnswerBody = { kind: 'cancel-scope', canceledIds: [orderId(5)], processingIds: [] };
    desk.answered(answered(3, body, ms(30)), ms(40));
    expect(kinds(desk.due(ms(40)))).toEqual(['read-orders']);
    emptyListing(desk, 4, ms(40), ms(50));
    expect(desk.withdrawal.state).toBe('withdrawing');
    expect(kinds(desk.due(ms(50)))).toEqual(['read-orders']);
    emptyListing(desk, 5, ms(50), ms(60));
    expect(desk.withdrawal.state).toBe('proved');
  });

  it('cancels by id what a listing still shows', () => {
    const desk = quoting();
    desk.withdraw(SCOPES, ms(30));
    desk.due(ms(30));
    const body: AnswerBody = { kind: 'cancel-scope', canceledIds: [], processingIds: [orderId(5)] };
    desk.answered(answered(3, body, ms(30)), ms(40));
    expect(kinds(desk.due(ms(40)))).toEqual(['read-orders']);
    const shown = [listed(reportOf(bid, 5))];
    desk.answered(answered(4, { kind: 'read-orders', orders: shown }, ms(41)), ms(150));
    expect(desk.due(ms(150))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: [5] } }]);
  });

  describe('of an order that the venue was still processing', () => {
    const ELSEWHERE = { kind: 'market', eventId: EVENT, marketId: OTHER_MARKET } as const;
    const processed: AnswerBody = { kind: 'cancel-scope', canceledIds: [], processingIds: [orderId(5)] };
    const swept = (): Desk => {
      const desk = open();
      offer(desk, bid);
      desk.due(ms(10));
      desk.answered(answered(2, created(reportOf(bid, 5, { status: 'processing' })), ms(10)), ms(20));
      desk.withdraw([...SCOPES, { scope: ELSEWHERE, markets: [OTHER_MARKET] }], ms(30));
      expect(kinds(desk.due(ms(30)))).toEqual(['cancel-scope', 'cancel-scope']);
      desk.answered(answered(3, processed, ms(30)), ms(40));
      return desk;
    };

    const cancels = (desk: Desk, at: Micros): (readonly number[])[] =>
      desk.due(at).flatMap(({ request }) => (request.kind === 'cancel-orders' ? [request.orderIds] : []));

    it('cancels it by id once a frame shows it open, whatever is under way elsewhere', () => {
      const desk = swept();
      expect(cancels(desk, ms(50))).toEqual([]);
      desk.reported(reportOf(bid, 5), ms(140));
      expect(cancels(desk, ms(140))).toEqual([[5]]);
      expect(cancels(desk, ms(140))).toEqual([]);
    });

    it('does not wait for the next round with what a frame has just shown open', () => {
      const desk = swept();
      desk.reported(reportOf(bid, 5), ms(60));
      expect(cancels(desk, ms(60))).toEqual([[5]]);
    });

    it('cancels it by id while a page of a listing is lost', () => {
      const desk = swept();
      const nothing: AnswerBody = { kind: 'cancel-scope', canceledIds: [], processingIds: [] };
      desk.answered(answered(4, nothing, ms(30)), ms(45));
      expect(kinds(desk.due(ms(45)))).toEqual(['read-orders']);
      desk.reported(reportOf(bid, 5), ms(140));
      expect(cancels(desk, ms(140))).toEqual([[5]]);
    });

    it('leaves it to the listing after the venue turned the cancel down again', () => {
      const desk = swept();
      desk.reported(reportOf(bid, 5), ms(60));
      desk.due(ms(60));
      const refused: AnswerBody = { kind: 'cancel-orders', items: [{ ok: false, code: 'OrderNotFound' }] };
      desk.answered(answered(5, refused, ms(60)), ms(70));
      desk.reported(reportOf(bid, 5), ms(80));
      expect(cancels(desk, ms(500))).toEqual([]);
    });
  });

  it('counts an order that nobody knew of', () => {
    const desk = quoting();
    desk.withdraw([], ms(30));
    expect(desk.due(ms(30))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: [5] } }]);
    const cancelled: AnswerBody = { kind: 'cancel-orders', items: [{ ok: true, value: orderId(5) }] };
    desk.answered(answered(3, cancelled, ms(30)), ms(40));
    desk.due(ms(40));
    const stranger = listed(reportOf(limitOrder(40, 1), 77));
    desk.answered(answered(4, { kind: 'read-orders', orders: [stranger] }, ms(40)), ms(150));
    expect(desk.due(ms(150))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: [77] } }]);
  });

  it('takes no plans and sends nothing again that was lost', () => {
    const desk = lostCreate();
    desk.withdraw(SCOPES, ms(1_010));
    offer(desk, bid);
    const sent = kinds(desk.due(ms(1_010)));
    expect(sent).not.toContain('create-orders');
    expect(sent).toContain('cancel-scope');
  });

  it('is given up after its time, and says so', () => {
    const desk = quoting();
    desk.withdraw(SCOPES, ms(30));
    desk.due(ms(30));
    desk.due(ms(10_030));
    expect(desk.withdrawal.state).toBe('given-up');
  });

  it('is not given up before what may still come can be proved absent', () => {
    const desk = lostCreate();
    desk.withdraw(SCOPES, ms(1_010));
    desk.due(ms(1_010));
    desk.due(ms(70_009));
    expect(desk.withdrawal.state).toBe('withdrawing');
    desk.due(ms(70_010));
    expect(desk.withdrawal.state).toBe('given-up');
  });
});

describe('approval', () => {
  const gate = (refused: readonly number[]): Gate => ({
    create: (order) => (refused.includes(order.price) ? null : approved(order)),
    replace: (to, { orderId: id }) =>
      refused.includes(to.price)
        ? null
        : approved({ orderId: id!, place: to, price: to.price, shares: to.shares, expiresAt: null }),
  });

  it('cancels an order that may not move to its new place', () => {
    const desk = open();
    desk.reported(reportOf(bid, 5), ms(5));
    const [order] = desk.orders.own(MARKET).working;
    const replacements = [{ order: order!, to: limitOrder(49, 10), urgency: 0 as Money }];
    const plan = approvePlan(MARKET, { ...NO_PLAN, replacements }, gate([4_900]));
    expect(plan).toMatchObject({ cancels: [order], replacements: [] });
  });

  it('leaves out what the gate refuses', () => {
    const creates = [limitOrder(48, 1), limitOrder(47, 1)];
    expect(approvePlan(MARKET, { ...NO_PLAN, creates }, gate([4_800])).creates).toEqual([creates[1]]);
  });
});

describe('orders of an earlier run that listings do not show', () => {
  it('are cancelled by their ids, and known when the venue has answered', () => {
    const desk = open();
    desk.orders.recover([{ kind: 'own-orders', orderIds: [orderId(5), orderId(6)] }]);
    desk.settlement.resync(ms(10));
    expect(kinds(desk.due(ms(10)))).toEqual(['read-orders']);
    desk.answered(answered(2, { kind: 'read-orders', orders: [] }, ms(10)), ms(20));
    expect(kinds(desk.due(ms(20)))).toEqual(['read-orders']);
    desk.answered(answered(3, { kind: 'read-orders', orders: [] }, ms(20)), ms(30));
    const [cancel, ...others] = desk.due(ms(30));
    expect(others).toEqual([]);
    expect(cancel?.request).toEqual({ kind: 'cancel-orders', orderIds: [5, 6] });
    expect(desk.orders.inherited.areKnown).toBe(false);
    const items = [5, 6].map((id) => ({ ok: true, value: orderId(id) }) as const);
    desk.answered(answered(cancel!.requestId, { kind: 'cancel-orders', items }, ms(30)), ms(40));
    expect(desk.orders.inherited.areKnown).toBe(true);
  });

  it('are asked for after ever longer pauses while no cancel is answered', () => {
    const desk = open();
    desk.orders.recover([{ kind: 'own-orders', orderIds: [orderId(5)] }]);
    desk.settlement.resync(ms(10));
    const dates: number[] = [];
    for (let at = 10; at < 20_000; at += 10)
      for (const { request, requestId } of desk.due(ms(at))) {
        const isList = request.kind === 'read-orders';
        if (isList) dates.push(at);
        const what = isList ? answered(requestId, { kind: 'read-orders', orders: [] }, ms(at)) : null;
        desk.answered(what ?? failed(requestId, TIMED_OUT, ms(at)), ms(at));
      }
    const pauses = dates.slice(1).map((date, index) => date - dates[index]!);
    expect(pauses).toEqual([10, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });
});

describe('a listing that was needed and failed', () => {
  it('has the date of the next one told with its answer', () => {
    const desk = open();
    desk.settlement.resync(ms(10));
    expect(kinds(desk.due(ms(10)))).toEqual(['read-orders']);
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(20));
    expect(desk.nextDue(ms(20))).toBe(ms(120));
    expect(kinds(desk.due(ms(120)))).toEqual(['read-orders']);
  });
});

describe('the first request of a run, which asks whose keys these are', () => {
  it('has left before there was a schedule, and counts', () => {
    const perDay = 1_000;
    const budget = { perMinute: 600, perDay, burst: 0.2, cancelReserve: 5, readReserve: 3 };
    expect(open({ budget }).budget.leftToday).toBe(perDay - 1 - LISTING_CALLS);
  });
});

describe('a private channel that is joined anew', () => {
  it('has cost a request, like any other', () => {
    const desk = open();
    const before = desk.budget.leftToday;
    desk.reconnected(ms(1_000));
    expect(desk.budget.leftToday).toBe(before - 1);
  });
});
