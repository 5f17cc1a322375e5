import { describe, expect, it } from 'vitest';
import { complement, micros, money, priceUnits, shares } from '../../../src/domain/units.js';
import { capitalLocked } from '../../../src/risk/rules/capital-locked.js';
import { eventLoss } from '../../../src/risk/rules/event-loss.js';
import { orderRate } from '../../../src/risk/rules/order-rate.js';
import { orderSize } from '../../../src/risk/rules/order-size.js';
import { positionLimit } from '../../../src/risk/rules/position-limit.js';
import { priceCollar } from '../../../src/risk/rules/price-collar.js';
import { priceRange } from '../../../src/risk/rules/price-range.js';
import { limitsOf, reckoningOf, riskView, wanted } from '../../support/risk-view.js';

describe('order size', () => {
  const rule = orderSize(limitsOf({ maxOrderShares: shares(1_000), maxOrderAmount: money(5_000_000) }));

  it('allows both limits exactly', () => {
    expect(rule.check(wanted({ price: priceUnits(5_000), shares: shares(1_000) }), riskView())).toBeNull();
  });

  it('refuses a hundredth of a share more', () => {
    expect(rule.check(wanted({ shares: shares(1_001) }), riskView())).toEqual({
      rule: 'order-size',
      unit: 'shares',
      found: 1_001,
      limit: 1_000,
      text: 'shares of one order',
    });
  });

  it('refuses a higher amount', () => {
    expect(rule.check(wanted({ price: priceUnits(5_001), shares: shares(1_000) }), riskView())).toMatchObject(
      {
        unit: 'money',
        found: 5_001_000,
        limit: 5_000_000,
      },
    );
  });
});

describe('price range', () => {
  it.each([100, 200, 9_900])('allows the tick at %s', (price) => {
    expect(priceRange.check(wanted({ price: priceUnits(price) }), riskView())).toBeNull();
  });

  it.each([
    [0, 'price outside of the ticks'],
    [-100, 'price outside of the ticks'],
    [10_000, 'price outside of the ticks'],
    [4_850, 'price between two ticks'],
  ])('refuses %s', (price, text) => {
    expect(priceRange.check(wanted({ price: priceUnits(price) }), riskView())).toMatchObject({
      found: price,
      text,
    });
  });

  it('goes by the market', () => {
    const reckoning = reckoningOf({ tickUnits: 10 });
    const view = riskView({ reckoning: () => reckoning });
    expect(priceRange.check(wanted({ price: priceUnits(10) }, reckoning), view)).toBeNull();
  });
});

describe('price collar', () => {
  const rule = priceCollar(limitsOf({ priceCollar: priceUnits(500) }));
  const at = (price: number) => wanted({ price: priceUnits(price) });

  it.each([4_500, 5_500])('allows its own width exactly: %s', (price) => {
    expect(rule.check(at(price), riskView())).toBeNull();
  });

  it.each([4_499, 5_501])('refuses more, on either side: %s', (price) => {
    expect(rule.check(at(price), riskView())).toMatchObject({ unit: 'price', found: 501, limit: 500 });
  });

  it('measures short prices on the long side', () => {
    const short = (price: number) => wanted({ position: 'short', price: complement(priceUnits(price)) });
    const view = riskView({ fairValue: () => priceUnits(8_000), bookMid: () => null });
    expect(rule.check(short(7_600), view)).toBeNull();
    expect(rule.check(short(7_400), view)).toMatchObject({ found: 600 });
  });

  it('holds against the fair value and against the book', () => {
    const fairOnly = riskView({ fairValue: () => priceUnits(4_000), bookMid: () => priceUnits(5_000) });
    expect(rule.check(at(5_000), fairOnly)?.text).toBe('distance from the fair value');
    const bookOnly = riskView({ fairValue: () => priceUnits(5_000), bookMid: () => priceUnits(4_000) });
    expect(rule.check(at(5_000), bookOnly)?.text).toBe('distance from the mid of the book');
    expect(rule.check(at(4_500), bookOnly)).toBeNull();
  });

  it('needs one of the two', () => {
    expect(rule.check(at(5_000), riskView({ fairValue: () => null }))).toBeNull();
    expect(rule.check(at(5_000), riskView({ bookMid: () => null }))).toBeNull();
    expect(rule.check(at(5_000), riskView({ fairValue: () => null, bookMid: () => null }))).toMatchObject({
      rule: 'price-collar',
      text: 'no fair value and no two-sided book',
    });
  });
});

describe('position limit', () => {
  const rule = positionLimit(limitsOf({ maxPositionShares: shares(10_000) }));
  const between = (low: number, high: number) =>
    riskView({ netRange: () => ({ low: shares(low), high: shares(high) }) });

  it('counts everything that may fill', () => {
    expect(rule.check(wanted(), between(0, 9_000))).toBeNull();
    expect(rule.check(wanted(), between(0, 9_001))).toMatchObject({ found: 10_001, limit: 10_000 });
  });

  it.each([
    ['an ask on long', { side: 'ask' }],
    ['a bid on short', { position: 'short' }],
  ] as const)('takes %s for a sale', (_what, changes) => {
    expect(rule.check(wanted(changes), between(-9_000, 20_000))).toBeNull();
    expect(rule.check(wanted(changes), between(-9_001, 0))?.text).toMatch(/^short position/);
  });

  it('takes an ask on short for a purchase', () => {
    const orders = wanted({ side: 'ask', position: 'short' });
    expect(rule.check(orders, between(-20_000, 9_000))).toBeNull();
    expect(rule.check(orders, between(0, 9_500))?.text).toMatch(/^long position/);
  });

  it('allows what leads back, and no further than the limit on the other side', () => {
    expect(rule.check(wanted({ side: 'ask' }), between(15_000, 15_000))).toBeNull();
    expect(rule.check(wanted({ side: 'ask', shares: shares(25_000) }), between(15_000, 15_000))).toBeNull();
    expect(
      rule.check(wanted({ side: 'ask', shares: shares(25_001) }), between(15_000, 15_000)),
    ).not.toBeNull();
  });
});

describe('event loss', () => {
  const rule = eventLoss(limitsOf({ maxEventLoss: money(100) }));
  const view = (whereItCosts: number, everywhere: number) =>
    riskView({
      eventLossWhereTheyCost: () => money(whereItCosts),
      eventLossWith: () => money(everywhere),
    });

  it('allows the limit exactly', () => {
    expect(rule.check(wanted(), view(100, 100))).toBeNull();
    expect(rule.check(wanted(), view(101, 101))).toMatchObject({ unit: 'money', found: 101, limit: 100 });
  });

  it('allows beyond the limit what costs nothing in the endings that are beyond it', () => {
    expect(rule.check(wanted(), view(0, 150))).toBeNull();
    expect(rule.check(wanted(), view(100, 150))).toBeNull();
    expect(rule.check(wanted(), view(101, 150))).not.toBeNull();
  });
});

describe('locked capital', () => {
  const view = (now: number, then: number) =>
    riskView({ locked: () => money(now), lockedWith: () => money(then) });

  it('allows the limit exactly, and beyond it what locks no more', () => {
    const rule = capitalLocked(limitsOf({ maxLocked: money(100) }));
    expect(rule.check(wanted(), view(0, 100))).toBeNull();
    expect(rule.check(wanted(), view(0, 101))).toMatchObject({
      rule: 'capital-locked',
      found: 101,
      limit: 100,
    });
    expect(rule.check(wanted(), view(150, 150))).toBeNull();
  });

  it('is unlimited unless stated', () => {
    expect(capitalLocked(limitsOf()).check(wanted(), view(0, 1e15))).toBeNull();
  });
});

describe('order rate', () => {
  const rule = orderRate(limitsOf({ ordersPerMinute: 3 }));

  it('allows as many in a minute as the limit says', () => {
    expect(rule.check(wanted(), riskView({ ordersLastMinute: () => 2 }))).toBeNull();
    expect(rule.check(wanted(), riskView({ ordersLastMinute: () => 3 }))).toMatchObject({
      unit: 'count',
      found: 4,
      limit: 3,
    });
  });

  it('says when there will be room for what it refuses', () => {
    const view = riskView({ ordersLastMinute: () => 3, ordersFallTo: (count) => micros(1_000 + count) });
    expect(rule.check(wanted(), view)?.until).toBe(1_002);
  });
});
