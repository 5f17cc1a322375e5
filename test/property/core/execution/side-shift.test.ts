import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import type { Money, PriceUnits, Shares } from '../../../../src/domain/units.js';
import type { OwnOrder } from '../../../../src/core/execution/orders/own-order.js';
import { found } from '../../../../src/core/execution/orders/order-changes.js';
import { PlanDraft } from '../../../../src/core/execution/planning/plan-draft.js';
import { shiftSides } from '../../../../src/core/execution/planning/side-shift.js';
import { marketTerms } from '../../../support/orders/market-terms.js';
import { naivePlan } from '../../../support/orders/naive-plan.js';
import { EVENT, limitOrder } from '../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../support/orders/own-order-reports.js';

/** Now and then something that is not plain. */
const mostly = <Value>(plain: Value, ...others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.nat(150).map((one) => others[one] ?? plain);

/** A purchase on one side of the book, at a price of what is bought. */
const purchase = (isBid: boolean, cents: number, whole: number): LimitOrder =>
  limitOrder(cents, whole, { position: isBid ? 'long' : 'short' });

/** Levels of one side, in any order: depth behind the best one, and whole shares, mostly the same. */
const levels = (size: number, whole: number) =>
  fc.tuple(
    fc.array(mostly(1, 0, 2, 3), { minLength: size, maxLength: size }),
    fc.array(mostly(whole, 1, 3), { minLength: size, maxLength: size }),
  );

const told = fc.record({
  state: mostly('live', 'creating', 'updating', 'cancelling', 'unknown'),
  stage: mostly('open', 'processing', 'partial'),
  ownership: mostly('ours', 'foreign'),
  currency: mostly('OOM' as const, 'USD' as const),
  side: mostly('bid' as const, 'ask' as const),
  bornAt: fc.integer({ min: 0, max: 700 }).map(ms),
  filled: mostly(0, 50),
});

function workingOrder(isBid: boolean, cents: number, whole: number, state: Partial<OwnOrder>): OwnOrder {
  const { side = 'bid', currency = 'OOM', ...rest } = state;
  // A sale of the other position stands on the same side.
  const order = side === 'bid' ? purchase(isBid, cents, whole) : saleAt(isBid, 100 - cents, whole);
  const tracked = found(reportOf({ ...order, currency }, 5), EVENT, 'ours', { serial: cents, at: ms(0) });
  return Object.assign(tracked, rest);
}

const saleAt = (isBid: boolean, cents: number, whole: number): LimitOrder =>
  limitOrder(cents, whole, { side: 'ask', position: isBid ? 'short' : 'long' });

/** One side: what stands around one price in any order of age, and what is desired around another, the best first. */
const side = (isBid: boolean) =>
  fc
    .record({ size: fc.nat(4), extra: mostly(0, 1, -1), whole: fc.integer({ min: 1, max: 3 }) })
    .chain(({ size, extra, whole }) => {
      const wanted = Math.max(0, size + extra);
      return fc.record({
        best: fc.integer({ min: 34, max: 47 }),
        moved: fc.constantFrom(-9, -7, -5, -4, -3, -1, 0, 2, 3, 4, 5, 7, 9),
        standing: levels(size, whole),
        told: fc.array(told, { minLength: size, maxLength: size }),
        ages: fc.array(fc.nat(), { minLength: size, maxLength: size }),
        desired: levels(wanted, whole),
        isSale: mostly(false, true),
      });
    })
    .map(({ best, moved, standing, told: states, ages, desired, isSale }) => {
      const pricesFrom = (from: number, steps: readonly number[]) => {
        let cents = from + 1;
        return steps.map((step) => (cents -= step));
      };
      const working = pricesFrom(best, standing[0]).map((cents, at) => ({
        age: ages[at]!,
        order: workingOrder(isBid, cents, standing[1][at]!, states[at] as Partial<OwnOrder>),
      }));
      const wanted = pricesFrom(best + moved, desired[0]).map((cents, at) =>
        isSale ? saleAt(isBid, 100 - cents, desired[1][at]!) : purchase(isBid, cents, desired[1][at]!),
      );
      return { working, wanted };
    });

const source = fc
  .record({
    bids: side(true),
    asks: side(false),
    expiresAt: mostly(null, ms(130_000)),
    units: fc.constantFrom(0, 500_000, 1e9, 1e9, 1e9),
    takerFee: fc.constantFrom(0, 7_003),
    fair: fc.option(fc.integer({ min: 4_000, max: 6_000 })),
    tolerance: mostly(0, 100, 200),
    minRestMs: fc.constantFrom(0, 0, 0, 500),
    update: mostly(true, false),
  })
  .map(({ bids, asks, expiresAt, units, takerFee, fair, tolerance, minRestMs, update }) => ({
    desired: [...bids.wanted, ...asks.wanted].map((order) => ({ ...order, expiresAt })),
    working: [...bids.working, ...asks.working].toSorted((a, b) => a.age - b.age).map(({ order }) => order),
    market: {
      terms: marketTerms({ takerFee: takerFee as Money }),
      free: { cash: units as Money, long: 0 as Shares, short: 0 as Shares },
      fair: fair as PriceUnits | null,
      now: ms(1_000),
      venueNow: ms(1_000),
    },
    policy: {
      shyUnits: tolerance,
      boldUnits: tolerance,
      missingShares: tolerance,
      excessShares: tolerance,
      minRestMs,
      update,
    },
  }));

describe('a quote whose sides move as a whole', () => {
  it('is moved as if each order were looked at by itself', () => {
    const draft = new PlanDraft();
    let several = 0;
    fc.assert(
      fc.property(source, (one) => {
        const shifted = shiftSides(one);
        if (shifted === null) return;
        if (shifted.replacements.length > 2) several += 1;
        const { desired, working, market, policy } = one;
        expect(shifted).toEqual(draft.plan(one));
        expect(shifted).toEqual(naivePlan(desired, working, market, policy));
        // The very same orders, and not only equal ones.
        const moves = draft.plan(one).replacements;
        expect(shifted.replacements.every(({ to }, at) => to === moves[at]!.to)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
    expect(several).toBeGreaterThan(500);
  });
});
