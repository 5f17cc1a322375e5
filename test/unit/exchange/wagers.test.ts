import { describe, expect, test } from 'vitest';
import { marketId, wagerId } from '../../../src/exchange/contract/ids.js';
import type { WagerDetailView } from '../../../src/exchange/contract.js';
import { ALICE, BOB, CAROL, EVENT, RED, TestVenue } from '../../support/exchange/test-venue.js';

/** Alice bought 10 long at 0.60 as maker, Bob 10 short at 0.40 as taker: wagers 2 and 1. */
function traded(): TestVenue {
  const venue = new TestVenue();
  venue.placed(ALICE, 'bid long 10 @ 0.6');
  venue.placed(BOB, 'bid short 10 @ 0.4');
  return venue;
}

function wagerOf(venue: TestVenue, id: number): WagerDetailView {
  const wager = venue.exchange.wager(wagerId(id), BOB) ?? venue.exchange.wager(wagerId(id), ALICE);
  if (wager === null) throw new Error(`no wager ${id}`);
  return wager;
}

describe('a wager', () => {
  test('carries every field of specification 2.5', () => {
    const venue = traded();
    venue.placed(CAROL, 'bid short 4 @ 0.3');
    const purchase = {
      id: 1,
      type: 'purchase',
      shares: 1_000,
      price: 4_000,
      amount: 4_000_000,
      fee: 10_000,
      orderId: 2,
      at: venue.at,
    };
    expect(wagerOf(venue, 1)).toEqual({
      id: 1,
      account: BOB,
      status: 'purchased',
      eventId: EVENT,
      marketId: RED,
      position: 'short',
      currency: 'USDC',
      shares: 1_000,
      totalAmount: 4_000_000,
      purchasesAmount: 4_000_000,
      activePurchases: [purchase],
      roi: (1_196_000 - 4_010_000) / 4_010_000,
      earnings: 1_196_000 - 4_010_000,
      amountOnWin: 10_000_000,
      amountOnSell: 1_200_000 - 4_000,
      lastProfit: null,
      lastSellAmount: null,
      lastPurchase: venue.at,
      lastUpdate: venue.at,
      lastAction: purchase,
      actionsCount: 1,
      actions: [purchase],
    });
  });

  test('what selling would bring walks the book of its position', () => {
    const venue = traded();
    expect(wagerOf(venue, 2).amountOnSell).toBe(0);
    venue.placed(CAROL, 'bid long 4 @ 0.7');
    venue.placed(CAROL, 'bid long 20 @ 0.5');
    expect(wagerOf(venue, 2).amountOnSell).toBe(4 * 700_000 + 6 * 500_000 - 10_000);
  });

  test('what selling would bring leaves own bids out, which cannot be sold to', () => {
    const venue = traded();
    venue.placed(ALICE, 'bid long 5 @ 0.5');
    expect(wagerOf(venue, 2).amountOnSell).toBe(0);
    venue.placed(CAROL, 'bid long 2 @ 0.5');
    expect(wagerOf(venue, 2).amountOnSell).toBe(2 * 500_000 - 2_000);
  });

  test('its cost follows partial sales at average cost, and a sale has its profit', () => {
    const venue = traded();
    venue.placed(ALICE, 'bid long 10 @ 0.5');
    venue.placed(BOB, 'bid short 10 @ 0.5');
    venue.placed(CAROL, 'bid long 5 @ 0.8');
    venue.pass(60);
    venue.placed(ALICE, 'ask long 5 @ 0.8');
    expect(wagerOf(venue, 2)).toMatchObject({
      status: 'purchased',
      shares: 1_500,
      totalAmount: 11_000_000,
      purchasesAmount: 8_250_000,
      lastProfit: 4_000_000 - 5_000 - 2_750_000,
      lastSellAmount: 3_995_000,
      actionsCount: 3,
      lastUpdate: venue.at,
      lastAction: { type: 'sale', shares: 500, price: 8_000, amount: 4_000_000, fee: 5_000 },
    });
  });

  test('sold out it is sold, and buying again opens a new one', () => {
    const venue = traded();
    venue.placed(CAROL, 'bid long 10 @ 0.8');
    venue.placed(ALICE, 'ask long 10 @ 0.8');
    expect(wagerOf(venue, 2)).toMatchObject({
      status: 'sold',
      shares: 0,
      purchasesAmount: 0,
      amountOnWin: 0,
      amountOnSell: 0,
      earnings: 8_000_000 - 10_000 - 6_000_000,
      activePurchases: [],
    });
    venue.placed(ALICE, 'bid long 1 @ 0.5');
    venue.placed(BOB, 'bid short 1 @ 0.5');
    expect(wagerOf(venue, 4)).toMatchObject({ account: ALICE, status: 'purchased', shares: 100 });
  });

  test('is won or lost at resolution, with its profit', () => {
    const venue = traded();
    venue.resolve({ 100: 'long', 101: 'short' });
    expect(wagerOf(venue, 2)).toMatchObject({
      status: 'won',
      shares: 1_000,
      lastProfit: 4_000_000,
      earnings: 4_000_000,
      roi: 4 / 6,
      lastAction: { type: 'payout', amount: 10_000_000 },
      actionsCount: 1,
    });
    expect(wagerOf(venue, 1)).toMatchObject({
      status: 'lost',
      lastProfit: -4_000_000,
      earnings: -4_010_000,
      roi: -1,
      lastAction: { type: 'payout', amount: 0 },
    });
  });

  test('is cancelled when its market is undone, a sold one as well', () => {
    const venue = traded();
    venue.placed(CAROL, 'bid long 10 @ 0.8');
    venue.placed(ALICE, 'ask long 10 @ 0.8');
    venue.resolve({ 100: 'void', 101: 'short' });
    expect(wagerOf(venue, 2)).toMatchObject({
      status: 'cancelled',
      earnings: 0,
      roi: 0,
      lastAction: { type: 'refund', amount: 6_000_000 + 10_000 - 8_000_000 },
    });
  });

  test('a reversal opens it again', () => {
    const venue = traded();
    const before = wagerOf(venue, 2);
    venue.resolve({ 100: 'long', 101: 'short' });
    venue.run({ kind: 'reverse-event', eventId: EVENT });
    expect(wagerOf(venue, 2)).toMatchObject({
      status: 'purchased',
      shares: before.shares,
      lastProfit: null,
      earnings: before.earnings,
    });
    expect(wagerOf(venue, 2).actions.map(({ type, amount }) => [type, amount])).toEqual([
      ['purchase', 6_000_000],
      ['payout', 10_000_000],
      ['reversal', -10_000_000],
    ]);
  });

  test('active purchases are those of the last outcome bought in the event', () => {
    const venue = traded();
    venue.pass(1);
    venue.placed(ALICE, 'bid long 1 @ 0.5', { marketId: marketId(101) });
    venue.placed(BOB, 'bid short 1 @ 0.5', { marketId: marketId(101) });
    expect(wagerOf(venue, 2).activePurchases).toEqual([]);
    expect(wagerOf(venue, 4).activePurchases).toHaveLength(1);
  });

  test('actions beyond the retention are forgotten, figures stay', () => {
    const venue = new TestVenue({ exchange: { retention: { orders: 10, trades: 10, wagerActions: 3 } } });
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    for (let trade = 0; trade < 4; trade++) venue.placed(BOB, 'bid short 1 @ 0.4');
    expect(wagerOf(venue, 1)).toMatchObject({ shares: 400, actionsCount: 4 });
    expect(wagerOf(venue, 1).actions.map(({ id }) => id)).toEqual([7]);
    expect(wagerOf(venue, 2).actions.map(({ id }) => id)).toEqual([6, 8]);
  });
});

describe('listing wagers', () => {
  const page = { limit: 10, offset: 0 };
  const ids = (venue: TestVenue, query: object) =>
    venue.exchange.wagers({ viewer: null, ...page, ...query }).results.map(({ id }) => Number(id));

  function listed(): TestVenue {
    const venue = new TestVenue({ alice: { publicWagers: false, following: [BOB] } });
    venue.placed(ALICE, 'bid long 10 @ 0.6');
    venue.placed(BOB, 'bid short 10 @ 0.4');
    venue.placed(ALICE, 'bid long 10 @ 0.6 OOM', { marketId: marketId(101) });
    venue.placed(CAROL, 'bid short 10 @ 0.4 OOM', { marketId: marketId(101) });
    return venue;
  }

  test('unsigned sees public ones, signed one’s own, newest first', () => {
    const venue = listed();
    expect(ids(venue, {})).toEqual([3, 1]);
    expect(ids(venue, { viewer: ALICE })).toEqual([4, 2]);
    expect(ids(venue, { viewer: BOB })).toEqual([1]);
  });

  test('of a user, and of those the viewer follows', () => {
    const venue = listed();
    expect(ids(venue, { user: ALICE })).toEqual([]);
    expect(ids(venue, { user: ALICE, viewer: ALICE })).toEqual([4, 2]);
    expect(ids(venue, { user: CAROL, viewer: ALICE })).toEqual([3]);
    expect(ids(venue, { following: true, viewer: ALICE })).toEqual([1]);
    expect(ids(venue, { following: true })).toEqual([]);
  });

  test('active, past, by event, by mode, in pages', () => {
    const venue = listed();
    venue.resolve({ 101: 'long' });
    expect(ids(venue, { viewer: ALICE, active: true })).toEqual([2]);
    expect(ids(venue, { viewer: ALICE, pastBets: true })).toEqual([4]);
    expect(ids(venue, { viewer: ALICE, mode: 'play_money' })).toEqual([4]);
    expect(ids(venue, { viewer: ALICE, eventId: 99 })).toEqual([]);
    expect(venue.exchange.wagers({ viewer: ALICE, limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      offset: 1,
      pageSize: 1,
      results: [{ id: 2 }],
    });
  });

  test('a private wager is not found by others', () => {
    const venue = listed();
    expect(venue.exchange.wager(wagerId(2), BOB)).toBeNull();
    expect(venue.exchange.wager(wagerId(2), null)).toBeNull();
    expect(venue.exchange.wager(wagerId(1), null)?.id).toBe(1);
    expect(venue.exchange.wager(wagerId(99), ALICE)).toBeNull();
  });

  test('of one event: active ones, inactive ones, or all', () => {
    const venue = listed();
    venue.resolve({ 101: 'long' });
    const of = (query: object) =>
      venue.exchange
        .eventWagers({ viewer: ALICE, eventId: EVENT, mode: 'play_money', ...query })
        ?.map(({ id }) => Number(id));
    expect(of({})).toEqual([]);
    expect(of({ pastBets: true })).toEqual([4]);
    expect(of({ active: false })).toEqual([4]);
    expect(of({ active: true })).toEqual([]);
    expect(of({ mode: 'real_money' })).toEqual([2]);
    expect(of({ eventId: 99 })).toBeUndefined();
  });
});
