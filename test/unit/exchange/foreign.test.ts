import { describe, expect, test } from 'vitest';
import type { PriceUnits, Shares } from '../../../src/domain/units.js';
import { ladder } from '../../support/exchange/ladder.js';
import { ALICE, BOB, EVENT, RED, TestVenue } from '../../support/exchange/test-venue.js';

type Rows = readonly (readonly [price: number, shares: number])[];

const side = (rows: Rows) => ({
  prices: rows.map(([price]) => Math.round(price * 10_000) as PriceUnits),
  shares: rows.map(([, shares]) => Math.round(shares * 100) as Shares),
});

const line = (venue: TestVenue, bids: Rows, asks: Rows, crossing: 'fill' | 'ignore' = 'fill') =>
  venue.run({
    kind: 'set-foreign-book',
    marketId: RED,
    mode: 'real_money',
    bids: side(bids),
    asks: side(asks),
    depth: 5,
    crossing,
  });

const print = (venue: TestVenue, takerSide: 'bid' | 'ask', price: number, shares: number) =>
  venue.run({
    kind: 'foreign-print',
    marketId: RED,
    mode: 'real_money',
    takerSide,
    price: Math.round(price * 10_000) as PriceUnits,
    shares: Math.round(shares * 100) as Shares,
  });

describe('others’ volume', () => {
  test('a recorded line sets absolute levels beside our orders', () => {
    const venue = new TestVenue();
    venue.placed(ALICE, 'bid long 3 @ 0.52');
    line(
      venue,
      [
        [0.52, 10],
        [0.51, 5],
      ],
      [[0.54, 7]],
    );
    expect(venue.ladder()).toBe(ladder('|0.54| 7 \n 13 |0.52| \n 5 |0.51|'));
    line(venue, [[0.52, 4]], [[0.55, 2]]);
    expect(venue.ladder()).toBe(ladder('|0.55| 2 \n 7 |0.52|'));
  });

  test('we take it, it is paid for by the world, and the ledger still adds up', () => {
    const venue = new TestVenue();
    line(venue, [], [[0.54, 7]]);
    const bought = venue.placed(ALICE, 'bid long 10 @ 0.6');
    expect(bought).toMatchObject({ filled: 700, filledAmount: 700 * 5_400, status: 'partial_filled' });
    expect(venue.held(ALICE, 'long')).toBe(7);
    expect(venue.said('trade')).toMatchObject([
      { settlement: 'mint', maker: { orderId: null, account: null, position: 'short', currency: 'USDC' } },
    ]);
    venue.resolve({ 100: 'long', 101: 'short' });
    expect(venue.system('external')).toBeCloseTo(-3_000 - 7 * 0.46, 6);
    expect(venue.system('collateral')).toBe(0);
  });

  test('what we took stays missing until the recorded size rises', () => {
    const venue = new TestVenue();
    line(venue, [], [[0.54, 7]]);
    venue.placed(ALICE, 'bid long 5 @ 0.54');
    line(venue, [], [[0.54, 7]]);
    expect(venue.ladder()).toBe(ladder('|0.54| 2'));
  });

  test('a print fills what stands ahead of us first, then us', () => {
    const venue = new TestVenue();
    line(venue, [[0.52, 10]], []);
    const order = venue.placed(ALICE, 'bid long 3 @ 0.52');
    print(venue, 'ask', 0.52, 11);
    expect(venue.orderOf(ALICE, order.id)).toMatchObject({ filled: 100, status: 'partial_filled' });
    expect(venue.ladder()).toBe(ladder('2 |0.52|'));
    expect(venue.said('trade').map(({ shares, taker }) => [shares, taker.account])).toEqual([
      [100, null],
      [1_000, null],
    ]);
  });

  test('a print fills our better-priced orders before it reaches its own price', () => {
    const venue = new TestVenue();
    line(venue, [[0.5, 10]], []);
    const order = venue.placed(ALICE, 'bid long 3 @ 0.52');
    print(venue, 'ask', 0.5, 4);
    expect(venue.orderOf(ALICE, order.id)).toMatchObject({ filled: 300, filledAmount: 300 * 5_200 });
  });

  test('a level that crosses our order fills it, or not at all when told so', () => {
    const filling = new TestVenue();
    line(filling, [], []);
    const filled = filling.placed(ALICE, 'bid long 3 @ 0.52');
    line(filling, [], [[0.51, 10]]);
    expect(filling.orderOf(ALICE, filled.id)).toMatchObject({ status: 'filled', filledAmount: 300 * 5_200 });

    const ignoring = new TestVenue({ foreign: true });
    line(ignoring, [], [], 'ignore');
    const resting = ignoring.placed(ALICE, 'bid long 3 @ 0.52');
    line(ignoring, [], [[0.51, 10]], 'ignore');
    expect(ignoring.orderOf(ALICE, resting.id)).toMatchObject({ status: 'open', filled: 0 });
  });

  test('orders that stood there first keep their queue when others are let in', () => {
    const venue = new TestVenue();
    const first = venue.placed(ALICE, 'bid long 3 @ 0.52');
    const second = venue.placed(BOB, 'bid long 3 @ 0.52');
    line(venue, [], []);
    print(venue, 'ask', 0.52, 4);
    expect(venue.orderOf(ALICE, first.id).filled).toBe(300);
    expect(venue.orderOf(BOB, second.id).filled).toBe(100);
  });

  test('while trading is paused the latest line waits and prints do nothing', () => {
    const venue = new TestVenue();
    line(venue, [[0.5, 10]], []);
    const order = venue.placed(ALICE, 'bid long 3 @ 0.52');
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'paused' });
    line(venue, [], [[0.51, 10]]);
    print(venue, 'ask', 0.5, 4);
    expect(venue.orderOf(ALICE, order.id).filled).toBe(0);
    expect(venue.ladder()).toBe(ladder('3 |0.52| \n 10 |0.50|'));
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'open' });
    expect(venue.orderOf(ALICE, order.id).filled).toBe(300);
    expect(venue.ladder()).toBe(ladder('|0.51| 7'));
  });

  test('a line that waits stays what it was although its columns are filled anew', () => {
    const venue = new TestVenue();
    const bids = { ticks: Int32Array.of(50), shares: Float64Array.of(1_000), from: 0, to: 1, isCut: false };
    const asks = {
      ticks: Int32Array.of(0, 53),
      shares: Float64Array.of(0, 700),
      from: 1,
      to: 2,
      isCut: false,
    };
    const terms = { mode: 'real_money', depth: 5, crossing: 'fill' } as const;
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'paused' });
    venue.run({ kind: 'foreign-moment', marketId: RED, prints: [], book: { bids, asks }, ...terms });
    bids.to = 0;
    asks.ticks[1] = 60;
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'open' });
    expect(venue.ladder()).toBe(ladder('|0.53| 7 \n 10 |0.50|'));
  });

  test('the volume of others ends with the trading', () => {
    const venue = new TestVenue();
    line(venue, [[0.5, 10]], [[0.6, 10]]);
    venue.run({ kind: 'set-event-status', eventId: EVENT, status: 'stopped' });
    expect(venue.ladder()).toBe('');
  });

  test.each([
    ['a price off the grid', [[0.525, 1]]],
    [
      'a side not best first',
      [
        [0.5, 1],
        [0.52, 1],
      ],
    ],
    ['a price outside the book', [[1, 1]]],
    ['a size of nothing', [[0.5, 0]]],
  ] satisfies [string, Rows][])('%s is refused and changes nothing', (_, bids) => {
    const venue = new TestVenue();
    line(venue, [[0.4, 2]], []);
    expect(line(venue, bids, []).outcome).toEqual({ ok: false });
    expect(venue.ladder()).toBe(ladder('2 |0.40|'));
  });

  test('the terms of the first line stay in force', () => {
    const venue = new TestVenue();
    line(venue, [[0.4, 2]], []);
    expect(line(venue, [[0.4, 3]], [], 'ignore').outcome).toEqual({ ok: false });
  });

  test('a print without a book hits our orders alone', () => {
    const venue = new TestVenue();
    const order = venue.placed(ALICE, 'bid long 3 @ 0.52');
    print(venue, 'ask', 0.5, 2);
    expect(venue.orderOf(ALICE, order.id).filled).toBe(200);
  });
});
