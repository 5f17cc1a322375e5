import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LockedCash } from '../../../../src/core/execution/orders/locked-cash.js';
import { termsOf } from '../../../support/orders/desk-world.js';
import type { OwnOrder } from '../../../../src/core/execution/orders/own-order.js';
import {
  type Delivery,
  type Fate,
  limitOrder,
  MARKET,
  OrderScenario,
  type Step,
} from '../../../support/orders/order-scenario.js';

const fate = (faulty: boolean): fc.Arbitrary<Fate> =>
  faulty
    ? fc.constantFrom<Fate>('answered', 'answered', 'lost-before', 'lost-after')
    : fc.constant('answered');

/** Bids only: what own orders may do to each other is another property. */
const order = fc
  .tuple(fc.integer({ min: 40, max: 44 }), fc.integer({ min: 1, max: 3 }))
  .map(([cents, whole]) => limitOrder(cents, whole));

const stepWith = (faulty: boolean): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('create' as const),
      orders: fc.array(order, { minLength: 1, maxLength: 3 }),
      fate: fate(faulty),
    }),
    fc.record({
      kind: fc.constant('replace' as const),
      pick: fc.nat(9),
      cents: fc.integer({ min: 40, max: 44 }),
      fate: fate(faulty),
    }),
    fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(9), fate: fate(faulty) }),
    fc.record({
      kind: fc.constant('fill' as const),
      pick: fc.nat(9),
      whole: fc.integer({ min: 1, max: 2 }),
      better: fc.constantFrom(0, 0, 100),
    }),
    fc.record({
      kind: fc.constant('end' as const),
      pick: fc.nat(9),
      how: fc.constantFrom('canceled' as const, 'expired' as const),
    }),
    ...(faulty ? [fc.record({ kind: fc.constant('cancel-scope' as const), fate: fate(true) })] : []),
  );

const deliveries = (leastCopies: number): fc.Arbitrary<Delivery[]> =>
  fc.array(fc.record({ delay: fc.nat(12), copies: fc.integer({ min: leastCopies, max: 3 }) }), {
    minLength: 1,
    maxLength: 25,
  });

const script = (faulty: boolean): fc.Arbitrary<Step[]> =>
  fc.array(stepWith(faulty), { minLength: 1, maxLength: 14 });

function played(steps: readonly Step[], deliveriesInTurn: readonly Delivery[]): OrderScenario {
  const scenario = new OrderScenario(deliveriesInTurn);
  for (const step of steps) scenario.play(step);
  return scenario;
}

const all = ({ orders }: OrderScenario): OwnOrder[] => {
  const { working, ended } = orders.own(MARKET);
  return [...working, ...ended];
};

/** Everything about an order that must not depend on how messages travelled. */
const named = (scenario: OrderScenario) =>
  all(scenario)
    .filter((o) => o.orderId !== null)
    .map(({ orderId, state, ending, stage, filled, amount, requested, price }) => ({
      orderId,
      state,
      ending,
      stage,
      filled,
      amount,
      requested,
      price,
    }))
    .sort((a, b) => Number(a.orderId) - Number(b.orderId));

function fillsOf({ news }: OrderScenario): Map<number, { shares: number; amount: number }> {
  const sums = new Map<number, { shares: number; amount: number }>();
  for (const item of news) {
    if (item.kind !== 'filled') continue;
    const sum = sums.get(Number(item.fill.orderId)) ?? { shares: 0, amount: 0 };
    sum.shares += item.fill.shares;
    sum.amount += item.fill.amount;
    sums.set(Number(item.fill.orderId), sum);
  }
  return sums;
}

const workingIds = (orders: readonly { orderId: string | null }[]): (string | null)[] =>
  orders.map(({ orderId }) => orderId).sort((a, b) => Number(a) - Number(b));

describe('messages about own orders', () => {
  // Requests are aimed at what is live by our own account, which messages on the way change: scripts without
  // aimed requests leave the same requests in every run.
  const unaimed = script(false).map((steps) =>
    steps.filter(({ kind }) => kind !== 'replace' && kind !== 'cancel'),
  );

  it('end in the same orders whatever their order and however often they come', () => {
    fc.assert(
      fc.property(unaimed, deliveries(1), (steps, shuffled) => {
        const straight = played(steps, []);
        const mixed = played(steps, shuffled);
        straight.flush();
        mixed.flush();
        expect(named(mixed)).toEqual(named(straight));
        expect(fillsOf(mixed)).toEqual(fillsOf(straight));
      }),
      { numRuns: 500 },
    );
  });

  it('bring every share the venue filled exactly once, at what it cost', () => {
    fc.assert(
      fc.property(script(true), deliveries(1), (steps, shuffled) => {
        const scenario = played(steps, shuffled);
        scenario.settle();
        const fills = fillsOf(scenario);
        for (const truth of scenario.venue.everyOrder()) {
          const sum = fills.get(Number(truth.orderId)) ?? { shares: 0, amount: 0 };
          expect(sum.shares).toBe(truth.filled);
          const amount = (truth.averageFillPrice ?? 0) * 10_000 * truth.filled!;
          expect(sum.amount).toBeCloseTo(amount, 3);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leave no order untracked and none imagined once the venue was asked', () => {
    fc.assert(
      fc.property(script(true), deliveries(0), (steps, lossy) => {
        const scenario = played(steps, lossy);
        scenario.settle();
        const { working } = scenario.orders.own(MARKET);
        const truth = scenario.venue.working();
        expect(workingIds(working)).toEqual(workingIds(truth));
        expect(working.map(({ state }) => state)).toEqual(working.map(() => 'live'));
      }),
      { numRuns: 500 },
    );
  });

  it('never let an order that stands at the venue go uncounted', () => {
    fc.assert(
      fc.property(script(true), deliveries(0), (steps, lossy) => {
        const scenario = new OrderScenario(lossy);
        for (const step of steps) {
          scenario.play(step);
          const counted = scenario.orders.own(MARKET).working;
          for (const truth of scenario.venue.working()) {
            const covered = counted.some(
              (o) => o.orderId === truth.orderId || (o.orderId === null && o.price === truth.price),
            );
            expect(covered).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keep the sum of what working orders lock in step with the orders', () => {
    const lockOf = ({ side, price, remaining }: OwnOrder): number => (side === 'bid' ? price * remaining : 0);
    fc.assert(
      fc.property(script(true), deliveries(0), fc.nat(14), (steps, lossy, readAfter) => {
        const scenario = new OrderScenario(lossy);
        const locked = new LockedCash(scenario.orders, () => termsOf(MARKET));
        let asOf = scenario.now;
        const compare = (): void => {
          const { working } = scenario.orders.own(MARKET);
          const sum = (orders: readonly OwnOrder[]) => orders.reduce((all, order) => all + lockOf(order), 0);
          expect(locked.of(MARKET)).toBe(sum(working));
          expect(locked.all).toBe(sum(working));
          // What renews an order that the balance knew of locks nothing that the balance did not know of.
          const unknown = working.filter(({ lockKnownAt }) => lockKnownAt === null || lockKnownAt > asOf);
          expect(locked.since(asOf)).toBe(sum(unknown));
          const unclear = unknown.some(
            (one) => one.lockKnownAt !== null && one.bornAt <= asOf && lockOf(one) > 0,
          );
          expect(locked.isUnclear(asOf)).toBe(unclear);
        };
        scenario.underWay = compare;
        for (const [at, step] of steps.entries()) {
          scenario.play(step);
          if (at === readAfter) asOf = scenario.now;
          compare();
        }
      }),
      { numRuns: 300 },
    );
  });
});
