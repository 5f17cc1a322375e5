import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../src/domain/ids.js';
import { money } from '../../../../src/domain/units.js';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import { PromisedOrders } from '../../../../src/engine/accounting/promised-orders.js';
import type { OwnOrder } from '../../../../src/execution/orders/own-order.js';
import { approveOrder, approveReplacement, KillSwitch } from '../../../../src/risk/index.js';
import { orderOf, riskView } from '../../../support/risk-view.js';

const HERE = marketId(2231);
const THERE = marketId(2232);
const STANDING = {} as OwnOrder;
/** Each locks ten money units, four of them free until then where it comes in the place of another. */
const promises = (told: string[] = [], locks = { order: money(10), replaced: money(6) }): PromisedOrders =>
  new PromisedOrders({
    lockOf: () => locks.order,
    lockedBy: (replaced) => (replaced === null ? 0 : locks.replaced),
    added: ({ marketId }) => void told.push(`+${marketId}`),
    dropped: ({ marketId }) => void told.push(`-${marketId}`),
  });
const gate = { rules: [], view: riskView(), killSwitch: new KillSwitch() };

const approved = (order: LimitOrder) => {
  const verdict = approveOrder(order, gate);
  if (!verdict.ok) throw new Error(verdict.refusal.text);
  return verdict.approved;
};
const replacing = (order: LimitOrder) => {
  const verdict = approveReplacement(order, orderId(7), gate);
  if (!verdict.ok) throw new Error(verdict.refusal.text);
  return verdict.approved;
};

describe('orders that passed the gate and have not left', () => {
  it('count in their market until they leave', () => {
    const promised = promises();
    const [first, second] = [orderOf(), orderOf()];
    promised.add(approved(first), first, null);
    promised.add(approved(second), second, null);
    promised.left({ kind: 'create-orders', orders: [approved(first)] });
    expect([...promised.of(HERE)]).toEqual([second]);
    expect([...promised.of(THERE)]).toEqual([]);
    expect(promised.count).toBe(1);
  });

  it('are told apart from replacements by what leaves', () => {
    const promised = promises();
    const order = orderOf({ marketId: THERE });
    const item = replacing(order);
    promised.add(item, order, null);
    promised.left({ kind: 'cancel-orders', orderIds: [orderId(7)] });
    expect([...promised.of(THERE)]).toEqual([order]);
    promised.left({ kind: 'replace-orders', replacements: [item] });
    expect(promised.count).toBe(0);
  });

  it('are forgotten when their market is planned anew, and only there', () => {
    const promised = promises();
    const [here, there] = [orderOf(), orderOf({ marketId: THERE })];
    promised.add(approved(here), here, null);
    promised.add(approved(there), there, null);
    promised.forget(HERE);
    expect([...promised.of(HERE)]).toEqual([]);
    expect([...promised.of(THERE)]).toEqual([there]);
  });

  it('lock cash while they wait, and are told of as they come and go', () => {
    const told: string[] = [];
    const promised = promises(told);
    const [here, there] = [orderOf(), orderOf({ marketId: THERE })];
    promised.add(approved(here), here, STANDING);
    promised.add(approved(there), there, null);
    expect([promised.locked, promised.claimed]).toEqual([20, 14]);
    promised.left({ kind: 'create-orders', orders: [approved(there)] });
    promised.forget(HERE);
    expect([promised.locked, promised.claimed]).toEqual([0, 0]);
    expect(told).toEqual(['+2231', '+2232', '-2232', '-2231']);
  });

  it('give back the cash that they took, though fees have changed meanwhile', () => {
    const locks = { order: money(10), replaced: money(6) };
    const promised = promises([], locks);
    const here = orderOf();
    promised.add(approved(here), here, STANDING);
    locks.order = money(12);
    locks.replaced = money(3);
    promised.forget(HERE);
    expect([promised.locked, promised.claimed]).toEqual([0, 0]);
  });
});
