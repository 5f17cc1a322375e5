import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../../src/domain/ids.js';
import type { Shares } from '../../../../../src/domain/units.js';
import { approved } from '../../../../support/bot/effects.js';
import { exclusiveOrders, limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';

describe('an order that an earlier run asked for without hearing the answer', () => {
  const asked = limitOrder(40, 10);
  const unpriced = { filled: null, averageFillPrice: null, createdAt: ms(0) } as const;
  const recovered = () => {
    const orders = exclusiveOrders();
    const request = { kind: 'create-orders', orders: [approved(asked)] } as const;
    orders.recover([{ kind: 'request', requestId: 1, key: 'k-1', at: ms(0), request, body: '' }]);
    return orders;
  };
  const ended = { status: 'filled', filled: 1_000 as Shares, filledNow: 31 as Shares } as const;

  it('brings no fills from before it was heard of: they are in the holdings already', () => {
    const orders = recovered();
    orders.listed([reportOf(asked, 17, { ...unpriced, status: 'partial_filled' })], ms(5_000), ms(5_010));
    expect(orders.byId(orderId(17))).toMatchObject({ state: 'live', stage: 'partial' });
    orders.reported(reportOf(asked, 17, { status: 'open', filled: 0 as Shares }), ms(5_020));
    const news = orders.reported(reportOf(asked, 17, ended), ms(5_030));
    expect(news).toMatchObject([{ kind: 'filled', fill: { shares: 31 } }, { kind: 'ended' }]);
  });

  it('brings all of them when it was open and had traded nothing then', () => {
    const orders = recovered();
    orders.listed([reportOf(asked, 17, { ...unpriced, status: 'open' })], ms(5_000), ms(5_010));
    const news = orders.reported(reportOf(asked, 17, ended), ms(5_030));
    expect(news).toMatchObject([{ kind: 'filled', fill: { shares: 1_000 } }, { kind: 'ended' }]);
  });
});

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

  it('may have traded them since holdings were read, as far as nobody has read them later', () => {
    const told = { status: 'canceled', filled: 600 as Shares, averageFillPrice: 0.4 } as const;
    const orders = found();
    orders.reported(reportOf(asked, 17, told), ms(10));
    expect(orders.unheardEnds(MARKET)).toMatchObject([{ orderId: '17', requested: 600, filled: 0 }]);
    expect(orders.endsReadDue).not.toBeNull();
    orders.holdingsAgree(ms(2_000));
    expect(orders.unheardEnds(MARKET)).not.toEqual([]);
    orders.holdingsAgree(ms(2_011));
    expect(orders.unheardEnds(MARKET)).toEqual([]);
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
