import { describe, expect, it } from 'vitest';
import { type EventId, eventId, marketId } from '../../../../src/domain/ids.js';
import { micros, money, priceUnits, shares } from '../../../../src/domain/units.js';
import type { HoldingReport } from '../../../../src/domain/orders.js';
import { Portfolio } from '../../../../src/core/portfolio/portfolio.js';
import { fillOf } from '../../../support/orders/fills.js';
import { costsOf } from '../../../support/orders/order-costs.js';

const EVENT = eventId(873);
const MARKET = marketId(2231);
const OTHER = marketId(2232);
const at = (ms: number) => micros(ms * 1_000);

const portfolio = (nets = false): Portfolio =>
  new Portfolio(
    (_event: EventId) => ({
      resolutionMode: 'exclusive',
      nonePossible: false,
      voidPossible: false,
      mayExclude: true,
      markets: [MARKET, OTHER],
    }),
    1_000,
    nets,
  );

describe('the portfolio', () => {
  it('keeps long and short apart and tells net, paired and average costs', () => {
    const held = portfolio();
    held.fill(fillOf(48, 10), at(0));
    held.fill(fillOf(45, 4, { position: 'short' }), at(0));
    expect(held.inventory(MARKET, 'OOM')).toEqual({
      long: 1_000,
      short: 400,
      net: 600,
      paired: 400,
      averageLong: 4_800,
      averageShort: 4_500,
    });
    expect(held.inventory(OTHER, 'OOM')).toMatchObject({ net: 0, averageLong: null });
  });

  it('holds one position at most where the venue nets', () => {
    const held = portfolio(true);
    held.fill(fillOf(48, 10), at(0));
    held.fill(fillOf(45, 4, { position: 'short' }), at(0));
    expect(held.inventory(MARKET, 'OOM')).toMatchObject({ long: 600, short: 0, averageLong: 4_800 });
    held.fill(fillOf(55, 8, { side: 'ask' }), at(0));
    expect(held.inventory(MARKET, 'OOM')).toMatchObject({
      long: 0,
      short: 200,
      net: -200,
      averageShort: 4_500,
    });
    const { realised, total } = held.profit({ kind: 'market', marketId: MARKET, currency: 'OOM' });
    // Ten shares bought at 48 went at 55; two more were sold at 55 and are held short.
    expect(realised).toBe(700_000);
    expect(held.cashFlow('OOM')).toBe(-4_800_000 + 10 * 550_000 - 2 * 450_000);
    expect(total).toBe(840_000);
  });

  it('asks for a report of every holding that a netted fill changed', () => {
    const held = portfolio(true);
    const said = { long: shares(1_000), short: shares(0) };
    held.fill(fillOf(48, 10), at(0), () => shares(1_000));
    expect(held.isContested).toBe(false);
    held.fill(fillOf(45, 4, { position: 'short' }), at(1), (position) => said[position]);
    expect(held.contested(MARKET, 'OOM', 'long')).toBe(1_000);
    held.reported(
      {
        eventId: EVENT,
        marketId: MARKET,
        position: 'long',
        currency: 'OOM',
        shares: shares(600),
        purchasesAmount: null,
      },
      at(2),
    );
    expect(held.isContested).toBe(false);
  });

  it('measures a first fill against the mid that stood before it', () => {
    const held = portfolio();
    held.mark(MARKET, 5_000);
    held.mark(MARKET, null);
    held.fill(fillOf(48, 10), at(0));
    expect(held.profit({ kind: 'market', marketId: MARKET, currency: 'OOM' }).spread).toBe(200_000);
  });

  it('adds up per market, event and currency, never across currencies', () => {
    const held = portfolio();
    for (const market of [MARKET, OTHER]) held.mark(market, 5_000);
    held.fill(fillOf(48, 10), at(0));
    held.fill(fillOf(48, 10, { marketId: OTHER }), at(0));
    held.fill(fillOf(48, 10, { marketId: OTHER, eventId: eventId(9), currency: 'USDC' }), at(0));
    const total = (scope: Parameters<Portfolio['profit']>[0]): number => held.profit(scope).total;
    expect(total({ kind: 'market', marketId: OTHER, currency: 'OOM' })).toBe(200_000);
    expect(total({ kind: 'event', eventId: EVENT, currency: 'OOM' })).toBe(400_000);
    expect(total({ kind: 'currency', currency: 'OOM' })).toBe(400_000);
    expect(total({ kind: 'currency', currency: 'USDC' })).toBe(200_000);
    expect(held.cashFlow('OOM')).toBe(-9_600_000);
    held.mark(OTHER, 5_100);
    expect([held.total('OOM'), held.total('USDC'), held.total('USD')]).toEqual([500_000, 300_000, 0]);
  });

  it('keeps the worst case up to date with fills, and with the orders it is told', () => {
    const held = portfolio();
    held.fill(fillOf(48, 10), at(0));
    const exposure = held.exposure(EVENT, 'OOM');
    expect(exposure.worst()).toBe(-4_800_000);
    const bid = {
      side: 'bid',
      position: 'long',
      price: priceUnits(3_000),
      shares: shares(100),
      fee: money(0),
    } as const;
    expect(exposure.worstWith(OTHER, costsOf(bid))).toBe(-4_800_000);
    exposure.order(MARKET, costsOf(bid));
    expect(exposure.worst()).toBe(-4_800_000 - 300_000);
    exposure.order(MARKET, costsOf());
    held.fill(fillOf(50, 10, { marketId: OTHER }), at(1));
    expect(exposure.worst()).toBe(200_000);
  });

  it('pays out when a market resolves and takes it back when that is reversed', () => {
    const held = portfolio();
    held.fill(fillOf(48, 10), at(0));
    held.resolve(MARKET, 'long', at(1));
    expect([held.cashFlow('OOM'), held.exposure(EVENT, 'OOM').worst()]).toEqual([5_200_000, 5_200_000]);
    held.reverse(MARKET, at(2));
    expect([held.cashFlow('OOM'), held.exposure(EVENT, 'OOM').worst()]).toEqual([-4_800_000, -4_800_000]);
  });

  it.each(['long', 'short', 'void'] as const)('settles a first fill that is heard of after %s', (outcome) => {
    const [before, after] = [portfolio(), portfolio()];
    before.fill(fillOf(48, 10), at(0));
    before.resolve(MARKET, outcome, at(1));
    after.resolve(MARKET, outcome, at(1));
    after.fill(fillOf(48, 10), at(2));
    expect(after.total('OOM')).toBe(before.total('OOM'));
    for (const one of [before, after]) one.reverse(MARKET, at(3));
    expect(after.total('OOM')).toBe(before.total('OOM'));
  });

  it('repairs a holding by taking the venue number over, which is no profit', () => {
    const held = portfolio();
    held.mark(MARKET, 5_000);
    held.fill(fillOf(48, 10), at(0));
    const report = { eventId: EVENT, marketId: MARKET, position: 'long', currency: 'OOM' } as const;
    const venue = [{ ...report, shares: shares(1_500), purchasesAmount: null }];
    held.holdingsRead(venue, () => false, at(1), at(1));
    expect(held.holdingsReadDue).toBe(at(1_001));
    const [difference] = held.holdingsRead(venue, () => false, at(2_000), at(2_000));
    held.repair(difference!, at(2_000));
    expect(held.inventory(MARKET, 'OOM').long).toBe(1_500);
    expect(held.profit({ kind: 'currency', currency: 'OOM' }).total).toBe(200_000);
    expect(held.cashFlow('OOM')).toBe(-4_800_000);
    expect(held.holdingsReadDue).toBeNull();
    expect(held.exposure(EVENT, 'OOM').worst()).toBe(-7_300_000);
  });

  it('a position update that waits for its fill asks for a read', () => {
    const held = portfolio();
    held.reported(
      {
        eventId: EVENT,
        marketId: MARKET,
        position: 'long',
        currency: 'OOM',
        shares: shares(500),
        purchasesAmount: 2,
      },
      at(0),
    );
    expect(held.holdingsReadDue).toBe(at(1_000));
    held.fill(fillOf(40, 5), at(10));
    expect(held.holdingsReadDue).toBeNull();
  });

  it('compares cash with balances and takes a residual for known', () => {
    const held = portfolio();
    expect(held.balanceRead('OOM', money(10_000_000), at(0))).toBeNull();
    held.fill(fillOf(48, 10), at(1));
    expect(held.balanceRead('OOM', money(5_190_000), at(10))).toBeNull();
    const difference = held.balanceRead('OOM', money(5_190_000), at(2_000))!;
    expect(difference.residual).toBe(-10_000);
    held.acceptCash('OOM', difference);
    held.deposited('OOM', money(1));
    expect(held.balanceRead('OOM', money(5_190_001), at(3_000))).toBeNull();
  });

  describe('the worst case', () => {
    /** Ten shares are held, bought at 48; ten more were told of, which the venue's word says nothing of. */
    const inDoubt = (): Portfolio => {
      const held = portfolio();
      held.fill(fillOf(48, 10), at(0));
      held.fill(fillOf(48, 10), at(1), () => shares(1_000));
      return held;
    };
    /** Costs 52 a share where the market wins. */
    const another = costsOf({
      side: 'bid',
      position: 'short',
      price: priceUnits(5_200),
      shares: shares(4_000),
      fee: money(0),
    });
    const worst = (held: Portfolio): number => held.exposure(EVENT, 'OOM').worstWith(MARKET, another);
    /** 20 shares that gain 52 each beside 40 that lose as much, and 10 of them. */
    const [counted, undone] = [-10_400_000, -15_600_000];
    const said = (whole: number): HoldingReport => ({
      eventId: EVENT,
      marketId: MARKET,
      position: 'long',
      currency: 'OOM',
      shares: shares(whole * 100),
      purchasesAmount: null,
    });

    it('counts a fill that the venue has not confirmed where that costs', () => {
      expect(worst(inDoubt())).toBe(undone);
    });

    it('counts it once and for all when a report confirms it, or a read', () => {
      const reported = inDoubt();
      reported.reported(said(20), at(2));
      const read = inDoubt();
      read.holdingsRead([said(20)], () => false, at(2), at(3));
      expect([worst(reported), worst(read)]).toEqual([counted, counted]);
    });

    it('goes by what a repair leaves', () => {
      const held = inDoubt();
      for (const ms of [1_500, 3_000])
        for (const difference of held.holdingsRead([said(10)], () => false, at(ms), at(ms)))
          held.repair(difference, at(ms));
      expect([held.held(MARKET, 'OOM', 'long'), worst(held)]).toEqual([1_000, undone]);
    });

    it('counts a sale that the venue has not confirmed at what it brought', () => {
      const held = portfolio();
      held.fill(fillOf(48, 20), at(0));
      held.fill(fillOf(50, 10, { side: 'ask' }), at(1), () => shares(2_000));
      // Of 9.6 paid, 5 came back: or did not.
      expect(held.exposure(EVENT, 'OOM').worst()).toBe(-9_600_000);
    });
  });
});
