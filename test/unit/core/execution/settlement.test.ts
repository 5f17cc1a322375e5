import { describe, expect, it } from 'vitest';
import {
  EMPTY_PLAN,
  lostCreate,
  offer,
  openDesk,
  requestKinds,
  states,
} from '../../../support/orders/desk.js';
import { limitOrder, MARKET } from '../../../support/orders/order-scenario.js';
import { answered, failed, ms, reportOf, TIMED_OUT } from '../../../support/orders/own-order-reports.js';
import { bid, created } from '../../../support/orders/own-orders.js';

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
    const desk = openDesk();
    offer(desk, bid);
    desk.due(ms(10));
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(5_010));
    expect(requestKinds(desk.due(ms(5_010)))).toEqual(['cancel-scope', 'read-orders']);
  });

  it.each([
    ['is over', ms(1_010), ['cancel-scope', 'read-orders']],
    ['is ahead', ms(1_011), ['create-orders', 'read-orders']],
  ])('whose expiry %s at the moment of the replay', (_name, expiresAt, then) => {
    const desk = openDesk();
    offer(desk, { ...bid, expiresAt });
    desk.due(ms(10));
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(1_010));
    expect(requestKinds(desk.due(ms(1_010)))).toEqual(then);
  });

  it('is not sent again when the last check speaks against it', () => {
    const desk = lostCreate({ mayReplay: () => false });
    expect(requestKinds(desk.due(ms(1_010)))).toEqual(['cancel-scope', 'read-orders']);
  });

  it('is cancelled in its scope when it is not wanted any more, and only listed after that', () => {
    const desk = lostCreate();
    desk.offer({ ...EMPTY_PLAN, unwanted: desk.orders.own(MARKET).working });
    expect(requestKinds(desk.due(ms(1_010)))).toEqual(['cancel-scope', 'read-orders']);
    desk.answered(
      answered(3, { kind: 'cancel-scope', canceledIds: [], processingIds: [] }, ms(1_010)),
      ms(1_020),
    );
    desk.answered(answered(4, { kind: 'read-orders', orders: [] }, ms(1_010)), ms(1_020));
    expect(requestKinds(desk.due(ms(1_200)))).toEqual(['read-orders']);
    expect(states(desk)).toEqual(['unknown']);
  });

  it('is not taken for one that never came because our clock was set forward', () => {
    const desk = lostCreate({ mayReplay: () => false });
    desk.due(ms(1_010));
    const LEAP_MS = 600_000;
    const show = (requestId: number, at: number): void => {
      const sentAt = ms(LEAP_MS + at);
      const body = { kind: 'read-orders', orders: [] } as const;
      desk.answered({ ...answered(requestId, body, sentAt), venueAhead: -1_000 * LEAP_MS }, sentAt);
      desk.due(ms(LEAP_MS + at + 500));
    };
    desk.answered(
      answered(3, { kind: 'cancel-scope', canceledIds: [], processingIds: [] }, ms(1_010)),
      ms(1_020),
    );
    [2_000, 10_000, 59_000].forEach((at, pass) => show(4 + pass, at));
    expect(states(desk)).toEqual(['unknown']);
  });

  it('is not sent again when one item of its batch is settled already', () => {
    const desk = openDesk();
    offer(desk, bid, limitOrder(47, 10));
    desk.due(ms(10));
    desk.answered(failed(2, TIMED_OUT, ms(10)), ms(1_010));
    desk.reported(reportOf(bid, 5), ms(1_011));
    expect(requestKinds(desk.due(ms(1_020)))).toEqual(['cancel-scope', 'read-orders']);
  });

  it('is queued for its replay once, however long the budget is blocked', () => {
    const desk = lostCreate();
    desk.budget.refused(800, ms(1_010));
    for (const at of [1_010, 1_200, 1_500]) expect(desk.due(ms(at))).toEqual([]);
    expect(requestKinds(desk.due(ms(1_900)))).toEqual(['create-orders', 'read-orders']);
  });
});
