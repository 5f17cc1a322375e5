import { describe, expect, it } from 'vitest';
import { PRICE_ONE, priceUnits } from '../../../../../src/domain/units.js';
import { approvePlan, type Gate } from '../../../../../src/core/execution/planning/approval.js';
import { NO_PLAN } from '../../../../../src/core/execution/planning/plan.js';
import { openDesk } from '../../../../support/orders/desk.js';
import { approved } from '../../../../support/bot/effects.js';
import { limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';
import { bid } from '../../../../support/orders/own-orders.js';

const SPAN = {
  lowestLong: priceUnits(4_700),
  highestLong: priceUnits(4_800),
  highestBid: priceUnits(4_800),
  lowestAsk: PRICE_ONE,
  sells: false,
  tickUnits: 100,
};

describe('approval', () => {
  const gate = (refused: readonly number[]): Gate => ({
    together: () => null,
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

  it('asks about no order by itself where the plan passes as a whole', () => {
    const creates = [limitOrder(48, 1), limitOrder(47, 1)];
    const whole: Gate = {
      ...gate([4_700, 4_800]),
      together: (plan) => ({ replacements: [], creates: plan.creates.map(approved), span: SPAN }),
    };
    const plan = approvePlan(MARKET, { ...NO_PLAN, creates }, whole);
    expect(plan).toMatchObject({ creates, span: SPAN });
  });

  it('leaves out what the gate refuses', () => {
    const creates = [limitOrder(48, 1), limitOrder(47, 1)];
    expect(approvePlan(MARKET, { ...NO_PLAN, creates }, gate([4_800])).creates).toEqual([creates[1]]);
  });
});
