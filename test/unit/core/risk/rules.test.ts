import { describe, expect, it } from 'vitest';
import { complement, money, priceUnits, shares } from '../../../../src/domain/units.js';
import {
  accountLoss,
  capitalLocked,
  categoryLoss,
  coherentQuotes,
  eventLoss,
  positionLimit,
} from '../../../../src/core/risk/exposure-rules.js';
import { orderSize, priceCollar, priceRange } from '../../../../src/core/risk/order-rules.js';
import { limitsOf, riskTerms, riskView, wanted } from '../../../support/bot/risk-view.js';

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
    const reckoning = riskTerms({ tickUnits: 10 });
    const view = riskView({ terms: () => reckoning });
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
      eventLossWhereItCosts: () => money(whereItCosts),
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

describe.each([
  ['category', categoryLoss(limitsOf({ maxCategoryLoss: money(100) }))],
  ['account', accountLoss(limitsOf({ maxAccountLoss: money(100) }))],
] as const)('%s loss', (scope, rule) => {
  const view = (elsewhere: number | null, here: number) =>
    riskView({
      lossElsewhere: (asked) => (asked === scope && elsewhere !== null ? money(elsewhere) : null),
      eventLossWith: () => money(here),
      eventLossWhereItCosts: () => money(here),
    });

  it('adds up the worst cases of all its events', () => {
    expect(rule.check(wanted(), view(60, 40))).toBeNull();
    expect(rule.check(wanted(), view(60, 41))).toMatchObject({
      rule: `${scope}-loss`,
      found: 101,
      limit: 100,
    });
  });

  it('leaves alone an event that it does not concern', () => {
    expect(rule.check(wanted(), view(null, 1_000))).toBeNull();
  });
});

describe('locked capital', () => {
  const locked = (units: number) => riskView({ locked: () => money(units) });
  /** A bid that locks so much. */
  const locking = (units: number) => wanted({ price: priceUnits(units), shares: shares(1) });

  it('allows the limit exactly, and beyond it what locks nothing', () => {
    const rule = capitalLocked(limitsOf({ maxLocked: money(100) }));
    expect(rule.check(locking(100), locked(0))).toBeNull();
    expect(rule.check(locking(60), locked(41))).toMatchObject({
      rule: 'capital-locked',
      found: 101,
      limit: 100,
    });
    expect(rule.check(wanted({ side: 'ask' }), locked(150))).toBeNull();
  });

  it('is unlimited unless stated', () => {
    expect(capitalLocked(limitsOf()).check(wanted(), locked(1e15))).toBeNull();
  });
});

describe('coherent quotes', () => {
  const rule = coherentQuotes(limitsOf());
  /** Bids of 0.3 and 0.22 stand on the other outcomes; of three outcomes short shares are asked 0.6 and 0.88 for. */
  const room = { long: money(480_000), short: money(520_000) };
  const beside = (changes: Partial<Parameters<typeof riskView>[0]> = {}) =>
    riskView({ quoteRoom: (position) => room[position], ...changes });
  const held = (net: number, { bid, ask }: { bid: number; ask: number } = { bid: 0, ask: 0 }) => ({
    heldRange: () => ({ low: shares(net), high: shares(net) }),
    netRange: () => ({ low: shares(net - ask), high: shares(net + bid) }),
  });

  it('refuses a bid that costs as much as there is room for, and names both', () => {
    expect(rule.check(wanted({ price: priceUnits(4_799) }), beside())).toBeNull();
    expect(rule.check(wanted({ price: priceUnits(4_800) }), beside())).toEqual({
      rule: 'coherent-quotes',
      unit: 'money',
      found: 480_000,
      limit: 479_999,
      text: 'price of a long share beside the quotes on the other outcomes, fees put by',
      awaitsQuotes: true,
    });
  });

  it.each([
    ['a sale of short', { side: 'ask', position: 'short', price: priceUnits(5_200) }, 'long', 480_000],
    ['a bid on short', { position: 'short', price: priceUnits(5_200) }, 'short', 520_000],
    ['a sale of long', { side: 'ask', price: priceUnits(4_800) }, 'short', 520_000],
  ] as const)('takes %s for what it comes to', (_what, changes, position, found) => {
    const refusal = rule.check(wanted(changes), beside());
    expect(refusal).toMatchObject({
      found,
      text: expect.stringContaining(`of a ${position} share`) as string,
    });
    const cheaper = priceUnits(changes.price + ('side' in changes ? 1 : -1));
    expect(rule.check(wanted({ ...changes, price: cheaper }), beside())).toBeNull();
  });

  it('has nothing to say where outcomes do not exclude each other, nor where it is turned off', () => {
    expect(rule.check(wanted(), riskView({ quoteRoom: () => null }))).toBeNull();
    expect(coherentQuotes(limitsOf({ coherentQuotes: false })).check(wanted(), beside())).toBeNull();
  });

  it('lets pass the sale of what is held net, whatever else stands, and none of more than that', () => {
    const sale = (amount: number) =>
      wanted({ side: 'ask', position: 'short', price: priceUnits(4_000), shares: shares(amount) });
    expect(rule.check(sale(1_000), beside(held(-1_000, { bid: 5_000, ask: 0 })))).toBeNull();
    expect(rule.check(sale(1_001), beside(held(-1_000)))).not.toBeNull();
    expect(rule.check(sale(1_000), beside(held(0)))).not.toBeNull();
    const sold = wanted({ side: 'ask', price: priceUnits(4_000) });
    expect(rule.check(sold, beside(held(1_000, { bid: 0, ask: 5_000 })))).toBeNull();
    expect(rule.check(sold, beside(held(999)))).not.toBeNull();
  });

  it('lets pass a purchase that leads back towards zero whatever else fills', () => {
    expect(rule.check(wanted(), beside(held(-3_000, { bid: 2_000, ask: 0 })))).toBeNull();
    expect(rule.check(wanted(), beside(held(-3_000, { bid: 2_001, ask: 0 })))).not.toBeNull();
    const short = wanted({ position: 'short', price: priceUnits(5_200) });
    expect(rule.check(short, beside(held(3_000, { bid: 0, ask: 2_000 })))).toBeNull();
    expect(rule.check(short, beside(held(3_000, { bid: 0, ask: 2_001 })))).not.toBeNull();
  });
});
