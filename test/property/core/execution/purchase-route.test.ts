import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuoteLevel } from '../../../../src/domain/intent.js';
import { type Money, type PriceUnits, type Shares, ticks } from '../../../../src/domain/units.js';
import type { OwnOrder } from '../../../../src/core/execution/orders/own-order.js';
import { found } from '../../../../src/core/execution/orders/order-changes.js';
import { routeLegs, type RouteSource } from '../../../../src/core/execution/planning/leg-route.js';
import { routePurchases } from '../../../../src/core/execution/planning/purchase-route.js';
import { StandingSides } from '../../../../src/core/execution/planning/standing.js';
import type { Touch } from '../../../../src/core/execution/planning/touch.js';
import { cash, marketTerms } from '../../../support/orders/market-terms.js';
import { EVENT, limitOrder } from '../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../support/orders/own-order-reports.js';

const whole = fc.constantFrom(0, 1, 1, 2, 2, 2, 3, 3, 4).map((units) => (units * 100) as Shares);

/** So many cents from the centre, nearest first; now and then two at one price. */
const levels = (sign: 1 | -1) =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 20 }), whole), { maxLength: 4 })
    .map((all): readonly QuoteLevel[] =>
      all
        .toSorted(([a], [b]) => a - b)
        .map(([depth, shares]) => ({ price: ticks(50 + sign * depth), shares, reason: [] })),
    );

/** An order of a side of the book, mostly one of ours that may go on standing for a purchase. */
const standing = fc
  .record({
    side: fc.constantFrom('bid' as const, 'ask' as const),
    depth: fc.integer({ min: 1, max: 20 }),
    units: fc.integer({ min: 1, max: 3 }),
    isPurchase: fc.constantFrom(true, true, true, true, false),
    currency: fc.constantFrom('OOM' as const, 'OOM' as const, 'OOM' as const, 'USD' as const),
    state: fc.constantFrom('live', 'live', 'live', 'creating', 'cancelling', 'unknown'),
    ownership: fc.constantFrom('ours', 'ours', 'ours', 'foreign'),
  })
  .map(({ side, depth, units, isPurchase, currency, state, ownership }): OwnOrder => {
    const position = (side === 'bid') === isPurchase ? 'long' : 'short';
    const longCents = side === 'bid' ? 50 - depth : 50 + depth;
    const order = limitOrder(position === 'long' ? longCents : 100 - longCents, units, {
      side: isPurchase ? 'bid' : 'ask',
      position,
    });
    const tracked = found(reportOf({ ...order, currency }, 5), EVENT, 'ours', { serial: 1, at: ms(0) });
    return Object.assign(tracked, { state, ownership });
  });

const touch = fc.option(
  fc
    .tuple(fc.integer({ min: 30, max: 52 }), fc.integer({ min: 48, max: 70 }))
    .map(([bid, ask]): Touch => ({ bid: (bid * 100) as PriceUnits, ask: (ask * 100) as PriceUnits })),
);

const source = fc
  .record({
    bids: levels(-1),
    asks: levels(1),
    touch,
    orders: fc.array(standing, { maxLength: 10 }),
    missingShares: fc.constantFrom(0, 100),
    sellFirst: fc.boolean(),
    units: fc.constantFrom(3, 1_000, 1_000),
    long: fc.constantFrom(0, 0, 0, 250),
    short: fc.constantFrom(0, 0, 0, 250),
  })
  .map(({ bids, asks, orders, missingShares, units, long, short, ...common }): RouteSource => {
    const stands = new StandingSides();
    stands.read('OOM', { orders, missingShares });
    const held = { long: long as Shares, short: short as Shares };
    return {
      bids: { levels: bids, side: 'bid', held: held.short, standing: stands.bids, ...common },
      asks: { levels: asks, side: 'ask', held: held.long, standing: stands.asks, ...common },
      funds: { cash: cash(units), ...held },
      fair: null,
    };
  });

const terms = fc
  .record({
    minAmount: fc.constantFrom(0, 10_000, 400_000),
    maxAmount: fc.constantFrom(2_000_000, 1e12, 1e12),
    takerFee: fc.constantFrom(0, 7_003),
  })
  .map((amounts) => marketTerms(amounts as Record<keyof typeof amounts, Money>));

describe('an intent that purchases alone express', () => {
  it('is routed as it is when its levels are split into legs', () => {
    let several = 0;
    fc.assert(
      fc.property(source, terms, (wanted, at) => {
        const routed = routePurchases(wanted, at);
        if (routed === null) return;
        if (routed.orders.length > 1) several += 1;
        expect(routed).toEqual(routeLegs(wanted, at));
      }),
      { numRuns: 5_000 },
    );
    expect(several).toBeGreaterThan(500);
  });
});
