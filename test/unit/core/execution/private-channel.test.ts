import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import type { Micros } from '../../../../src/domain/units.js';
import { offer, openDesk, quotingDesk, requestKinds } from '../../../support/orders/desk.js';
import { limitOrder } from '../../../support/orders/order-scenario.js';
import {
  answered,
  failed,
  listed,
  ms,
  reportOf,
  TIMED_OUT,
} from '../../../support/orders/own-order-reports.js';
import { bid, created } from '../../../support/orders/own-orders.js';

describe('the private channel', () => {
  it('is silent when an accepted order does not show in a frame in time, and orders are listed at once', () => {
    const desk = quotingDesk();
    expect(desk.nextDue(ms(20))).toBe(ms(5_020));
    expect(desk.isPrivateFeedSilent(ms(5_019))).toBe(false);
    expect(desk.isPrivateFeedSilent(ms(5_020))).toBe(true);
    expect(requestKinds(desk.due(ms(5_020)))).toEqual(['read-orders']);
    expect(desk.isPrivateFeedSilent(ms(60_000))).toBe(true);
  });

  it('speaks when a frame comes, be it before the answer', () => {
    const desk = openDesk();
    offer(desk, bid);
    desk.due(ms(10));
    desk.reported(reportOf(bid, 5, { status: 'pending' }), ms(15));
    desk.answered(answered(2, created(reportOf(bid, 5)), ms(10)), ms(20));
    expect(desk.isPrivateFeedSilent(ms(60_000))).toBe(false);
  });

  it('speaks again with the next frame, or once it was joined anew', () => {
    const heard = quotingDesk();
    expect(heard.isPrivateFeedSilent(ms(6_000))).toBe(true);
    heard.reported(reportOf(bid, 5), ms(6_100));
    expect(heard.isPrivateFeedSilent(ms(6_100))).toBe(false);
    const joined = quotingDesk();
    expect(joined.isPrivateFeedSilent(ms(6_000))).toBe(true);
    joined.reconnected(ms(6_100));
    expect(joined.isPrivateFeedSilent(ms(6_100))).toBe(false);
  });

  it('has orders listed again soon when the listing fails that is to show what was missed', () => {
    const desk = quotingDesk();
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
    const desk = quotingDesk();
    offer(desk, other);
    desk.due(ms(30));
    desk.reported(reportOf(other, 6), ms(40));
    expect(desk.isPrivateFeedSilent(ms(5_020))).toBe(true);
    desk.answered(failed(3, TIMED_OUT, ms(30)), ms(6_000));
    expect(desk.orders.byId(orderId(6))).toMatchObject({ state: 'live' });
    expect(desk.isPrivateFeedSilent(ms(6_000))).toBe(true);
  });

  it('is not judged by what only a listing told of', () => {
    const desk = quotingDesk();
    desk.answered(answered(1, { kind: 'read-orders', orders: [listed(reportOf(bid, 5))] }, ms(30)), ms(40));
    expect(desk.isPrivateFeedSilent(ms(5_020))).toBe(true);
  });
});

describe('a private channel that is joined anew', () => {
  it('has cost a request, like any other', () => {
    const desk = openDesk();
    const before = desk.budget.leftToday;
    desk.reconnected(ms(1_000));
    expect(desk.budget.leftToday).toBe(before - 1);
  });
});
