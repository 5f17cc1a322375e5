import { describe, expect, it } from 'vitest';
import type { SendEffect } from '../../../../../src/domain/effects.js';
import { CashUnderWay } from '../../../../../src/core/engine/quoting/cash-under-way.js';
import { marketId } from '../../../../../src/domain/ids.js';
import type { Micros, Money } from '../../../../../src/domain/units.js';
import { termsOf } from '../../../../support/orders/desk-world.js';

const MARKET = marketId(1);
const READ_AT = 100 as Micros;

/** A request for one bid that locks so many money units. */
const bid = (requestId: number, lock: number): SendEffect =>
  ({
    requestId,
    request: {
      kind: 'create-orders',
      orders: [{ marketId: MARKET, side: 'bid', position: 'long', price: 1, shares: lock }],
    },
  }) as unknown as SendEffect;

const move = (requestId: number, lock: number): SendEffect =>
  ({
    requestId,
    request: {
      kind: 'replace-orders',
      replacements: [{ orderId: 7, place: { marketId: MARKET, side: 'bid' }, price: 1, shares: lock }],
    },
  }) as unknown as SendEffect;

/** Requests that leave together when there is so much cash; order 7 locks 50. */
function leaving(cash: number, effects: readonly SendEffect[]) {
  const now = { cash };
  const ids = effects.map(({ requestId }) => requestId);
  const lockOf = (effect: SendEffect): number => {
    const { request } = effect;
    if (request.kind === 'create-orders') return request.orders[0]!.shares;
    return request.kind === 'replace-orders' ? request.replacements[0]!.shares : 0;
  };
  let asked = effects.reduce((sum, effect) => sum + lockOf(effect), 0);
  const terms = new Map([[MARKET, termsOf(MARKET)]]);
  const underWay = new CashUnderWay({
    terms,
    orders: { byId: () => ({ marketId: MARKET, side: 'bid', price: 1, remaining: 50 }) as never },
    cash: () => ({ amount: now.cash - asked, asOf: READ_AT }),
  });
  underWay.decided(effects);
  const covered = (): readonly number[] => ids.filter((_id, at) => underWay.covers(effects[at]!));
  /** As much as the price: everything locks twice as much. */
  const raiseFee = (): void => {
    terms.set(MARKET, { ...termsOf(MARKET), takerFee: 100 as Money });
    asked *= 2;
  };
  return { now, covered, raiseFee };
}

describe('requests that are to lock cash', () => {
  it('leave while it suffices', () => {
    expect(leaving(100, [bid(1, 60), bid(2, 40)]).covered()).toEqual([1, 2]);
  });

  it('are held back once there is less, those decided last first', () => {
    const { now, covered } = leaving(100, [bid(1, 60), bid(2, 40)]);
    now.cash = 99;
    expect(covered()).toEqual([1]);
    now.cash = 59;
    expect(covered()).toEqual([]);
  });

  it('leave when there was too little from the start: they would be planned again and again', () => {
    const { covered } = leaving(80, [bid(1, 60), bid(2, 40)]);
    expect(covered()).toEqual([1, 2]);
  });

  it('are held back by a fee that has risen since', () => {
    const { now, covered, raiseFee } = leaving(100, [bid(1, 60), bid(2, 40)]);
    raiseFee();
    now.cash = 120;
    expect(covered()).toEqual([1]);
    now.cash = 100;
    expect(covered()).toEqual([]);
  });

  it('need no more than what an update locks beyond its old order', () => {
    const { now, covered } = leaving(60, [move(1, 60)]);
    now.cash = 10;
    expect(covered()).toEqual([1]);
    now.cash = 9;
    expect(covered()).toEqual([]);
  });

  it('need none where an update locks less', () => {
    const { now, covered } = leaving(60, [move(1, 50)]);
    now.cash = -100;
    expect(covered()).toEqual([1]);
  });
});
