import { describe, expect, it } from 'vitest';
import { type MarketId, marketId, orderId } from '../../../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../../../src/domain/units.js';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import { type Promises, PromisedOrders } from '../../../../../src/core/engine/accounting/promised-orders.js';
import {
  approveOrder,
  approveReplacement,
  KillSwitch,
  Proposal,
} from '../../../../../src/core/risk/index.js';
import { orderOf, reckoningOf, riskView } from '../../../../support/bot/risk-view.js';

const HERE = marketId(2231);
const THERE = marketId(2232);
const reckoning = reckoningOf();
const NOTHING = { items: [], replacements: [], creates: [], span: null, reckoning };

/** Promises orders of one market as they are together. */
const promise = (promised: PromisedOrders, promises: Partial<Promises>): void => {
  const all = { ...NOTHING, ...promises };
  const [first = all.replacements[0]!.to] = all.creates;
  promised.add(promised.in(first.marketId), all, new Proposal().read(all, reckoning));
};
const gate = { rules: [], view: riskView(), killSwitch: new KillSwitch(), proposal: new Proposal() };

const approved = (order: LimitOrder) => {
  const verdict = approveOrder(order, gate);
  if (!verdict.ok) throw new Error(verdict.refusal.text);
  return verdict.approved;
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
const replacing = (order: LimitOrder) => {
  const verdict = approveReplacement(order, standing(0), gate);
  if (!verdict.ok) throw new Error(verdict.refusal.text);
  return verdict.approved;
};

describe('orders that passed the gate and have not left', () => {
  it('count in their market until they leave', () => {
    const promised = new PromisedOrders(() => undefined);
    const [first, second] = [orderOf(), orderOf()];
    promise(promised, { creates: [approved(first)] });
    promise(promised, { creates: [approved(second)] });
    promised.left({ kind: 'create-orders', orders: [approved(first)] });
    expect([...promised.of(HERE)]).toEqual([second]);
    expect([...promised.of(THERE)]).toEqual([]);
    expect(promised.count).toBe(1);
  });

  it('are told apart from replacements by what leaves', () => {
    const promised = new PromisedOrders(() => undefined);
    const order = orderOf({ marketId: THERE });
    const item = replacing(order);
    promise(promised, { items: [item], replacements: [{ order: standing(0), to: order }] });
    promised.left({ kind: 'cancel-orders', orderIds: [orderId(7)] });
    expect([...promised.of(THERE)]).toEqual([order]);
    promised.left({ kind: 'replace-orders', replacements: [item] });
    expect(promised.count).toBe(0);
  });

  it('of a plan that passed at once leave one by one, in any order', () => {
    const promised = new PromisedOrders(() => undefined);
    const orders = [1, 2, 4, 8].map((lot) => orderOf({ price: priceUnits(100), shares: shares(lot) }));
    const creates = orders.map(approved);
    const here = promised.in(HERE);
    promise(promised, { creates });
    expect([promised.count, here.bid, promised.locked, promised.claimed]).toEqual([4, 15, 1_500, 1_500]);
    promised.left({ kind: 'create-orders', orders: [creates[0]!, creates[2]!] });
    expect([...promised.of(HERE)]).toEqual([orders[1], orders[3]]);
    expect([promised.count, here.bid, promised.locked, promised.claimed]).toEqual([2, 10, 1_000, 1_000]);
    expect(creates).toHaveLength(4);
    promised.left({ kind: 'create-orders', orders: [creates[3]!, creates[1]!] });
    expect([promised.count, here.bid, promised.locked, promised.claimed]).toEqual([0, 0, 0, 0]);
  });

  it('leave with those that were in their places, which have locked a part of the cash', () => {
    const promised = new PromisedOrders(() => undefined);
    const orders = [500, 600, 700].map((price) => orderOf({ price: priceUnits(price), shares: shares(10) }));
    const items = orders.slice(0, 2).map(replacing);
    const replacements = [4_000, 9_000].map((lock, index) => ({
      order: standing(lock),
      to: orders[index]!,
    }));
    const creates = [approved(orders[2]!)];
    promise(promised, { items, replacements, creates });
    expect([promised.count, promised.locked, promised.claimed]).toEqual([3, 18_000, 8_000]);
    promised.left({ kind: 'replace-orders', replacements: [items[0]!] });
    expect([promised.count, promised.locked, promised.claimed]).toEqual([2, 13_000, 7_000]);
    expect([...promised.of(HERE)]).toEqual(orders.slice(1));
    promised.left({ kind: 'create-orders', orders: creates });
    expect([promised.count, promised.locked, promised.claimed]).toEqual([1, 6_000, 0]);
    promised.left({ kind: 'replace-orders', replacements: [items[1]!] });
    expect([promised.count, promised.locked, promised.claimed]).toEqual([0, 0, 0]);
  });

  it('keep what they lock by the fees of their approval when a part of them leaves', () => {
    const promised = new PromisedOrders(() => undefined);
    const creates = [1, 2].map((lots) =>
      approved(orderOf({ price: priceUnits(100), shares: shares(lots * 100) })),
    );
    const dear = reckoningOf({ lockedFee: 500, fee: money(500) });
    const all = { ...NOTHING, creates, reckoning: dear };
    promised.add(promised.in(HERE), all, new Proposal().read(all, dear));
    expect(promised.locked).toBe(31_500);
    promised.left({ kind: 'create-orders', orders: [creates[0]!] });
    expect(promised.locked).toBe(21_000);
  });

  it('tell where they lie as long as an update is all of a plan as it passed', () => {
    const promised = new PromisedOrders(() => undefined);
    const orders = [500, 600].map((price) => orderOf({ price: priceUnits(price) }));
    const items = orders.map(replacing);
    const replacements = orders.map((to) => ({ order: standing(0), to }));
    const span = new Proposal().read({ replacements, creates: [] }, reckoning).spanOn(100);
    promise(promised, { items, replacements, span });
    expect(promised.spanOf(items)).toEqual({
      lowestLong: 500,
      highestLong: 600,
      highestBid: 600,
      lowestAsk: 10_000,
      sells: false,
      tickUnits: 100,
    });
    expect(promised.spanOf([...items])).toBeNull();
    promised.left({ kind: 'replace-orders', replacements: items.slice(1) });
    expect(promised.spanOf(items)).toBeNull();
    promise(promised, { items: items.slice(1), replacements: replacements.slice(1), span });
    expect(promised.spanOf(items)).toBeNull();
  });

  it('are forgotten when their market is planned anew, and only there', () => {
    const promised = new PromisedOrders(() => undefined);
    const [here, there] = [orderOf(), orderOf({ marketId: THERE })];
    promise(promised, { creates: [approved(here)] });
    promise(promised, { creates: [approved(there)] });
    promised.forget(HERE);
    expect([...promised.of(HERE)]).toEqual([]);
    expect([...promised.of(THERE)]).toEqual([there]);
  });

  it('lock cash while they wait, and their market is told of as they go', () => {
    const told: MarketId[] = [];
    const promised = new PromisedOrders((market) => void told.push(market));
    const [here, there] = [orderOf(), orderOf({ marketId: THERE })];
    const replacements = [{ order: standing(800_000), to: here }];
    promise(promised, { items: [replacing(here)], replacements });
    const creates = [approved(there)];
    promise(promised, { creates });
    expect([promised.locked, promised.claimed]).toEqual([9_600_000, 8_800_000]);
    promised.left({ kind: 'create-orders', orders: [approved(there)] });
    promised.forget(HERE);
    expect([promised.locked, promised.claimed]).toEqual([0, 0]);
    expect(told).toEqual([THERE, HERE]);
  });
});
