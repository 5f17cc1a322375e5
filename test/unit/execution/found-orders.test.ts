import { describe, expect, it } from 'vitest';
import type { Shares } from '../../../src/domain/units.js';
import { exclusiveOrders, limitOrder, MARKET } from '../../support/order-scenario.js';
import { ms, reportOf } from '../../support/own-order-reports.js';

describe('an order found at the venue', () => {
  const asked = limitOrder(40, 10);
  const found = () => {
    const orders = exclusiveOrders();
    const unpriced = { filled: null, averageFillPrice: null, createdAt: ms(-5_000) } as const;
    orders.listed([reportOf(asked, 17, { ...unpriced, status: 'partial_filled' })], ms(0), ms(1));
    return orders;
  };

  it('brings no fills that were traded before anybody told us', () => {
    const told = { status: 'canceled', filled: 600 as Shares, averageFillPrice: 0.4 } as const;
    expect(found().reported(reportOf(asked, 17, told), ms(10))).toMatchObject([{ kind: 'ended' }]);
  });

  it('brings what it trades from then on, at the price of that', () => {
    const told = { status: 'partial_filled', filled: 600 as Shares, filledNow: 200 as Shares } as const;
    const news = found().reported(reportOf(asked, 17, { ...told, averageFillPrice: 0.4 }), ms(10));
    expect(news).toMatchObject([{ kind: 'filled', fill: { shares: 200, amount: 800_000 } }]);
  });

  it('that had traded nothing brings all that is told of it later', () => {
    const orders = exclusiveOrders();
    const unpriced = { filled: null, averageFillPrice: null } as const;
    orders.listed([reportOf(asked, 17, { ...unpriced, status: 'open' })], ms(0), ms(1));
    const told = { status: 'canceled', filled: 600 as Shares, averageFillPrice: 0.4 } as const;
    const news = orders.reported(reportOf(asked, 17, told), ms(10));
    expect(news).toMatchObject([{ kind: 'filled', fill: { shares: 600 } }, { kind: 'ended' }]);
  });

  it('is as old as the venue says', () => {
    expect(found().own(MARKET).working[0]?.bornAt).toBe(ms(-5_000));
  });
});
