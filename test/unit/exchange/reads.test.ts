import { describe, expect, test } from 'vitest';
import { eventId, marketId, orderId } from '../../../src/exchange/contract/ids.js';
import { eventConfig, marketConfig } from '../../../src/exchange/defaults.js';
import type { OrderQuery } from '../../../src/exchange/contract.js';
import { ALICE, BOB, EVENT, RED, TestVenue } from '../../support/exchange/test-venue.js';

const PAGE = { limit: 20, offset: 0 };

describe('listing orders', () => {
  function stocked(): TestVenue {
    const venue = new TestVenue();
    const cup = eventConfig({
      id: eventId(20),
      title: 'Who takes the Cup?',
      category: { id: 7, name: 'Sports' },
      markets: [marketConfig({ id: marketId(200), title: 'Lions' })],
    });
    venue.run({ kind: 'add-event', event: cup });
    venue.placed(ALICE, 'bid long 5 @ 0.50');
    venue.placed(ALICE, 'bid short 3 @ 0.30 USD', { marketId: marketId(101), expiresAt: venue.after(60) });
    venue.placed(ALICE, 'bid long 4 @ 0.10 OOM', { marketId: marketId(200) });
    venue.placed(BOB, 'bid long 5 @ 0.40');
    return venue;
  }
  const ids = (venue: TestVenue, query: Partial<OrderQuery>) =>
    venue.exchange.orders(ALICE, { status: 'open', ...PAGE, ...query }).results.map(({ id }) => Number(id));

  test('by status: each order is in exactly one listing', () => {
    const venue = stocked();
    venue.placed(BOB, 'bid short 2 @ 0.5');
    venue.placed(ALICE, 'bid long 1 @ 0.6', { marketId: marketId(101) });
    venue.placed(BOB, 'bid short 1 @ 0.4', { marketId: marketId(101) });
    venue.cancel(ALICE, orderId(3));
    expect(ids(venue, { status: 'partial_filled' })).toEqual([1]);
    expect(ids(venue, { status: 'open' })).toEqual([2]);
    expect(ids(venue, { status: 'canceled' })).toEqual([3]);
    expect(ids(venue, { status: 'filled' })).toEqual([6]);
    expect(ids(venue, { status: 'processing' })).toEqual([]);
  });

  test.each<[string, Partial<OrderQuery>, number[]]>([
    ['side', { side: 'ask' }, []],
    ['market', { marketId: marketId(101) }, [2]],
    ['event', { eventId: EVENT }, [2, 1]],
    ['currency, whatever its case', { currency: 'usd' }, [2]],
    ['currency mode', { mode: 'play_money' }, [3]],
    ['currencies', { currencies: ['OOM', 'usd'] }, [3, 2]],
    ['categories', { categories: [7, 8] }, [3]],
    ['search in the event’s title', { search: 'cup takes' }, [3]],
    ['search in the market’s title', { search: 'BLUE' }, [2]],
    ['search for nothing there', { search: 'blue cup' }, []],
    ['price', { ordering: { field: 'price', descending: false } }, [3, 2, 1]],
    ['shares, descending', { ordering: { field: 'shares', descending: true } }, [1, 3, 2]],
    ['amount', { ordering: { field: 'amount', descending: false } }, [3, 2, 1]],
    ['creation', { ordering: { field: 'created_at', descending: false } }, [1, 2, 3]],
    ['expiry, never last', { ordering: { field: 'expired_at', descending: false } }, [2, 1, 3]],
    ['currency', { ordering: { field: 'currency', descending: true } }, [1, 2, 3]],
    ['limit', { limit: 2 }, [3, 2]],
    ['offset', { limit: 2, offset: 2 }, [1]],
  ])('by %s', (_, query, expected) => {
    expect(ids(stocked(), query)).toEqual(expected);
  });

  test('says how many there are on all pages', () => {
    expect(stocked().exchange.orders(ALICE, { status: 'open', limit: 1, offset: 1 })).toMatchObject({
      total: 3,
      offset: 1,
      pageSize: 1,
    });
  });

  test('finished orders beyond the retention are forgotten, oldest first', () => {
    const venue = new TestVenue({ exchange: { retention: { orders: 2, trades: 10, wagerActions: 10 } } });
    for (let order = 1; order <= 4; order++) {
      venue.cancel(ALICE, venue.placed(ALICE, 'bid long 1 @ 0.5').id);
    }
    expect(ids(venue, { status: 'canceled' })).toEqual([4, 3]);
    expect(venue.exchange.order(ALICE, orderId(1))).toBeNull();
    expect(venue.cancel(ALICE, orderId(1))).toEqual({ ok: false, why: 'not-found' });
  });

  test('another account’s order is not found', () => {
    const venue = stocked();
    expect(venue.exchange.order(BOB, orderId(1))).toBeNull();
    expect(venue.exchange.order(ALICE, orderId(1))?.id).toBe(1);
  });
});

describe('reading a book', () => {
  function stocked(): TestVenue {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 5 @ 0.50');
    venue.placed(BOB, 'bid long 3 @ 0.50');
    venue.placed(BOB, 'bid long 10 @ 0.40');
    venue.placed(BOB, 'bid short 4 @ 0.45');
    venue.placed(BOB, 'bid long 1 @ 0.55', { cancelConflicting: true });
    venue.placed(BOB, 'bid short 4 @ 0.40', { cancelConflicting: true });
    return venue;
  }

  test('levels accumulate from the best one, fees included', () => {
    const book = stocked().exchange.book(RED, 'real_money', 'long', null);
    expect(book?.bids).toEqual([
      {
        price: 5_500,
        shares: 100,
        amount: 550_000,
        fees: 1_000,
        cumulativeShares: 100,
        cumulativeAmount: 550_000,
        cumulativeFees: 1_000,
        userShares: null,
      },
      {
        price: 5_000,
        shares: 800,
        amount: 4_000_000,
        fees: 8_000,
        cumulativeShares: 900,
        cumulativeAmount: 4_550_000,
        cumulativeFees: 9_000,
        userShares: null,
      },
      {
        price: 4_000,
        shares: 1_000,
        amount: 4_000_000,
        fees: 10_000,
        cumulativeShares: 1_900,
        cumulativeAmount: 8_550_000,
        cumulativeFees: 19_000,
        userShares: null,
      },
    ]);
    expect(book?.asks.map(({ price, shares }) => [price, shares])).toEqual([[6_000, 400]]);
  });

  test('the short side is the mirror at 1 - p', () => {
    const book = stocked().exchange.book(RED, 'real_money', 'short', null);
    expect(book?.bids.map(({ price, shares, amount }) => [price, shares, amount])).toEqual([
      [4_000, 400, 1_600_000],
    ]);
    expect(book?.asks.map(({ price, cumulativeAmount }) => [price, cumulativeAmount])).toEqual([
      [4_500, 450_000],
      [5_000, 4_450_000],
      [6_000, 10_450_000],
    ]);
  });

  test('signed, it shows one’s own shares that are not filled yet', () => {
    const venue = stocked();
    venue.run({ kind: 'deposit', account: ALICE, currency: 'USDC', amount: 1 as never });
    venue.placed(ALICE, 'bid short 4 @ 0.45', { cancelConflicting: true });
    const book = venue.exchange.book(RED, 'real_money', 'long', BOB);
    expect(book?.bids.map(({ price, userShares }) => [price, userShares])).toEqual([
      [5_000, 300],
      [4_000, 1_000],
    ]);
    venue.placed(ALICE, 'bid short 1 @ 0.50', { cancelConflicting: true });
    const less = venue.exchange.book(RED, 'real_money', 'long', BOB);
    expect(less?.bids[0]).toMatchObject({ price: 5_000, userShares: 200 });
    venue.placed(ALICE, 'bid short 4 @ 0.50', { cancelConflicting: true });
    const after = venue.exchange.book(RED, 'real_money', 'long', BOB);
    expect(after?.bids.map(({ price, userShares }) => [price, userShares])).toEqual([[4_000, 1_000]]);
    const stranger = venue.exchange.book(RED, 'real_money', 'long', ALICE);
    expect(stranger?.bids.map(({ userShares }) => userShares)).toEqual([0]);
  });

  test('an unknown market has none', () => {
    expect(stocked().exchange.book(marketId(999), 'real_money', 'long', null)).toBeNull();
  });
});

describe('events', () => {
  test('are found by category, tag, words and state', () => {
    const venue = new TestVenue();
    const sport = eventConfig({
      id: eventId(20),
      title: 'Who takes the Cup?',
      category: { id: 7, name: 'Sports' },
      betEnd: venue.after(10),
      markets: [marketConfig({ id: marketId(200), title: 'Lions' })],
    });
    venue.run({ kind: 'add-event', event: sport });
    venue.run({ kind: 'set-live', eventId: EVENT, isLive: true, extraData: null });
    const ids = (query: object) =>
      venue.exchange.events({ ...PAGE, ...query }).results.map(({ id }) => Number(id));
    expect(ids({})).toEqual([10, 20]);
    expect(ids({ categories: [7] })).toEqual([20]);
    expect(ids({ tag: 'sports' })).toEqual([20]);
    expect(ids({ search: 'lions cup' })).toEqual([20]);
    expect(ids({ live: true })).toEqual([10]);
    expect(ids({ pendingResolution: true })).toEqual([]);
    expect(ids({ ordering: { field: 'id', descending: true } })).toEqual([20, 10]);
    expect(ids({ ordering: { field: 'title', descending: true } })).toEqual([20, 10]);
    expect(ids({ ordering: { field: 'bet_end_date', descending: false } })).toEqual([20, 10]);
    expect(ids({ ordering: { field: 'volume', descending: true }, mode: 'real_money' })).toEqual([20, 10]);
    venue.pass(10);
    expect(ids({ pendingResolution: true })).toEqual([20]);
    venue.resolve({ 100: 'long', 101: 'short' });
    expect(ids({ resolvedOnly: true })).toEqual([10]);
    expect(ids({ limit: 1, offset: 1 })).toEqual([20]);
  });

  test('one event shows its markets with their prices', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 1 @ 0.50');
    venue.placed(BOB, 'bid short 1 @ 0.45');
    expect(venue.exchange.event(EVENT)).toMatchObject({
      title: 'Which colour wins?',
      status: 'open',
      wagerable: true,
      slug: 'which-colour-wins',
      markets: [
        { id: 100, order: 0, title: 'Red', realMoney: 10_500, playMoney: null },
        { id: 101, order: 1, realMoney: null },
      ],
    });
    expect(venue.exchange.event(eventId(99))).toBeNull();
  });

  test('a price without both sides is the last trade’s', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 1 @ 0.50');
    venue.placed(BOB, 'bid short 1 @ 0.50');
    expect(venue.exchange.event(EVENT)?.markets[0]?.realMoney).toBe(10_000);
  });
});

describe('price history', () => {
  test('has the last price of each second, within the interval and what was in force before', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 1 @ 0.50');
    venue.placed(BOB, 'bid short 1 @ 0.40');
    const first = venue.at;
    venue.placed(BOB, 'bid short 1 @ 0.42');
    venue.pass(86_400);
    venue.placed(BOB, 'bid short 1 @ 0.44');
    venue.pass(3_600);
    venue.placed(BOB, 'bid short 1 @ 0.45');
    const read = (interval: 'day' | 'week' | null) =>
      venue.exchange.priceHistory(EVENT, 'real_money', interval);
    expect(read(null)).toMatchObject({ mode: 'real_money', interval: 'all_time' });
    expect(read(null)?.points.map(({ at, outcomes }) => [at - first, outcomes[0]?.price])).toEqual([
      [0, 10_800],
      [86_400e6, 10_600],
      [90_000e6, 10_500],
    ]);
    expect(read(null)?.points[0]?.outcomes).toEqual([{ marketId: RED, title: 'Red', price: 10_800 }]);
    venue.pass(86_400 - 3_600);
    expect(read('day')?.points.map(({ at }) => at - first)).toEqual([86_400e6, 90_000e6]);
    expect(read('week')?.points).toHaveLength(3);
    expect(venue.exchange.priceHistory(EVENT, 'play_money', null)?.points).toEqual([]);
    expect(venue.exchange.priceHistory(eventId(99), 'play_money', null)).toBeNull();
  });
});

describe('the register of trades and the ledger', () => {
  test('a trade is registered with both orders and their fees', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 1 @ 0.50');
    venue.placed(BOB, 'bid short 1 @ 0.50');
    expect(venue.exchange.trades(null)).toEqual([
      {
        id: 1,
        marketId: RED,
        mode: 'real_money',
        price: 5_000,
        shares: 100,
        settlement: 'mint',
        takerBookSide: 'ask',
        takerOrderId: 2,
        makerOrderId: 1,
        takerAccount: BOB,
        makerAccount: ALICE,
        takerFee: 1_000,
        makerFee: 0,
        at: venue.at,
      },
    ]);
    expect(venue.exchange.trades(marketId(101))).toEqual([]);
  });

  test('the latest trades are kept', () => {
    const venue = new TestVenue({ exchange: { retention: { orders: 10, trades: 2, wagerActions: 10 } } });
    venue.placed(ALICE, 'bid long 3 @ 0.50');
    for (let trade = 0; trade < 3; trade++) venue.placed(BOB, 'bid short 1 @ 0.50');
    expect(venue.exchange.trades(null).map(({ id }) => id)).toEqual([2, 3]);
  });

  test('the account shows what it can spend', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 10 @ 0.5');
    expect(venue.exchange.account(ALICE)).toMatchObject({
      username: 'alice',
      wallet: { OOM: 1e9, USDC: 1e9 - 5_010_000, USDT: 1e9, USD: 1e9 },
    });
    expect(venue.exchange.account(99 as never)).toBeNull();
  });

  test('the author of a comment shows a record of wins', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 10 @ 0.5');
    venue.placed(BOB, 'bid short 10 @ 0.5');
    expect(venue.exchange.author(ALICE)).toMatchObject({ winRate: 0, wagersCount: 1, netEarnings: 0 });
    venue.resolve({ 100: 'long' });
    expect(venue.exchange.author(ALICE)).toEqual({
      id: ALICE,
      username: 'alice',
      winRate: 1,
      wagersCount: 1,
      netEarnings: 5_000_000,
    });
    expect(venue.exchange.author(99 as never)).toBeNull();
  });

  test('every read is of the moment of the last command', () => {
    const venue = new TestVenue();
    venue.pass(3);
    expect(venue.exchange.now()).toBe(venue.at);
  });
});
