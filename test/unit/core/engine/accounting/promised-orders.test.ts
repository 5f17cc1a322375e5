import { describe, expect, it } from 'vitest';
import { type MarketId, marketId, orderId } from '../../../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../../../src/domain/units.js';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import { type PromisedItem, PromisedOrders } from '../../../../../src/core/engine/quoting/exposure.js';
import {
  approveOrder,
  approveReplacement,
  KillSwitch,
  type Proposal,
} from '../../../../../src/core/risk/index.js';
import { orderOf, riskTerms, riskView } from '../../../../support/bot/risk-view.js';

const HERE = marketId(2231);
const THERE = marketId(2232);
const gate = { rules: [], view: riskView(), killSwitch: new KillSwitch() };

/** An approved create. */
const created = (order: LimitOrder, { view } = gate) => {
  const verdict = approveOrder(order, { ...gate, view });
  if (!verdict.ok) throw new Error(verdict.refusal.text);
  return verdict;
};
/** A bid that locks as many money units as said. */
const standing = (lock: number) =>
  ({
    orderId: orderId(7),
    side: 'bid',
    price: priceUnits(100),
    requested: shares(lock / 100),
    expiresAt: null,
  }) as const;
/** An approved replacement of an order that has locked so much. */
const replacing = (order: LimitOrder, lock = 0) => {
  const verdict = approveReplacement(order, standing(lock), gate);
  if (!verdict.ok) throw new Error(verdict.refusal.text);
  return verdict;
};

function promise(
  promised: PromisedOrders,
  ...verdicts: readonly { readonly approved: PromisedItem; readonly proposal: Proposal }[]
): void {
  for (const { approved, proposal } of verdicts) promised.add(approved, proposal);
}

const countOf = (promised: PromisedOrders): number => promised.of(HERE).length + promised.of(THERE).length;

describe('orders that passed the gate and have not left', () => {
  it('count in their market until they leave', () => {
    const promised = new PromisedOrders(() => undefined);
    const [first, second] = [orderOf(), orderOf()].map((order) => created(order));
    promise(promised, first!, second!);
    promised.left({ kind: 'create-orders', orders: [first!.approved] });
    expect(promised.of(HERE)).toEqual([second!.approved]);
    expect(promised.of(THERE)).toEqual([]);
    expect(countOf(promised)).toBe(1);
  });

  it('are told apart from replacements by what leaves', () => {
    const promised = new PromisedOrders(() => undefined);
    const order = orderOf({ marketId: THERE });
    const replacement = replacing(order);
    promise(promised, replacement);
    promised.left({ kind: 'cancel-orders', orderIds: [orderId(7)] });
    expect(promised.of(THERE)).toEqual([order]);
    promised.left({ kind: 'replace-orders', replacements: [replacement.approved] });
    expect(countOf(promised)).toBe(0);
  });

  it('leave one by one, in any order', () => {
    const promised = new PromisedOrders(() => undefined);
    const orders = [1, 2, 4, 8].map((lot) => orderOf({ price: priceUnits(100), shares: shares(lot) }));
    const creates = orders.map((order) => created(order));
    const sums = () => [countOf(promised), promised.in(HERE).bid, promised.locked, promised.claimed];
    promise(promised, ...creates);
    expect(sums()).toEqual([4, 15, 1_500, 1_500]);
    promised.left({ kind: 'create-orders', orders: [creates[0]!.approved, creates[2]!.approved] });
    expect(promised.of(HERE)).toEqual([orders[1], orders[3]]);
    expect(sums()).toEqual([2, 10, 1_000, 1_000]);
    promised.left({ kind: 'create-orders', orders: [creates[3]!.approved, creates[1]!.approved] });
    expect(sums()).toEqual([0, 0, 0, 0]);
  });

  it('leave with those that were in their places, which have locked a part of the cash', () => {
    const promised = new PromisedOrders(() => undefined);
    const orders = [500, 600, 700].map((price) => orderOf({ price: priceUnits(price), shares: shares(10) }));
    const replacements = [replacing(orders[0]!, 4_000), replacing(orders[1]!, 9_000)];
    const create = created(orders[2]!);
    promise(promised, ...replacements, create);
    expect([countOf(promised), promised.locked, promised.claimed]).toEqual([3, 18_000, 8_000]);
    promised.left({ kind: 'replace-orders', replacements: [replacements[0]!.approved] });
    expect([countOf(promised), promised.locked, promised.claimed]).toEqual([2, 13_000, 7_000]);
    expect(promised.of(HERE)).toEqual(orders.slice(1));
    promised.left({ kind: 'create-orders', orders: [create.approved] });
    expect([countOf(promised), promised.locked, promised.claimed]).toEqual([1, 6_000, 0]);
    promised.left({ kind: 'replace-orders', replacements: [replacements[1]!.approved] });
    expect([countOf(promised), promised.locked, promised.claimed]).toEqual([0, 0, 0]);
  });

  it('keep what they lock by the fees of their approval when a part of them leaves', () => {
    const promised = new PromisedOrders(() => undefined);
    const dear = riskView({ terms: () => riskTerms({ lockedFee: 500, fee: money(500) }) });
    const creates = [1, 2].map((lots) =>
      created(orderOf({ price: priceUnits(100), shares: shares(lots * 100) }), { ...gate, view: dear }),
    );
    promise(promised, ...creates);
    expect(promised.locked).toBe(31_500);
    promised.left({ kind: 'create-orders', orders: [creates[0]!.approved] });
    expect(promised.locked).toBe(21_000);
  });

  it('are forgotten when their market is planned anew, and only there', () => {
    const promised = new PromisedOrders(() => undefined);
    const [here, there] = [orderOf(), orderOf({ marketId: THERE })];
    promise(promised, created(here), created(there));
    promised.forget(HERE);
    expect(promised.of(HERE)).toEqual([]);
    expect(promised.of(THERE)).toEqual([there]);
  });

  it('lock cash while they wait, and their market is told of as they go', () => {
    const told: MarketId[] = [];
    const promised = new PromisedOrders((market) => void told.push(market));
    const there = created(orderOf({ marketId: THERE }));
    promise(promised, replacing(orderOf(), 800_000), there);
    expect([promised.locked, promised.claimed]).toEqual([9_600_000, 8_800_000]);
    promised.left({ kind: 'create-orders', orders: [there.approved] });
    promised.forget(HERE);
    expect([promised.locked, promised.claimed]).toEqual([0, 0]);
    expect(told).toEqual([THERE, HERE]);
  });
});
