import { describe, expect, it } from 'vitest';
import { type MarketId, marketId, orderId } from '../../../../src/domain/ids.js';
import { shares } from '../../../../src/domain/units.js';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import { type ApprovedItem, PromisedOrders } from '../../../../src/engine/accounting/promised-orders.js';
import { approveOrder, approveReplacement, KillSwitch } from '../../../../src/risk/index.js';
import { orderOf, riskView } from '../../../support/risk-view.js';

const HERE = marketId(2231);
const THERE = marketId(2232);
/** Locks ten money units, of which as many as said are not free already. */
const promise = (promised: PromisedOrders, item: ApprovedItem, order: LimitOrder, claim = 10): void =>
  promised.add({ items: [item], orders: [order], locks: [10], claims: [claim] }, promised.in(order.marketId));
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
    const promised = new PromisedOrders(() => undefined);
    const [first, second] = [orderOf(), orderOf()];
    promise(promised, approved(first), first);
    promise(promised, approved(second), second);
    promised.left({ kind: 'create-orders', orders: [approved(first)] });
    expect([...promised.of(HERE)]).toEqual([second]);
    expect([...promised.of(THERE)]).toEqual([]);
    expect(promised.count).toBe(1);
  });

  it('are told apart from replacements by what leaves', () => {
    const promised = new PromisedOrders(() => undefined);
    const order = orderOf({ marketId: THERE });
    const item = replacing(order);
    promise(promised, item, order);
    promised.left({ kind: 'cancel-orders', orderIds: [orderId(7)] });
    expect([...promised.of(THERE)]).toEqual([order]);
    promised.left({ kind: 'replace-orders', replacements: [item] });
    expect(promised.count).toBe(0);
  });

  it('of a plan that passed at once leave one by one, in any order', () => {
    const promised = new PromisedOrders(() => undefined);
    const orders = [1, 2, 3, 4].map((lot) => orderOf({ shares: shares(lot) }));
    const items = orders.map(approved);
    const here = promised.in(HERE);
    promised.add({ items, orders, locks: [1, 2, 4, 8], claims: [1, 1, 2, 2] }, here);
    expect([promised.count, here.bid, promised.locked, promised.claimed]).toEqual([4, 10, 15, 6]);
    promised.left({ kind: 'create-orders', orders: [items[0]!, items[2]!] });
    expect([...promised.of(HERE)]).toEqual([orders[1], orders[3]]);
    expect([promised.count, here.bid, promised.locked, promised.claimed]).toEqual([2, 6, 10, 3]);
    expect(items).toHaveLength(4);
    promised.left({ kind: 'create-orders', orders: [items[3]!, items[1]!] });
    expect([promised.count, here.bid, promised.locked, promised.claimed]).toEqual([0, 0, 0, 0]);
  });

  it('are forgotten when their market is planned anew, and only there', () => {
    const promised = new PromisedOrders(() => undefined);
    const [here, there] = [orderOf(), orderOf({ marketId: THERE })];
    promise(promised, approved(here), here);
    promise(promised, approved(there), there);
    promised.forget(HERE);
    expect([...promised.of(HERE)]).toEqual([]);
    expect([...promised.of(THERE)]).toEqual([there]);
  });

  it('lock cash while they wait, and their market is told of as they go', () => {
    const told: MarketId[] = [];
    const promised = new PromisedOrders((market) => void told.push(market));
    const [here, there] = [orderOf(), orderOf({ marketId: THERE })];
    promise(promised, approved(here), here, 4);
    promise(promised, approved(there), there);
    expect([promised.locked, promised.claimed]).toEqual([20, 14]);
    promised.left({ kind: 'create-orders', orders: [approved(there)] });
    promised.forget(HERE);
    expect([promised.locked, promised.claimed]).toEqual([0, 0]);
    expect(told).toEqual([THERE, HERE]);
  });
});
