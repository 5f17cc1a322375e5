import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../src/domain/ids.js';
import type { AnswerBody } from '../../../../src/domain/answers.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { Desk } from '../../../../src/core/execution/desk.js';
import {
  lostCreate,
  offer,
  openDesk,
  quotingDesk,
  requestKinds,
  SCOPES,
} from '../../../support/orders/desk.js';
import { EVENT, limitOrder, MARKET } from '../../../support/orders/order-scenario.js';
import { answered, listed, ms, reportOf } from '../../../support/orders/own-order-reports.js';
import { bid, created } from '../../../support/orders/own-orders.js';

const OTHER_MARKET = marketId(MARKET + 1);

describe('a withdrawal', () => {
  const emptyListing = (desk: Desk, requestId: number, sentAt: Micros, at: Micros): void =>
    void desk.answered(answered(requestId, { kind: 'read-orders', orders: [] }, sentAt), at);

  it('cancels the scope and is proved by two empty listings begun after that', () => {
    const desk = quotingDesk();
    desk.withdraw(SCOPES, ms(30));
    expect(requestKinds(desk.due(ms(30)))).toEqual(['cancel-scope']);
    const body: AnswerBody = { kind: 'cancel-scope', canceledIds: [orderId(5)], processingIds: [] };
    desk.answered(answered(3, body, ms(30)), ms(40));
    expect(requestKinds(desk.due(ms(40)))).toEqual(['read-orders']);
    emptyListing(desk, 4, ms(40), ms(50));
    expect(desk.withdrawal.state).toBe('withdrawing');
    expect(requestKinds(desk.due(ms(50)))).toEqual(['read-orders']);
    emptyListing(desk, 5, ms(50), ms(60));
    expect(desk.withdrawal.state).toBe('proved');
  });

  it('cancels by id what a listing still shows', () => {
    const desk = quotingDesk();
    desk.withdraw(SCOPES, ms(30));
    desk.due(ms(30));
    const body: AnswerBody = { kind: 'cancel-scope', canceledIds: [], processingIds: [orderId(5)] };
    desk.answered(answered(3, body, ms(30)), ms(40));
    expect(requestKinds(desk.due(ms(40)))).toEqual(['read-orders']);
    const shown = [listed(reportOf(bid, 5))];
    desk.answered(answered(4, { kind: 'read-orders', orders: shown }, ms(41)), ms(150));
    expect(desk.due(ms(150))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: ['5'] } }]);
  });

  describe('of an order that the venue was still processing', () => {
    const ELSEWHERE = { kind: 'market', eventId: EVENT, marketId: OTHER_MARKET } as const;
    const processed: AnswerBody = { kind: 'cancel-scope', canceledIds: [], processingIds: [orderId(5)] };
    const swept = (): Desk => {
      const desk = openDesk();
      offer(desk, bid);
      desk.due(ms(10));
      desk.answered(answered(2, created(reportOf(bid, 5, { status: 'processing' })), ms(10)), ms(20));
      desk.withdraw([...SCOPES, { scope: ELSEWHERE, markets: [OTHER_MARKET] }], ms(30));
      expect(requestKinds(desk.due(ms(30)))).toEqual(['cancel-scope', 'cancel-scope']);
      desk.answered(answered(3, processed, ms(30)), ms(40));
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
      const nothing: AnswerBody = { kind: 'cancel-scope', canceledIds: [], processingIds: [] };
      desk.answered(answered(4, nothing, ms(30)), ms(45));
      expect(requestKinds(desk.due(ms(45)))).toEqual(['read-orders']);
      desk.reported(reportOf(bid, 5), ms(140));
      expect(cancels(desk, ms(140))).toEqual([['5']]);
    });

    it('leaves it to the listing after the venue turned the cancel down again', () => {
      const desk = swept();
      desk.reported(reportOf(bid, 5), ms(60));
      desk.due(ms(60));
      const refused: AnswerBody = {
        kind: 'cancel-orders',
        items: [{ ok: false, code: 'OrderNotFound', means: 'unstated' }],
      };
      desk.answered(answered(5, refused, ms(60)), ms(70));
      desk.reported(reportOf(bid, 5), ms(80));
      expect(cancels(desk, ms(500))).toEqual([]);
    });
  });

  it('counts an order that nobody knew of', () => {
    const desk = quotingDesk();
    desk.withdraw([], ms(30));
    expect(desk.due(ms(30))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: ['5'] } }]);
    const cancelled: AnswerBody = { kind: 'cancel-orders', items: [{ ok: true, value: orderId(5) }] };
    desk.answered(answered(3, cancelled, ms(30)), ms(40));
    desk.due(ms(40));
    const stranger = listed(reportOf(limitOrder(40, 1), 77));
    desk.answered(answered(4, { kind: 'read-orders', orders: [stranger] }, ms(40)), ms(150));
    expect(desk.due(ms(150))).toMatchObject([{ request: { kind: 'cancel-orders', orderIds: ['77'] } }]);
  });

  it('takes no plans and sends nothing again that was lost', () => {
    const desk = lostCreate();
    desk.withdraw(SCOPES, ms(1_010));
    offer(desk, bid);
    const sent = requestKinds(desk.due(ms(1_010)));
    expect(sent).not.toContain('create-orders');
    expect(sent).toContain('cancel-scope');
  });

  it('is given up after its time, and says so', () => {
    const desk = quotingDesk();
    desk.withdraw(SCOPES, ms(30));
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
    desk.withdraw(SCOPES, ms(30));
    for (const at of [30, ...looks, 600_030]) desk.due(ms(at));
    const body: AnswerBody = { kind: 'cancel-scope', canceledIds: [], processingIds: [orderId(5)] };
    desk.answered({ ...answered(3, body, ms(30)), venueAhead: -600_000_000 }, ms(600_040));
    for (const at of [604_000, 605_030, 610_029]) {
      desk.due(ms(at));
      expect(desk.withdrawal.state).toBe('withdrawing');
    }
    desk.due(ms(610_030));
    expect(desk.withdrawal.state).toBe('given-up');
  });

  it('is given up where no answer tells so', () => {
    const desk = quotingDesk();
    desk.withdraw(SCOPES, ms(30));
    desk.due(ms(30));
    desk.due(ms(600_030));
    expect(desk.withdrawal.nextDue()).toBeLessThanOrEqual(ms(605_030));
    desk.due(ms(605_030));
    expect(desk.withdrawal.state).toBe('given-up');
  });

  it('is not given up before what may still come can be proved absent', () => {
    const desk = lostCreate();
    desk.withdraw(SCOPES, ms(1_010));
    desk.due(ms(1_010));
    desk.due(ms(65_010));
    desk.due(ms(70_009));
    expect(desk.withdrawal.state).toBe('withdrawing');
    desk.due(ms(70_010));
    expect(desk.withdrawal.state).toBe('given-up');
  });
});
