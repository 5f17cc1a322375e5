import { describe, expect, test } from 'vitest';
import { marketId, type MarketId } from '../../../src/exchange/contract/ids.js';
import type { Money } from '../../../src/domain/units.js';
import { ALICE, BLUE, BOB, EVENT, RED, TestVenue, order } from '../../support/exchange/test-venue.js';

describe('order-update', () => {
  test('carries every field of a creation', () => {
    const venue = new TestVenue();
    const expiresAt = venue.after(60);
    venue.placed(ALICE, 'bid short 5 @ 0.4', { expiresAt });
    expect(venue.said('order-update')).toEqual([
      {
        kind: 'order-update',
        account: ALICE,
        orderId: 1,
        marketId: RED,
        eventId: EVENT,
        status: 'open',
        previousStatus: null,
        side: 'bid',
        position: 'short',
        currency: 'USDC',
        price: 4_000,
        requested: 500,
        filled: 0,
        filledDelta: 0,
        filledAmount: 0,
        cancelReason: null,
        systemInitiated: false,
        expiresAt,
        at: venue.at,
      },
    ]);
  });

  test('a maker hears of each fill, a taker of all of them at once, in the order they happen', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 2 @ 0.6');
    venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.placed(BOB, 'bid short 4 @ 0.5');
    const told = venue.events.filter(({ kind }) => kind === 'order-update' || kind === 'trade');
    expect(told).toMatchObject([
      { kind: 'order-update', orderId: 3, status: 'open', previousStatus: null },
      { kind: 'trade', tradeId: 1, price: 6_000, shares: 200 },
      { kind: 'order-update', orderId: 1, status: 'filled', previousStatus: 'open', filledDelta: 200 },
      { kind: 'trade', tradeId: 2, price: 5_000, shares: 200 },
      { kind: 'order-update', orderId: 2, status: 'partial_filled', filledDelta: 200, filled: 200 },
      {
        kind: 'order-update',
        orderId: 3,
        status: 'filled',
        previousStatus: 'open',
        filled: 400,
        filledDelta: 400,
        filledAmount: 200 * 4_000 + 200 * 5_000,
      },
    ]);
  });

  test('a cancel says whose doing it was', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 2 @ 0.6');
    venue.cancel(ALICE, bid.id);
    expect(venue.said('order-update')).toMatchObject([
      { cancelReason: 'user-requested', systemInitiated: false, previousStatus: 'open', status: 'canceled' },
    ]);
  });
});

describe('order-book-update', () => {
  test('carries the absolute best N levels of both sides', () => {
    const venue = new TestVenue({ exchange: { topN: 2 } });
    for (const price of ['0.10', '0.20', '0.30']) venue.placed(ALICE, `bid long 1 @ ${price}`);
    venue.placed(BOB, 'bid short 3 @ 0.55');
    expect(venue.said('order-book-update')).toEqual([
      {
        kind: 'order-book-update',
        marketId: RED,
        eventId: EVENT,
        mode: 'real_money',
        topN: 2,
        bids: { prices: [3_000, 2_000], shares: [100, 100] },
        asks: { prices: [4_500], shares: [300] },
        at: venue.at,
      },
    ]);
  });

  test('is sent only when the best N levels changed', () => {
    const venue = new TestVenue({ exchange: { topN: 2 } });
    for (const price of ['0.10', '0.20', '0.30']) venue.placed(ALICE, `bid long 1 @ ${price}`);
    venue.placed(ALICE, 'bid long 1 @ 0.15');
    expect(venue.said('order-book-update')).toEqual([]);
    venue.placed(ALICE, 'bid long 1 @ 0.20');
    expect(venue.said('order-book-update')).toMatchObject([{ bids: { shares: [100, 200] } }]);
    venue.cancel(ALICE, venue.placed(ALICE, 'bid long 1 @ 0.05').id);
    expect(venue.said('order-book-update')).toEqual([]);
  });

  test('a level that leaves lets the next one into sight', () => {
    const venue = new TestVenue({ exchange: { topN: 1 } });
    venue.placed(ALICE, 'bid long 1 @ 0.20');
    const best = venue.placed(ALICE, 'bid long 1 @ 0.30');
    venue.cancel(ALICE, best.id);
    expect(venue.said('order-book-update')).toMatchObject([{ bids: { prices: [2_000] } }]);
  });

  test('a command that ends where it began says nothing of the book', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 5 @ 0.5');
    venue.update(ALICE, { orderId: bid.id });
    expect(venue.kinds()).toEqual(['order-update', 'order-update']);
  });

  test('one message per market and command, whatever its number of items', () => {
    const venue = new TestVenue();
    const orders = [
      order('bid long 1 @ 0.5'),
      order('bid long 1 @ 0.4'),
      order('bid long 1 @ 0.4', { marketId: marketId(101) }),
    ];
    venue.run({ kind: 'place-batch', account: ALICE, request: null, orders });
    expect(venue.said('order-book-update').map((update) => update.marketId)).toEqual([100, 101]);
    expect(venue.said('balance-changed')).toHaveLength(1);
  });
});

describe('best-prices-change', () => {
  test('is sent when the best bid or ask changes, not when only its size does', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 1 @ 0.5');
    expect(venue.said('best-prices-change')).toEqual([
      {
        kind: 'best-prices-change',
        marketId: RED,
        eventId: EVENT,
        mode: 'real_money',
        bid: 5_000,
        ask: null,
      },
    ]);
    venue.placed(ALICE, 'bid long 1 @ 0.5');
    expect(venue.said('best-prices-change')).toEqual([]);
    venue.placed(BOB, 'bid short 1 @ 0.4');
    expect(venue.said('best-prices-change')).toMatchObject([{ bid: 5_000, ask: 6_000 }]);
  });

  test('a market that takes no orders is skipped; when it does again, what changed is told', () => {
    const venue = new TestVenue();
    const bid = venue.placed(ALICE, 'bid long 1 @ 0.5');
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'paused' });
    venue.cancel(ALICE, bid.id);
    expect(venue.said('order-book-update')).toHaveLength(1);
    expect(venue.said('best-prices-change')).toEqual([]);
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'open' });
    expect(venue.said('best-prices-change')).toMatchObject([{ bid: null, ask: null }]);
  });
});

describe('price-change', () => {
  test('tells price and volume of the event with all its markets', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 2 @ 0.5');
    expect(venue.said('price-change')).toEqual([]);
    venue.placed(BOB, 'bid short 1 @ 0.45');
    expect(venue.said('price-change')).toEqual([
      {
        kind: 'price-change',
        eventId: EVENT,
        mode: 'real_money',
        status: 'open',
        wagerable: true,
        wagersPlayMoney: 0,
        wagersRealMoney: 0,
        volumePlayMoney: 0,
        volumeRealMoney: 0,
        markets: [
          { marketId: 100, status: 'active', resolution: null, playMoney: null, realMoney: 10_500 },
          { marketId: 101, status: 'active', resolution: null, playMoney: null, realMoney: null },
        ],
      },
    ]);
    venue.placed(BOB, 'bid short 1 @ 0.5', { cancelConflicting: true });
    expect(venue.said('price-change')).toMatchObject([
      { wagersRealMoney: 2, volumeRealMoney: 1_000_000, markets: [{ realMoney: 10_500 }, {}] },
    ]);
  });

  test('lists the likeliest market of its currency mode first, those without a price last', () => {
    const venue = new TestVenue();
    const quote = (marketId: MarketId, currency: string, price: string): void => {
      venue.placed(ALICE, `bid long 2 @ ${price} ${currency}`, { marketId });
      venue.placed(BOB, `bid short 1 @ ${(1 - Number(price)).toFixed(2)} ${currency}`, { marketId });
    };
    const order = () =>
      venue
        .said('price-change')
        .at(-1)
        ?.markets.map(({ marketId }) => marketId);
    quote(BLUE, 'USDC', '0.20');
    expect(order()).toEqual([BLUE, RED]);
    quote(RED, 'USDC', '0.70');
    expect(order()).toEqual([RED, BLUE]);
    quote(RED, 'OOM', '0.30');
    quote(BLUE, 'OOM', '0.60');
    expect(order()).toEqual([BLUE, RED]);
  });

  test('stays silent while neither price nor volume changes', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 2 @ 0.5');
    venue.placed(BOB, 'bid short 1 @ 0.45');
    venue.placed(ALICE, 'bid long 2 @ 0.5');
    venue.placed(ALICE, 'bid long 2 @ 0.4');
    expect(venue.said('price-change')).toEqual([]);
  });
});

describe('balance-changed and position-update', () => {
  test('locking changes the balance, a maker’s fill does not unless something is left over', () => {
    const venue = new TestVenue({
      exchange: {
        fees: {
          play_money: { taker: 0 as Money, maker: 0 as Money },
          real_money: { taker: 0 as Money, maker: 0 as Money },
        },
      },
    });
    venue.placed(ALICE, 'bid long 2 @ 0.5');
    expect(venue.said('balance-changed')).toEqual([
      { kind: 'balance-changed', account: ALICE, at: venue.at },
    ]);
    venue.placed(BOB, 'bid short 2 @ 0.5');
    expect(venue.said('balance-changed').map(({ account }) => account)).toEqual([BOB]);
  });

  test('a position is told once per command with shares and cost', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 2 @ 0.6');
    venue.placed(ALICE, 'bid long 2 @ 0.5');
    venue.placed(BOB, 'bid short 4 @ 0.5');
    expect(venue.said('position-update')).toEqual([
      {
        kind: 'position-update',
        account: BOB,
        wagerId: 1,
        marketId: RED,
        eventId: EVENT,
        position: 'short',
        currency: 'USDC',
        shares: 400,
        purchasesAmount: 200 * 4_000 + 200 * 5_000,
      },
      {
        kind: 'position-update',
        account: ALICE,
        wagerId: 2,
        marketId: RED,
        eventId: EVENT,
        position: 'long',
        currency: 'USDC',
        shares: 400,
        purchasesAmount: 200 * 6_000 + 200 * 5_000,
      },
    ]);
  });

  test('a resolution tells the positions that ended and the balances it paid', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 2 @ 0.6');
    venue.placed(BOB, 'bid short 2 @ 0.4');
    venue.resolve({ 100: 'long', 101: 'short' });
    expect(venue.said('position-update').map(({ account, shares }) => [account, shares])).toEqual([
      [ALICE, 0],
      [BOB, 0],
    ]);
    expect(venue.said('balance-changed').map(({ account }) => account)).toEqual([ALICE]);
    expect(venue.said('live-data-update')).toMatchObject([{ status: 'resolved', resolution: 'Red' }]);
    expect(venue.said('market-status-change').map(({ marketId: id, status }) => [id, status])).toEqual([
      [100, 'resolved'],
      [101, 'resolved'],
      [null, 'resolved'],
    ]);
  });
});
