import { describe, expect, it } from 'vitest';
import { eventId, marketId, orderId } from '../../../../src/domain/ids.js';
import type { AnswerBody } from '../../../../src/domain/answers.js';
import type { Micros, Money } from '../../../../src/domain/units.js';
import type { Desk } from '../../../../src/core/execution/desk.js';
import { lostCreate, offer, openDesk, quotingDesk, requestKinds } from '../../../support/orders/desk.js';
import { EVENT, limitOrder } from '../../../support/orders/order-scenario.js';
import {
  answered,
  failed,
  listed,
  ms,
  refusedWith,
  reportOf,
  TIMED_OUT,
} from '../../../support/orders/own-order-reports.js';
import { bid, created } from '../../../support/orders/own-orders.js';

describe('a withdrawal', () => {
  const CANCELLED: AnswerBody = { kind: 'cancel-orders', items: [{ ok: true, value: orderId(5) }] };
  const REFUSED: AnswerBody = {
    kind: 'cancel-orders',
    items: [{ ok: false, code: 'OrderNotFound', means: 'unstated' }],
  };
  const emptyListing = (desk: Desk, requestId: number, sentAt: Micros, at: Micros): void =>
    void desk.answered(answered(requestId, { kind: 'read-orders', orders: [] }, sentAt), at);

  it('cancels by id and is proved by two empty listings begun after that', () => {
    const desk = quotingDesk();
    desk.withdraw(ms(30));
    expect(requestKinds(desk.due(ms(30)))).toEqual(['cancel-orders']);
    desk.answered(answered(3, CANCELLED, ms(30)), ms(40));
    expect(requestKinds(desk.due(ms(40)))).toEqual(['read-orders']);
    emptyListing(desk, 4, ms(40), ms(50));
    expect(desk.withdrawal.state).toBe('withdrawing');
    expect(requestKinds(desk.due(ms(50)))).toEqual(['read-orders']);
    emptyListing(desk, 5, ms(50), ms(60));
    expect(desk.withdrawal.state).toBe('proved');
  });

  it('cancels by id what a listing still shows', () => {
    const desk = quotingDesk();
    desk.withdraw(ms(30));
    desk.due(ms(30));
    desk.answered(answered(3, REFUSED, ms(30)), ms(40));
    expect(requestKinds(desk.due(ms(40)))).toEqual(['read-orders']);
    const shown = [listed(reportOf(bid, 5))];
    desk.answered(answered(4, { kind: 'read-orders', orders: shown }, ms(41)), ms(150));
    expect(desk.due(ms(150))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: ['5'] } }]);
  });

  describe('of an order that the venue was still processing', () => {
    const swept = (): Desk => {
      const desk = openDesk();
      offer(desk, bid);
      desk.due(ms(10));
      desk.answered(answered(2, created(reportOf(bid, 5, { status: 'processing' })), ms(10)), ms(20));
      desk.withdraw(ms(30));
      expect(requestKinds(desk.due(ms(30)))).toEqual(['read-orders']);
      return desk;
    };

    const cancels = (desk: Desk, at: Micros): (readonly string[])[] =>
      desk.due(at).flatMap(({ request }) => (request.kind === 'cancel-orders' ? [request.orderIds] : []));

    it('cancels it by id once a frame shows it open, whatever is under way elsewhere', () => {
      const desk = swept();
      expect(cancels(desk, ms(50))).toEqual([]);
      desk.reported(reportOf(bid, 5), ms(140));
      expect(cancels(desk, ms(140))).toEqual([['5']]);
      expect(cancels(desk, ms(140))).toEqual([]);
    });

    it('does not wait for the next round with what a frame has just shown open', () => {
      const desk = swept();
      desk.reported(reportOf(bid, 5), ms(60));
      expect(cancels(desk, ms(60))).toEqual([['5']]);
    });

    it('cancels it by id while a page of a listing is lost', () => {
      const desk = swept();
      desk.answered(failed(3, TIMED_OUT, ms(30)), ms(45));
      desk.reported(reportOf(bid, 5), ms(140));
      expect(cancels(desk, ms(140))).toEqual([['5']]);
    });

    it('leaves it to the listing after the venue turned the cancel down again', () => {
      const desk = swept();
      desk.reported(reportOf(bid, 5), ms(60));
      desk.due(ms(60));
      desk.answered(answered(4, REFUSED, ms(60)), ms(70));
      desk.reported(reportOf(bid, 5), ms(80));
      expect(cancels(desk, ms(500))).toEqual([]);
    });
  });

  it('counts an order that nobody knew of', () => {
    const desk = quotingDesk();
    desk.withdraw(ms(30));
    expect(desk.due(ms(30))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: ['5'] } }]);
    desk.answered(answered(3, CANCELLED, ms(30)), ms(40));
    desk.due(ms(40));
    const stranger = listed(reportOf(limitOrder(40, 1), 77));
    desk.answered(answered(4, { kind: 'read-orders', orders: [stranger] }, ms(40)), ms(150));
    expect(desk.due(ms(150))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: ['77'] } }]);
  });

  it('takes no plans and sends nothing again that was lost', () => {
    const desk = lostCreate();
    desk.withdraw(ms(1_010));
    offer(desk, bid);
    const sent = requestKinds(desk.due(ms(1_010)));
    expect(sent).not.toContain('create-orders');
    expect(sent).toContain('cancel-scope');
  });

  it('is given up after its time, and says so', () => {
    const desk = quotingDesk();
    desk.withdraw(ms(30));
    desk.due(ms(30));
    desk.due(ms(5_030));
    expect(desk.withdrawal.state).toBe('withdrawing');
    desk.due(ms(10_030));
    expect(desk.withdrawal.state).toBe('given-up');
  });

  it.each([
    ['as it began', []],
    ['shortly before its end', [4_000, 8_000, 9_900]],
  ])('is not given up because a clock was set forward %s, which the answers tell', (_when, looks) => {
    const desk = quotingDesk();
    desk.withdraw(ms(30));
    for (const at of [30, ...looks, 600_030]) desk.due(ms(at));
    desk.answered({ ...answered(3, REFUSED, ms(30)), venueAhead: -600_000_000 }, ms(600_040));
    for (const at of [604_000, 605_030, 610_029]) {
      desk.due(ms(at));
      expect(desk.withdrawal.state).toBe('withdrawing');
    }
    desk.due(ms(610_030));
    expect(desk.withdrawal.state).toBe('given-up');
  });

  it('is given up where no answer tells so', () => {
    const desk = quotingDesk();
    desk.withdraw(ms(30));
    desk.due(ms(30));
    desk.due(ms(600_030));
    expect(desk.withdrawal.nextDue()).toBeLessThanOrEqual(ms(605_030));
    desk.due(ms(605_030));
    expect(desk.withdrawal.state).toBe('given-up');
  });

  it('is not given up before what may still come can be proved absent', () => {
    const desk = lostCreate();
    desk.withdraw(ms(1_010));
    desk.due(ms(1_010));
    desk.due(ms(65_010));
    desk.due(ms(70_009));
    expect(desk.withdrawal.state).toBe('withdrawing');
    desk.due(ms(70_010));
    expect(desk.withdrawal.state).toBe('given-up');
  });

  describe('of 1,000 markets', () => {
    const ORDERS = Array.from({ length: 2_000 }, (_, at) => ({
      ...listed(reportOf(limitOrder(40, 1), at + 1)),
      marketId: marketId(100 + Math.floor(at / 2)),
    }));
    /** As the venue allows, with nothing left for reads and quotes. */
    const exhausted = (): Desk => {
      const desk = openDesk({
        budget: { perMinute: 2_000, perDay: 1_000_000, burst: 0.25, readReserve: 25, bookShare: 0.25 },
        orders: {
          tradedMarket: () => ({ eventId: EVENT, ownership: 'exclusive', mode: 'play_money' }),
          fees: () => ({ takerFee: 0 as Money, makerFee: 0 as Money }),
          clockWindowMs: 60_000,
          readAgeMs: 0,
          keepEndedMs: 60_000,
        },
      });
      desk.orders.listed(ORDERS, ms(1), ms(1));
      desk.due(ms(2));
      for (let id = 1; desk.budget.allows('read', ms(2)) && id < 5_000; id += 1) {
        desk.scheduler.read({ kind: 'read-event', eventId: eventId(id) });
        desk.due(ms(2));
      }
      for (let id = 5_000; id < 6_000; id += 1)
        desk.scheduler.read({ kind: 'read-book', marketId: marketId(id), mode: 'play_money' });
      return desk;
    };

    it('leaves at once, whatever else was sent: cancels by id, then listings before every other read', () => {
      const desk = exhausted();
      desk.due(ms(2));
      desk.withdraw(ms(3));
      const cancels = desk.due(ms(3));
      expect(requestKinds(cancels)).toEqual(Array.from({ length: 4 }, () => 'cancel-orders'));
      for (const { requestId, request } of cancels) {
        if (request.kind !== 'cancel-orders') continue;
        const items = request.orderIds.map((value) => ({ ok: true as const, value }));
        desk.answered(answered(requestId, { kind: 'cancel-orders', items }, ms(3)), ms(100));
      }
      for (const at of [100, 200]) {
        const [listing] = desk.due(ms(at));
        expect(listing?.request.kind).toBe('read-orders');
        emptyListing(desk, listing!.requestId, ms(at), ms(at + 50));
      }
      expect(desk.withdrawal.state).toBe('proved');
    });

    it('asks with half as many ids where the venue refuses so many', () => {
      const desk = exhausted();
      desk.withdraw(ms(3));
      for (const { requestId } of desk.due(ms(3)))
        desk.answered(failed(requestId, refusedWith('ValidationError', 400), ms(3)), ms(50));
      const again = desk.due(ms(1_000)).map(({ request }) => request);
      expect(again.filter(({ kind }) => kind === 'cancel-orders')).toHaveLength(8);
    });
  });

  it('is given the time that its requests need under a small allowance', () => {
    const desk = openDesk({
      budget: { perMinute: 8, perDay: 1e6, burst: 0.5, readReserve: 0, bookShare: 0.25 },
      callsBefore: 0,
    });
    desk.withdraw(ms(10));
    // Eight calls, one every 15 seconds, are waited for no longer than a minute.
    expect(desk.withdrawal.overAt).toBe(ms(70_010));
  });
});
