import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import { openDesk, requestKinds } from '../../../support/orders/desk.js';
import { answered, failed, ms, TIMED_OUT } from '../../../support/orders/own-order-reports.js';

describe('orders of an earlier run that listings do not show', () => {
  it('are cancelled by their ids, and known when the venue has answered', () => {
    const desk = openDesk();
    desk.orders.recover([{ kind: 'own-orders', orderIds: [orderId(5), orderId(6)] }]);
    desk.settlement.resync(ms(10));
    expect(requestKinds(desk.due(ms(10)))).toEqual(['read-orders']);
    desk.answered(answered(2, { kind: 'read-orders', orders: [] }, ms(10)), ms(20));
    expect(requestKinds(desk.due(ms(20)))).toEqual(['read-orders']);
    desk.answered(answered(3, { kind: 'read-orders', orders: [] }, ms(20)), ms(30));
    const [cancel, ...others] = desk.due(ms(30));
    expect(others).toEqual([]);
    expect(cancel?.request).toEqual({ kind: 'cancel-orders', orderIds: ['5', '6'] });
    expect(desk.orders.inherited.areKnown).toBe(false);
    const items = [5, 6].map((id) => ({ ok: true, value: orderId(id) }) as const);
    desk.answered(answered(cancel!.requestId, { kind: 'cancel-orders', items }, ms(30)), ms(40));
    expect(desk.orders.inherited.areKnown).toBe(true);
  });

  it('are asked for after ever longer pauses while no cancel is answered', () => {
    const desk = openDesk();
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
