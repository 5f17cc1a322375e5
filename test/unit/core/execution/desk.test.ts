import { describe, expect, it } from 'vitest';
import type { AnswerBody } from '../../../../src/domain/answers.js';
import { orderId } from '../../../../src/domain/ids.js';
import type { KnownOrders } from '../../../../src/domain/orders.js';
import type { Micros } from '../../../../src/domain/units.js';
import { FUTUUR } from '../../../../src/venues/futuur/protocol/profile.js';
import { offer, openDesk, requestKinds, states } from '../../../support/orders/desk.js';
import { limitOrder, MARKET } from '../../../support/orders/order-scenario.js';
import { answered, failed, ms, refusedWith, TIMED_OUT } from '../../../support/orders/own-order-reports.js';
import { bid } from '../../../support/orders/own-orders.js';
import { meaningOf } from '../../../../src/venues/futuur/protocol/errors.js';

describe('a refusal by the venue', () => {
  const refusedItem = (code: string): AnswerBody => ({
    kind: 'create-orders',
    items: [{ ok: false, code, means: meaningOf(code) }],
    canceledIds: [],
  });

  it.each([
    ['OrderBookConflictingOrders', 'read-orders'],
    ['UserNotEnoughBalance', 'read-balances'],
    ['MarketClosed', 'read-event'],
  ])('%s is followed by %s', (code, read) => {
    const desk = openDesk();
    offer(desk, bid);
    desk.due(ms(10));
    const news = desk.answered(answered(2, refusedItem(code), ms(10)), ms(20));
    expect(news.refused).toMatchObject([{ code, marketId: MARKET }]);
    expect(requestKinds(desk.due(ms(20)))).toContain(read);
  });

  it('of the market pauses its quotes', () => {
    const desk = openDesk();
    offer(desk, bid);
    desk.due(ms(10));
    desk.answered(answered(2, refusedItem('InvalidShares'), ms(10)), ms(20));
    offer(desk, bid);
    expect(desk.due(ms(4_000))).toEqual([]);
    expect(requestKinds(desk.due(ms(5_020)))).toEqual(['create-orders']);
  });

  it('of the account is told once and pauses everything but cancels', () => {
    const desk = openDesk();
    offer(desk, bid, limitOrder(47, 10));
    desk.due(ms(10));
    const news = desk.answered(failed(2, refusedWith('InvalidHMACKey', 401), ms(10)), ms(20));
    expect(news.refused).toMatchObject([{ code: 'InvalidHMACKey', marketId: null }]);
    expect(states(desk)).toEqual([]);
    offer(desk, bid);
    expect(desk.due(ms(30_000))).toEqual([]);
  });
});

describe('a listing that was needed and failed', () => {
  it('has the date of the next one told with its answer', () => {
    const desk = openDesk();
    desk.settlement.resync(ms(10));
    expect(requestKinds(desk.due(ms(10)))).toEqual(['read-orders']);
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(20));
    expect(desk.nextDue(ms(20))).toBe(ms(120));
    expect(requestKinds(desk.due(ms(120)))).toEqual(['read-orders']);
  });

  it('is not repeated in the same moment, where a venue answers in no time', () => {
    const desk = openDesk();
    desk.settlement.resync(ms(10));
    desk.due(ms(10));
    desk.answered(answered(2, { kind: 'read-orders', orders: [] }, ms(10)), ms(10));
    expect(requestKinds(desk.due(ms(10)))).toEqual([]);
    expect(desk.nextDue(ms(10))).toBe(ms(10) + 1);
    expect(requestKinds(desk.due((ms(10) + 1) as Micros))).toEqual(['read-orders']);
  });
});

describe('a channel that is asked for anew', () => {
  it('costs a request that no schedule held back', () => {
    const desk = openDesk();
    const before = desk.budget.leftToday;
    desk.refusedToJoin(ms(0));
    expect(desk.budget.leftToday).toBe(before - 1);
  });
});

describe('the first request of a run, which asks whose keys these are', () => {
  it('has left before there was a schedule, and counts', () => {
    const perDay = 1_000;
    const budget = { perMinute: 600, perDay, burst: 0.2, readReserve: 3, bookShare: 0.25 };
    expect(openDesk({ budget }).budget.leftToday).toBe(perDay - 1 - FUTUUR.calls.listing);
  });
});

describe('what a listing may spend on the ends of orders that it missed', () => {
  const missed = (spare: number): number => {
    const budget = {
      perMinute: 600,
      perDay: 1_000_000,
      burst: 0.2,
      readReserve: 3,
      bookShare: 0.25,
    };
    const desk = openDesk({ budget });
    desk.orders.recover([{ kind: 'own-orders', orderIds: [orderId(3)] }]);
    desk.due(ms(1));
    desk.budget.spend(ms(1), desk.budget.spare('read') - spare - FUTUUR.calls.listing);
    desk.scheduler.read({ kind: 'read-orders' });
    const [listing] = desk.due(ms(1));
    return (listing!.request as { known: KnownOrders }).known.pages;
  };

  it.each([
    ['twenty pages at most', 100, 20],
    ['what the reserve for cancels leaves', 7, 7],
    ['one page of each list all the same', 1, 2],
  ])('is %s', (_what, spare, pages) => {
    expect(missed(spare)).toBe(pages);
  });
});
