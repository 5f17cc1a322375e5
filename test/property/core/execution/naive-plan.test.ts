import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import type { Money, PriceUnits, Shares } from '../../../../src/domain/units.js';
import type { OwnOrder } from '../../../../src/core/execution/orders/own-order.js';
import { found } from '../../../../src/core/execution/orders/order-changes.js';
import { reconcile } from '../../../../src/core/execution/planning/reconcile.js';
import { cash, marketTerms } from '../../../support/orders/market-terms.js';
import { naivePlan } from '../../../support/orders/naive-plan.js';
import { EVENT, limitOrder } from '../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../support/orders/own-order-reports.js';

/** One quote of the long side, expressed in one of the two ways. */
const quote = (side: 'bid' | 'ask', cents: number, whole: number, isDirect: boolean): LimitOrder =>
  isDirect
    ? limitOrder(cents, whole, { side })
    : limitOrder(100 - cents, whole, { side: side === 'bid' ? 'ask' : 'bid', position: 'short' });

/** So many cents from the centre, nearest first; of the same price several. */
const levels = fc
  .array(fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 4 }), fc.boolean()), { maxLength: 6 })
  .map((all) => all.toSorted(([a], [b]) => a - b));

const ladder = fc
  .tuple(fc.integer({ min: 45, max: 55 }), levels, levels, fc.constantFrom(null, ms(130_000)))
  .map(([centre, bids, asks, expiresAt]) =>
    [
      ...bids.map(([depth, whole, isDirect]) => quote('bid', centre - 1 - depth, whole, isDirect)),
      ...asks.map(([depth, whole, isDirect]) => quote('ask', centre + 1 + depth, whole, isDirect)),
    ].map((order) => ({ ...order, expiresAt })),
  );

const told = fc.record({
  state: fc.constantFrom('live', 'live', 'live', 'creating', 'updating', 'cancelling', 'unknown'),
  stage: fc.constantFrom('open', 'open', 'open', 'processing'),
  ownership: fc.constantFrom('ours', 'ours', 'ours', 'foreign'),
  failedCancels: fc.nat(1),
  bornAt: fc.integer({ min: 0, max: 1_000 }).map(ms),
  expiresAt: fc.constantFrom(null, null, ms(130_000), ms(60_000)),
  fillsUnknownSince: fc.constantFrom(null, null, null, ms(-5_000), ms(900)),
});

/** An order of the account in whatever state, near enough to meet the ladder; now and then without an id, or partly filled. */
const standing = fc
  .record({
    side: fc.constantFrom('bid' as const, 'ask' as const),
    cents: fc.integer({ min: 40, max: 60 }),
    whole: fc.integer({ min: 1, max: 4 }),
    isDirect: fc.boolean(),
    currency: fc.constantFrom('OOM' as const, 'OOM' as const, 'OOM' as const, 'USD' as const),
    isNamed: fc.boolean(),
    half: fc.constantFrom(0, 0, 0, 50),
    told,
  })
  .map(({ side, cents, whole, isDirect, currency, isNamed, half, told: state }): OwnOrder => {
    const order = { ...quote(side, cents, whole, isDirect), currency };
    const tracked = found(reportOf(order, 5), EVENT, 'ours', { serial: cents, at: ms(0) });
    const left = { filled: half, remaining: order.shares - half };
    const id = isNamed ? {} : { orderId: null };
    const stage = half > 0 ? { stage: 'partial' } : {};
    return Object.assign(tracked, state, left, id, stage);
  });

const tolerance = fc.constantFrom(0, 0, 100, 200);
const policy = fc.record({
  shyUnits: tolerance,
  boldUnits: tolerance,
  missingShares: tolerance,
  excessShares: tolerance,
  minRestMs: fc.constantFrom(0, 0, 500),
  update: fc.constantFrom(true, true, false),
});

const market = fc
  .record({
    cash: fc.constantFrom(0, 2, 1_000),
    long: fc.nat(500),
    short: fc.nat(500),
    fair: fc.option(fc.integer({ min: 4_000, max: 6_000 })),
    takerFee: fc.constantFrom(0, 7_000),
  })
  .map(({ cash: units, long, short, fair, takerFee }) => ({
    terms: marketTerms({ takerFee: takerFee as Money }),
    free: { cash: cash(units), long: long as Shares, short: short as Shares },
    fair: fair as PriceUnits | null,
    now: ms(1_000),
    venueNow: ms(1_000),
  }));

describe('a plan', () => {
  it('is the one that going through all orders at every step leads to, whatever was planned before', () => {
    fc.assert(
      fc.property(
        ladder,
        fc.array(standing, { maxLength: 12 }),
        market,
        policy,
        (desired, working, at, how) => {
          expect(reconcile(desired, working, at, how)).toEqual(naivePlan(desired, working, at, how));
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
