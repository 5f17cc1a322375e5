import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../../../src/domain/errors.js';
import type { QuoteIntent } from '../../../../../src/domain/intent.js';
import type { LimitOrder } from '../../../../../src/domain/orders.js';
import { type Money, type PriceUnits, type Shares, ticks } from '../../../../../src/domain/units.js';
import { lockOf } from '../../../../../src/core/execution/planning/market-terms.js';
import type { OwnOrder } from '../../../../../src/core/execution/orders/own-order.js';
import { found } from '../../../../../src/core/execution/orders/tracked-order.js';
import { route, type RoutePolicy } from '../../../../../src/core/execution/planning/route.js';
import type { Touch } from '../../../../../src/core/execution/planning/touch.js';
import { cash, marketTerms } from '../../../../support/orders/market-terms.js';
import { EVENT, limitOrder, MARKET } from '../../../../support/orders/order-scenario.js';
import { ms, reportOf } from '../../../../support/orders/own-order-reports.js';

const intent = (bids: [number, number][], asks: [number, number][]): QuoteIntent => {
  const level = ([cents, whole]: [number, number]) => ({
    price: ticks(cents),
    shares: Math.round(whole * 100) as Shares,
    reason: [],
  });
  return { marketId: MARKET, bids: bids.map(level), asks: asks.map(level) };
};
const funds = (units: number, long = 0, short = 0) => ({
  cash: cash(units),
  long: (long * 100) as Shares,
  short: (short * 100) as Shares,
});
const HELD_FIRST: RoutePolicy = { order: 'held-first', fair: null };
const COLLATERAL_FIRST: RoutePolicy = { order: 'collateral-first', fair: null };

const words = (orders: readonly LimitOrder[]): string[] =>
  orders.map((o) => `${o.side} ${o.position} ${o.shares / 100} at ${o.price / 10_000}`);

/** An order that stands at the venue. */
const standing = (order: LimitOrder, remaining = order.shares): OwnOrder => {
  const tracked = found(reportOf(order, 5), EVENT, 'ours', { serial: 1, at: ms(0) });
  return Object.assign(tracked, { remaining });
};

describe('routing an intent', () => {
  it('buys where nothing is held: long for a bid, short at the complement for an ask', () => {
    const { orders } = route(intent([[48, 10]], [[52, 10]]), funds(100), marketTerms(), HELD_FIRST);
    expect(words(orders)).toEqual(['bid long 10 at 0.48', 'bid short 10 at 0.48']);
  });

  it('sells held long shares first and buys short for the rest', () => {
    const { orders } = route(intent([], [[52, 10]]), funds(100, 4), marketTerms(), HELD_FIRST);
    expect(words(orders)).toEqual(['ask long 4 at 0.52', 'bid short 6 at 0.48']);
  });

  it('bids by selling held short shares first', () => {
    const { orders } = route(intent([[48, 10]], []), funds(100, 0, 4), marketTerms(), HELD_FIRST);
    expect(words(orders)).toEqual(['ask short 4 at 0.52', 'bid long 6 at 0.48']);
  });

  it('gives the held shares to the nearest levels', () => {
    const wanted = intent(
      [],
      [
        [52, 3],
        [53, 3],
      ],
    );
    const { orders } = route(wanted, funds(100, 4), marketTerms(), HELD_FIRST);
    expect(words(orders)).toEqual(['ask long 3 at 0.52', 'ask long 1 at 0.53', 'bid short 2 at 0.47']);
  });

  it('keeps the holdings when collateral comes first, and sells them only for want of cash', () => {
    const wanted = intent([], [[50, 10]]);
    expect(words(route(wanted, funds(100, 10), marketTerms(), COLLATERAL_FIRST).orders)).toEqual([
      'bid short 10 at 0.5',
    ]);
    expect(words(route(wanted, funds(2, 10), marketTerms(), COLLATERAL_FIRST).orders)).toEqual([
      'ask long 6 at 0.5',
      'bid short 4 at 0.5',
    ]);
  });

  it('joins a part too small for an order to the other one', () => {
    const terms = marketTerms({ minAmount: cash(1) });
    expect(words(route(intent([], [[52, 10]]), funds(100, 1), terms, HELD_FIRST).orders)).toEqual([
      'bid short 10 at 0.48',
    ]);
    expect(words(route(intent([], [[52, 10]]), funds(100, 9), terms, HELD_FIRST).orders)).toEqual([
      'ask long 9 at 0.52',
    ]);
  });

  it('calls dust what no order can express', () => {
    const terms = marketTerms({ minAmount: cash(1) });
    const { orders, unrouted } = route(intent([[48, 1]], []), funds(100), terms, HELD_FIRST);
    expect(orders).toEqual([]);
    expect(unrouted).toEqual([{ side: 'bid', price: 4_800, shares: 100, reason: 'dust' }]);
  });

  it('cuts a level at the most one order may amount to', () => {
    const terms = marketTerms({ maxAmount: cash(5) });
    const { orders, unrouted } = route(intent([[50, 30]], []), funds(100), terms, HELD_FIRST);
    expect(words(orders)).toEqual(['bid long 10 at 0.5']);
    expect(unrouted).toEqual([{ side: 'bid', price: 5_000, shares: 2_000, reason: 'over-maximum' }]);
  });

  it('gives scarce cash to the nearest quotes while nobody knows a fair value', () => {
    const wanted = intent(
      [
        [50, 10],
        [40, 10],
      ],
      [],
    );
    const { orders, unrouted } = route(wanted, funds(7), marketTerms(), HELD_FIRST);
    expect(words(orders)).toEqual(['bid long 10 at 0.5', 'bid long 5 at 0.4']);
    expect(unrouted).toMatchObject([{ reason: 'cash', shares: 500 }]);
  });

  it('gives scarce cash to the most expected edge per unit locked', () => {
    const wanted = intent([[50, 10]], [[53, 10]]);
    const policy: RoutePolicy = { order: 'held-first', fair: 5_050 as PriceUnits };
    const { orders } = route(wanted, funds(5), marketTerms(), policy);
    expect(words(orders)).toEqual(['bid long 0.6 at 0.5', 'bid short 10 at 0.47']);
  });

  it('reserves the dearer fee with the cost', () => {
    const terms = marketTerms({ takerFee: 10_000 as Money });
    const { orders } = route(intent([[50, 10]], []), funds(5), terms, HELD_FIRST);
    const [order] = orders;
    expect(lockOf(order!.price, order!.shares, terms)).toBeLessThanOrEqual(cash(5));
    expect(order!.shares).toBe(980);
  });

  it('refuses an intent that crosses itself', () => {
    const crossed = intent([[52, 1]], [[52, 1]]);
    expect(() => route(crossed, funds(10), marketTerms(), HELD_FIRST)).toThrow(InvariantError);
  });

  it('leaves what stands in its place though the holdings would route it otherwise by now', () => {
    const orders = [standing(limitOrder(48, 10, { position: 'short' }))];
    const policy: RoutePolicy = { ...HELD_FIRST, standing: { orders, missingShares: 0, refillShare: 0 } };
    expect(words(route(intent([], [[52, 10]]), funds(100, 10), marketTerms(), policy).orders)).toEqual([
      'bid short 10 at 0.48',
    ]);
    expect(words(route(intent([], [[53, 10]]), funds(100, 10), marketTerms(), policy).orders)).toEqual([
      'ask long 10 at 0.53',
    ]);
  });

  it('tops up a partly filled order beside it, unless too little is missing', () => {
    const orders = [standing(limitOrder(48, 10), 700 as Shares)];
    const top = { ...HELD_FIRST, standing: { orders, missingShares: 0, refillShare: 0 } };
    expect(words(route(intent([[48, 10]], []), funds(100), marketTerms(), top).orders)).toEqual([
      'bid long 7 at 0.48',
      'bid long 3 at 0.48',
    ]);
    const leave = { ...HELD_FIRST, standing: { orders, missingShares: 300, refillShare: 0 } };
    expect(words(route(intent([[48, 10]], []), funds(100), marketTerms(), leave).orders)).toEqual([
      'bid long 7 at 0.48',
    ]);
  });

  describe('a quote that small takers fill', () => {
    const filled = (order: LimitOrder, remaining: number): OwnOrder => {
      const left = Math.round(remaining * 100);
      return Object.assign(standing(order, left as Shares), { filled: order.shares - left });
    };
    const laid = (held: number, ...orders: readonly OwnOrder[]): string[] => {
      const policy = { ...HELD_FIRST, standing: { orders, missingShares: 0, refillShare: 0.25 } };
      return words(route(intent([[48, 20]], []), funds(100, 0, held), marketTerms(), policy).orders);
    };
    const bid = limitOrder(48, 20);

    it('is put back once a share of it was filled, beside what is left', () => {
      expect(laid(0, filled(bid, 15.01))).toEqual(['bid long 15.01 at 0.48']);
      expect(laid(0, filled(bid, 15))).toEqual(['bid long 15 at 0.48', 'bid long 5 at 0.48']);
      expect(laid(8, filled(bid, 15))).toEqual(['bid long 15 at 0.48', 'ask short 5 at 0.52']);
    });

    it('is laid anew where more than two orders would stand at its price', () => {
      const two = [filled(bid, 10), standing(limitOrder(48, 5))];
      expect(laid(0, ...two)).toEqual(['bid long 20 at 0.48']);
      expect(laid(2, filled(bid, 15))).toEqual(['ask short 2 at 0.52', 'bid long 18 at 0.48']);
    });

    it('sells what is held of it and waits with the rest, where most of it is held', () => {
      expect(laid(4, filled(bid, 15))).toEqual(['bid long 15 at 0.48', 'ask short 4 at 0.52']);
    });

    it('is enlarged at once where the strategy wants more', () => {
      expect(laid(0, standing(limitOrder(48, 19)))).toEqual(['bid long 19 at 0.48', 'bid long 1 at 0.48']);
    });
  });

  it('keeps nothing that stands in another currency', () => {
    const orders = [standing(limitOrder(48, 7, { currency: 'USDC' }))];
    const policy = { ...HELD_FIRST, standing: { orders, missingShares: 0, refillShare: 0 } };
    const { orders: routed, stands } = route(intent([[48, 10]], []), funds(100), marketTerms(), policy);
    expect([words(routed), stands]).toEqual([['bid long 10 at 0.48'], false]);
  });

  describe('levels that would all take, and are moved to one price', () => {
    const touch = { bid: 4_500 as PriceUnits, ask: 4_700 as PriceUnits };
    const wanted = intent(
      [
        [50, 0.08],
        [49, 5],
        [48, 0.08],
        [40, 3],
      ],
      [],
    );

    it('are asked for in orders none of which is larger than one of them', () => {
      const { orders } = route(wanted, funds(100), marketTerms(), { ...HELD_FIRST, touch });
      expect(words(orders)).toEqual(['bid long 2.58 at 0.46', 'bid long 2.58 at 0.46', 'bid long 3 at 0.4']);
    });

    it('are met by what stands there, each order counted once', () => {
      const orders = [0.08, 0.08, 4.5].map((shares) => standing(limitOrder(46, shares)));
      const policy: RoutePolicy = {
        ...HELD_FIRST,
        touch,
        standing: { orders, missingShares: 0, refillShare: 0 },
      };
      const routed = route(wanted, funds(100), marketTerms(), policy);
      expect(words(routed.orders)).toEqual([
        'bid long 0.08 at 0.46',
        'bid long 0.08 at 0.46',
        'bid long 4.5 at 0.46',
        'bid long 0.5 at 0.46',
        'bid long 3 at 0.4',
      ]);
    });
  });

  it('moves a level that would take just behind the touch', () => {
    const touch = { bid: 4_800 as PriceUnits, ask: 5_000 as PriceUnits };
    const policy: RoutePolicy = { ...HELD_FIRST, touch };
    const wanted = intent([[51, 10]], [[52, 10]]);
    expect(words(route(wanted, funds(100), marketTerms(), policy).orders)).toEqual([
      'bid long 10 at 0.49',
      'bid short 10 at 0.48',
    ]);
  });

  const level = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 5_000 }));
  /** Up to all levels of a side are beyond it. */
  const touches = fc.option(
    fc
      .record({ bid: fc.integer({ min: 30, max: 69 }), width: fc.integer({ min: 1, max: 10 }) })
      .map(({ bid, width }) => ({ bid: bid * 100, ask: (bid + width) * 100 }) as Touch),
  );
  const sideOf = (levels: [number, number][], price: (depth: number) => number) =>
    levels
      .map(([depth, shares]) => ({ price: ticks(price(depth)), shares: shares as Shares, reason: [] }))
      .sort((a, b) => Math.abs(a.price - 50) - Math.abs(b.price - 50));
  const ladder = (bids: [number, number][], asks: [number, number][]): QuoteIntent => ({
    marketId: MARKET,
    bids: sideOf(bids, (depth) => 49 - depth),
    asks: sideOf(asks, (depth) => 51 + depth),
  });

  it('never sells more than is held nor locks more than there is, and keeps every price', () => {
    fc.assert(
      fc.property(
        fc.array(level, { maxLength: 5 }),
        fc.array(level, { maxLength: 5 }),
        fc.record({ cash: fc.nat(50_000_000), long: fc.nat(9_000), short: fc.nat(9_000) }),
        fc.constantFrom('held-first' as const, 'collateral-first' as const),
        fc.option(fc.integer({ min: 4_800, max: 5_200 })),
        touches,
        (bids, asks, have, order, fair, touch) => {
          const terms = marketTerms({ takerFee: 1_003 as Money, minAmount: 500_000 as Money });
          const wanted = ladder(bids, asks);
          const policy = { order, fair: fair as PriceUnits | null, touch };
          const { orders, unrouted } = route(wanted, have as never, terms, policy);
          const sold = (position: string) =>
            orders.reduce((sum, o) => sum + (o.side === 'ask' && o.position === position ? o.shares : 0), 0);
          expect(sold('long')).toBeLessThanOrEqual(have.long);
          expect(sold('short')).toBeLessThanOrEqual(have.short);
          const locked = orders.reduce(
            (sum, o) => sum + (o.side === 'bid' ? lockOf(o.price, o.shares, terms) : 0),
            0,
          );
          expect(locked).toBeLessThanOrEqual(have.cash);
          const routed = orders.reduce((sum, o) => sum + o.shares, 0);
          const left = unrouted.reduce((sum, o) => sum + o.shares, 0);
          const asked = [...wanted.bids, ...wanted.asks].reduce((sum, o) => sum + o.shares, 0);
          expect(routed + left).toBe(asked);
          for (const one of orders) expect(one.price * one.shares).toBeGreaterThanOrEqual(terms.minAmount);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('asks for nothing once what it asked for stands', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(level, { maxLength: 6, selector: ([depth]) => depth }),
        fc.uniqueArray(level, { maxLength: 6, selector: ([depth]) => depth }),
        fc.record({ cash: fc.constant(1e9), long: fc.nat(9_000), short: fc.nat(9_000) }),
        touches,
        (bids, asks, have, touch) => {
          const wanted = ladder(bids, asks);
          const asked = route(wanted, have as never, marketTerms(), { ...HELD_FIRST, touch }).orders;
          const orders = asked.map((order) => standing(order));
          const policy: RoutePolicy = {
            ...HELD_FIRST,
            touch,
            standing: { orders, missingShares: 0, refillShare: 0 },
          };
          const again = route(wanted, have as never, marketTerms(), policy);
          expect(words(again.orders).toSorted()).toEqual(words(asked).toSorted());
        },
      ),
      { numRuns: 500 },
    );
  });
});
