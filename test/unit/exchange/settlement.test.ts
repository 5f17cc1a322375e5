import { describe, expect, test } from 'vitest';
import type { Money } from '../../../src/domain/units.js';
import { ALICE, BLUE, BOB, CAROL, EVENT, TestVenue } from '../../support/exchange/test-venue.js';

const NO_FEES = {
  play_money: { taker: 0 as Money, maker: 0 as Money },
  real_money: { taker: 0 as Money, maker: 0 as Money },
};
const free = (): TestVenue => new TestVenue({ exchange: { fees: NO_FEES } });

describe('how a trade is settled', () => {
  test('two buyers mint a pair: its collateral is one unit', () => {
    const venue = free();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    expect(venue.said('trade')).toMatchObject([{ settlement: 'mint', price: 6_000 }]);
    expect([venue.cash(ALICE), venue.cash(BOB)]).toEqual([994, 996]);
    expect(venue.system('collateral')).toBe(10);
    expect([venue.held(ALICE, 'long'), venue.held(BOB, 'short')]).toEqual([10, 10]);
  });

  test('two sellers redeem a pair', () => {
    const venue = free();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    venue.placed(ALICE, 'ask long 4 @ 0.7');
    venue.placed(BOB, 'ask short 4 @ 0.3');
    expect(venue.said('trade')).toMatchObject([{ settlement: 'redeem', price: 7_000 }]);
    expect([venue.cash(ALICE), venue.cash(BOB)]).toEqual([994 + 2.8, 996 + 1.2]);
    expect(venue.system('collateral')).toBe(6);
  });

  test('a buyer and a seller of long, and of short, transfer shares', () => {
    const venue = free();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    venue.placed(ALICE, 'ask long 4 @ 0.7');
    venue.placed(CAROL, 'bid long 4 @ 0.75');
    expect(venue.said('trade')).toMatchObject([{ settlement: 'transfer', price: 7_000 }]);
    venue.placed(BOB, 'ask short 3 @ 0.45');
    venue.placed(CAROL, 'bid short 3 @ 0.45');
    expect(venue.said('trade')).toMatchObject([{ settlement: 'transfer', price: 5_500 }]);
    expect(venue.cash(CAROL)).toBe(1_000 - 2.8 - 1.35);
    expect(venue.system('collateral')).toBe(10);
    expect([venue.held(CAROL, 'long'), venue.held(CAROL, 'short')]).toEqual([4, 3]);
  });

  test('long and short are two holdings: nothing is netted', () => {
    const venue = free();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    venue.placed(BOB, 'bid long 10 @ 0.5');
    venue.placed(ALICE, 'ask long 10 @ 0.5');
    expect([venue.held(BOB, 'long'), venue.held(BOB, 'short')]).toEqual([10, 10]);
    expect(venue.cash(BOB)).toBe(1_000 - 4 - 5);
  });

  test('the real currencies trade at par through clearing, which resolution closes', () => {
    const venue = free();
    venue.placed(ALICE, 'bid long 10 @ 0.6 USDC');
    venue.placed(BOB, 'bid short 10 @ 0.4 USD');
    expect([venue.system('clearing', 'USDC'), venue.system('clearing', 'USD')]).toEqual([-4, 4]);
    expect([venue.system('collateral', 'USDC'), venue.system('collateral', 'USD')]).toEqual([10, 0]);
    venue.resolve({ 100: 'short', 101: 'long' });
    expect(venue.cash(BOB, 'USD')).toBe(1_006);
    expect([venue.system('clearing', 'USDC'), venue.system('clearing', 'USD')]).toEqual([6, -6]);
  });

  test('a payout between pays a part to a long share and the rest to a short one', () => {
    const venue = free();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    venue.resolve({ 100: 2_500, 101: 'short' });
    expect([venue.cash(ALICE), venue.cash(BOB)]).toEqual([994 + 2.5, 996 + 7.5]);
    expect(venue.system('collateral')).toBe(0);
  });

  test('an ask sells shares of its own currency', () => {
    const venue = free();
    venue.placed(ALICE, 'bid long 10 @ 0.6 USDC');
    venue.placed(BOB, 'bid short 10 @ 0.4 USD');
    expect(venue.refused(ALICE, 'ask long 1 @ 0.9 USD')).toBe('UserNotEnoughBalance');
    expect(venue.refused(ALICE, 'ask long 1 @ 0.9 USDC')).toBe('taken');
  });
});

describe('fees', () => {
  const withFees = (taker: number, maker: number): TestVenue =>
    new TestVenue({
      exchange: {
        fees: { ...NO_FEES, real_money: { taker: taker as Money, maker: maker as Money } },
      },
    });

  test('each side pays by its role, per share; play money is free by default', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    expect([venue.cash(ALICE), venue.cash(BOB)]).toEqual([994, 995.99]);
    expect(venue.system('fees')).toBe(0.01);
    venue.placed(ALICE, 'bid long 10 @ 0.6 OOM');
    venue.placed(BOB, 'bid short 10 @ 0.4 OOM');
    expect(venue.cash(BOB, 'OOM')).toBe(996);
  });

  test('a resting bid locks the larger fee and gets back what it did not pay', () => {
    const venue = withFees(3_000, 1_000);
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    expect(venue.locked(ALICE)).toBe(6.03);
    venue.placed(BOB, 'bid short 4 @ 0.4');
    expect(venue.locked(ALICE)).toBeCloseTo(3.618, 6);
    expect(venue.cash(ALICE)).toBeCloseTo(1_000 - 6.03 + 4 * 0.002, 6);
  });

  test('a negative maker fee is a rebate that no lock counts on', () => {
    const venue = withFees(2_000, -1_000);
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    expect(venue.locked(ALICE)).toBe(6.02);
    venue.placed(BOB, 'bid short 10 @ 0.4');
    expect(venue.cash(ALICE)).toBeCloseTo(994.01, 6);
    expect(venue.system('fees')).toBeCloseTo(0.01, 6);
    expect(venue.exchange.rebates({ account: ALICE })).toBe(10_000);
    expect(venue.exchange.rebates({ account: BOB })).toBe(0);
    expect(venue.exchange.rebates({ account: ALICE, day: 20_454, eventId: EVENT })).toBe(10_000);
    expect(venue.exchange.rebates({ account: ALICE, day: 20_455 })).toBe(0);
  });

  test('a fee finer than the micro-unit is rounded up once per order, the difference is booked', () => {
    const venue = withFees(1_001, 0);
    venue.placed(ALICE, 'bid long 10 @ 0.5');
    for (let part = 0; part < 10; part++) venue.placed(BOB, 'bid short 0.03 @ 0.5');
    // Ten orders of 3 share units: 30.03 micro-units each, 31 paid, 30 earned.
    expect(venue.cash(BOB)).toBeCloseTo(1_000 - 0.15 - 10 * 0.000031, 6);
    expect(venue.system('rounding')).toBeCloseTo(0.00001, 6);
    expect(venue.system('fees')).toBeCloseTo(0.0003, 6);
  });

  test('filled in many parts an order pays what it would pay at once', () => {
    const parts = withFees(0, 1_001);
    parts.placed(BOB, 'bid short 1 @ 0.5');
    for (let part = 0; part < 10; part++) parts.placed(ALICE, 'bid long 0.1 @ 0.5');
    const whole = withFees(0, 1_001);
    whole.placed(BOB, 'bid short 1 @ 0.5');
    whole.placed(ALICE, 'bid long 1 @ 0.5');
    expect(parts.cash(BOB)).toBe(whole.cash(BOB));
    expect(parts.locked(BOB)).toBe(0);
  });

  test('a seller pays from the proceeds', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    venue.placed(CAROL, 'bid long 10 @ 0.5');
    venue.placed(ALICE, 'ask long 10 @ 0.5');
    expect(venue.cash(ALICE)).toBeCloseTo(1_000 - 6 + 5 - 0.01, 6);
  });
});

describe('resolution', () => {
  const traded = (): TestVenue => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    return venue;
  };

  test('pays one unit per winning share and cancels what rests', () => {
    const venue = traded();
    const resting = venue.placed(ALICE, 'bid long 5 @ 0.3');
    expect(venue.resolve({ 100: 'long', 101: 'short' })).toEqual({ ok: true });
    expect([venue.cash(ALICE), venue.cash(BOB)]).toEqual([1_004, 995.99]);
    expect(venue.orderOf(ALICE, resting.id).status).toBe('canceled');
    expect(venue.system('collateral')).toBe(0);
    expect(venue.exchange.event(EVENT)).toMatchObject({ status: 'resolved', resolvedAt: venue.at });
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('MarketClosed');
  });

  test('market by market: the event follows with the last one', () => {
    const venue = traded();
    venue.resolve({ 100: 'short' });
    expect(venue.exchange.event(EVENT)?.status).toBe('open');
    expect(venue.refused(ALICE, 'bid long 1 @ 0.5')).toBe('OrderBookMarketClosed');
    expect(venue.resolve({ 100: 'long' })).toMatchObject({ ok: false, why: 'invalid' });
    venue.resolve({ 101: 'long' });
    expect(venue.exchange.event(EVENT)?.status).toBe('resolved');
  });

  test('an exclusive event has at most one market long, counting earlier ones', () => {
    const venue = traded();
    expect(venue.resolve({ 100: 'long', 101: 'long' })).toMatchObject({ ok: false, why: 'invalid' });
    venue.resolve({ 100: 'long' });
    expect(venue.resolve({ 101: 'long' })).toMatchObject({ ok: false });
    expect(venue.resolve({ 101: 'short' })).toEqual({ ok: true });
    const open = new TestVenue({ event: { resolutionMode: 'non_exclusive' } });
    expect(open.resolve({ 100: 'long', 101: 'long' })).toEqual({ ok: true });
  });

  test('a void market gives back every net cash flow, fees included, also after a resale', () => {
    const venue = traded();
    venue.placed(CAROL, 'bid long 10 @ 0.9');
    venue.placed(ALICE, 'ask long 10 @ 0.9');
    venue.resolve({ 100: 'void', 101: 'short' });
    expect([venue.cash(ALICE), venue.cash(BOB), venue.cash(CAROL)]).toEqual([1_000, 1_000, 1_000]);
    expect([venue.system('fees'), venue.system('collateral')]).toEqual([0, 0]);
    expect(venue.exchange.event(EVENT)?.markets[0]).toMatchObject({
      status: 'cancelled',
      resolution: 'void',
    });
  });

  test('undone profits that were spent leave a negative balance, which only blocks new orders', () => {
    const venue = new TestVenue({
      exchange: { fees: NO_FEES },
      alice: { balances: { USDC: 1_000_000 as Money } },
    });
    venue.placed(ALICE, 'bid long 10 @ 0.1');
    venue.placed(BOB, 'bid short 10 @ 0.9');
    venue.placed(CAROL, 'bid long 10 @ 0.9');
    venue.placed(ALICE, 'ask long 10 @ 0.9');
    venue.placed(ALICE, 'bid long 10 @ 0.9', { marketId: BLUE });
    venue.placed(BOB, 'bid short 10 @ 0.1', { marketId: BLUE });
    venue.resolve({ 100: 'void' });
    expect(venue.cash(ALICE)).toBe(-8);
    expect(venue.refused(ALICE, 'bid long 1 @ 0.1', { marketId: BLUE })).toBe('UserNotEnoughBalance');
    venue.placed(CAROL, 'bid long 10 @ 0.9', { marketId: BLUE });
    expect(venue.refused(ALICE, 'ask long 10 @ 0.9', { marketId: BLUE })).toBe('taken');
    expect(venue.cash(ALICE)).toBe(1);
  });

  test('a reversal takes payouts back, and the event can be resolved again', () => {
    const venue = traded();
    const before = venue.exchange.ledger();
    venue.resolve({ 100: 'long', 101: 'short' });
    expect(venue.run({ kind: 'reverse-event', eventId: EVENT }).outcome).toEqual({ ok: true });
    expect(venue.exchange.ledger()).toEqual(before);
    expect(venue.exchange.event(EVENT)).toMatchObject({ status: 'reversed', resolvedAt: null });
    venue.resolve({ 100: 'short', 101: 'long' });
    expect([venue.cash(ALICE), venue.cash(BOB)]).toEqual([994, 1_005.99]);
  });

  test('a reversed event trades again when it is opened', () => {
    const venue = traded();
    venue.resolve({ 100: 'void', 101: 'short' });
    venue.run({ kind: 'reverse-event', eventId: EVENT });
    expect(venue.held(ALICE, 'long')).toBe(10);
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'open' });
    venue.placed(ALICE, 'ask long 10 @ 0.5');
    venue.placed(CAROL, 'bid long 10 @ 0.5');
    expect(venue.held(CAROL, 'long')).toBe(10);
  });

  test('a reversal can drive balances below zero', () => {
    const venue = new TestVenue({
      exchange: { fees: NO_FEES },
      alice: { balances: { USDC: 6_000_000 as Money } },
    });
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    venue.resolve({ 100: 'long' });
    venue.placed(ALICE, 'bid long 10 @ 0.9', { marketId: BLUE });
    venue.placed(BOB, 'bid short 10 @ 0.1', { marketId: BLUE });
    venue.run({ kind: 'reverse-event', eventId: EVENT });
    expect(venue.cash(ALICE)).toBe(-9);
  });

  test('a cancelled event undoes the resolved markets as well, and can itself be reversed', () => {
    const venue = traded();
    venue.resolve({ 100: 'long' });
    const resolved = venue.exchange.ledger();
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'cancelled' });
    expect([venue.cash(ALICE), venue.cash(BOB), venue.system('fees')]).toEqual([1_000, 1_000, 0]);
    venue.run({ kind: 'reverse-event', eventId: EVENT });
    expect([venue.cash(ALICE), venue.held(ALICE, 'long')]).toEqual([994, 10]);
    expect(resolved.sum).toEqual(venue.exchange.ledger().sum);
  });

  test.each([
    ['an unknown market', { 999: 'long' }],
    ['no market', {}],
  ] as const)('%s cannot be resolved', (_, resolutions) => {
    expect(traded().resolve(resolutions)).toMatchObject({ ok: false, why: 'invalid' });
  });

  test('a market named twice cannot be resolved', () => {
    const venue = traded();
    const twice = [
      { marketId: BLUE, resolution: 'long' },
      { marketId: BLUE, resolution: 'short' },
    ] as const;
    const { outcome } = venue.run({ kind: 'resolve-event', eventId: EVENT, resolutions: twice });
    expect(outcome).toMatchObject({ ok: false, why: 'invalid' });
  });

  test('nothing settled, nothing to reverse', () => {
    expect(traded().run({ kind: 'reverse-event', eventId: EVENT }).outcome).toMatchObject({
      ok: false,
      why: 'invalid',
    });
  });
});
