import { describe, expect, it } from 'vitest';
import { approvePlan, type Gate } from '../../../../../src/core/execution/planning/plan.js';
import { NO_PLAN } from '../../../../../src/core/execution/planning/plan.js';
import { openDesk } from '../../../../support/orders/desk.js';
import { approved } from '../../../../support/bot/effects.js';
import { limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';
import { bid } from '../../../../support/orders/own-orders.js';

describe('approval', () => {
  const gate = (refused: readonly number[]): Gate => ({
    create: (order) => (refused.includes(order.price) ? null : approved(order)),
    replace: (to, { orderId: id }) =>
      refused.includes(to.price)
        ? null
        : approved({
            orderId: id!,
            place: to,
            price: to.price,
            shares: to.shares,
            expiresAt: null,
            says: 'all',
          }),
  });

  it('cancels an order that may not move to its new place', () => {
    const desk = openDesk();
    desk.reported(reportOf(bid, 5), ms(5));
    const [order] = desk.orders.own(MARKET).working;
    const replacements = [{ order: order!, to: limitOrder(49, 10) }];
    const plan = approvePlan(MARKET, { ...NO_PLAN, replacements }, gate([4_900]));
    expect(plan).toMatchObject({ cancels: [order], replacements: [] });
  });

  it('leaves out what the gate refuses', () => {
    const creates = [limitOrder(48, 1), limitOrder(47, 1)];
    expect(approvePlan(MARKET, { ...NO_PLAN, creates }, gate([4_800])).creates).toEqual([creates[1]]);
  });
});
