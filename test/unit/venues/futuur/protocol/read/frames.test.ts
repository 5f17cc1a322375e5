import { describe, expect, it } from 'vitest';
import type { FeedInput } from '../../../../../../src/domain/inputs.js';
import { feedInput, readRealtimeEvent } from '../../../../../../src/venues/futuur/protocol/read/frames.js';
import { PAYLOADS } from '../samples.js';

const micros = (text: string): number => Date.parse(text) * 1_000;

describe('each event becomes the engine input of its kind', () => {
  it('order-book-update: floors foreign shares and leaves out what is empty then', () => {
    expect(feedInput('order-book-update', 'event-873', PAYLOADS['order-book-update'])).toEqual({
      kind: 'book',
      eventId: '873',
      marketId: '2231',
      mode: 'real_money',
      topN: 5,
      bids: { prices: [5_200, 4_900], shares: [123, 300] },
      asks: { prices: [5_400, 5_500], shares: [1_000, 2_050] },
      venueTime: micros('2026-01-31T09:30:00.250Z'),
    });
  });

  it('best-prices-change: a side without orders is null', () => {
    expect(feedInput('best-prices-change', 'event', PAYLOADS['best-prices-change'])).toEqual({
      kind: 'touch',
      eventId: '873',
      marketId: '2231',
      mode: 'real_money',
      bid: null,
      ask: 5_400,
    });
  });

  it('price-change', () => {
    expect(feedInput('price-change', 'event', PAYLOADS['price-change'])).toEqual({
      kind: 'event-status',
      eventId: '873',
      status: 'open',
      mode: 'real_money',
      wagerable: true,
      volumePlayMoney: null,
      volumeRealMoney: 120_500_000,
      markets: [{ marketId: '2231', status: 'active', resolution: null }],
    });
  });

  it('new-market', () => {
    expect(feedInput('new-market', 'event', PAYLOADS['new-market'])).toEqual({
      kind: 'market-listed',
      eventId: '873',
      marketId: '2233',
      title: 'Candidate C',
      status: 'active',
      betStart: null,
      betEnd: micros('2026-03-01T00:00:00Z'),
    });
  });

  it('live-data-update: statuses may be one letter', () => {
    expect(feedInput('live-data-update', 'event', PAYLOADS['live-data-update'])).toEqual({
      kind: 'event-live',
      eventId: '873',
      status: 'paused',
      resolution: null,
      isLive: true,
      eventStart: micros('2026-02-01T00:00:00Z'),
      eventEnd: null,
    });
  });

  it('market-comment: the event is its question', () => {
    expect(feedInput('market-comment', 'event', PAYLOADS['market-comment'])).toEqual({
      kind: 'comment',
      eventId: '873',
      commentId: 9,
      content: 'surely A',
    });
  });

  it('order-update: the position may be one letter, and an average price is kept as it is', () => {
    expect(feedInput('order-update', 'private-user-1', PAYLOADS['order-update'])).toEqual({
      kind: 'order',
      report: {
        orderId: '501',
        marketId: '2231',
        eventId: '873',
        side: 'bid',
        position: 'short',
        currency: 'USDC',
        price: 5_200,
        status: 'partial_filled',
        requested: 1_325,
        filled: 325,
        filledNow: 325,
        averageFillPrice: 0.515,
        createdAt: null,
        expiresAt: micros('2026-02-01T00:00:00Z'),
      },
      cancelReason: 'user_requested',
      systemInitiated: true,
      venueTime: micros('2026-01-31T09:30:00.250Z'),
    });
  });

  it('order-update: what is optional may be missing', () => {
    const { shares_filled_delta, cancel_reason, expired_at, is_system_initiated, ...required } =
      PAYLOADS['order-update'];
    expect([shares_filled_delta, cancel_reason, expired_at, is_system_initiated]).toHaveLength(4);
    const bare = { ...required, position: 'long', price: null, avg_fill_price: null, previous_status: null };
    expect(feedInput('order-update', 'private-user-1', bare)).toMatchObject({
      report: { position: 'long', price: null, averageFillPrice: null, expiresAt: null },
      cancelReason: null,
      systemInitiated: false,
    });
  });

  it('order-update: that nothing was filled now is told as well, and another thing than not to say so', () => {
    const told = (delta: number | null): FeedInput | null =>
      feedInput('order-update', 'private-user-1', {
        ...PAYLOADS['order-update'],
        shares_filled_delta: delta,
      });
    expect(told(0)).toHaveProperty('report.filledNow', 0);
    expect(told(null)).not.toHaveProperty('report.filledNow');
  });

  it('position-update: shares finer than the grid are floored for selling', () => {
    expect(feedInput('position-update', 'private-user-1', PAYLOADS['position-update'])).toEqual({
      kind: 'holding',
      holding: {
        marketId: '2231',
        eventId: '873',
        position: 'long',
        currency: 'USDC',
        shares: 1_325,
        purchasesAmount: 6.89,
      },
    });
  });

  it('balance-changed, deposit-success and test-event', () => {
    expect(feedInput('balance-changed', 'private-user-1', PAYLOADS['balance-changed'])).toEqual({
      kind: 'balance',
      venueTime: 1_769_851_800_000_000,
    });
    expect(feedInput('deposit-success', 'private-user-1', PAYLOADS['deposit-success'])).toEqual({
      kind: 'deposit',
      amount: 25_500_000,
      currency: 'USDC',
    });
    expect(feedInput('test-event', 'test-channel', {})).toEqual({ kind: 'test' });
  });
});

describe('a payload that cannot be placed is a malformed frame with its reason', () => {
  const book = PAYLOADS['order-book-update'];
  it.each([
    ['order-book-update', {}, 'market_id is required'],
    ['order-book-update', { ...book, bid: [{ ...book.bid[0], price: 0.52005 }] }, 'bid: expected at most 4'],
    ['order-book-update', { ...book, bid: [{ ...book.bid[0], price: 1 }] }, 'bid: expected a price between'],
    ['order-book-update', { ...book, bid: [{ ...book.bid[0], price: Number.NaN }] }, 'bid.0.price must be'],
    ['order-book-update', { ...book, bid: [book.bid[0], book.bid[0]] }, 'bid: a price stands twice'],
    [
      'order-book-update',
      { ...book, ask: [{ ...book.ask[0], total_shares: -1 }] },
      'ask: expected shares of',
    ],
    ['order-book-update', { ...book, timestamp: 'yesterday' }, 'timestamp: expected an ISO 8601 time'],
    ['order-update', { ...PAYLOADS['order-update'], position: 'x' }, 'position must be one of'],
    [
      'order-update',
      { ...PAYLOADS['order-update'], shares_filled: 0.001 },
      'shares_filled: expected at most 2',
    ],
    ['live-data-update', { status: 'zz' }, 'id is required'],
    ['price-change', { ...PAYLOADS['price-change'], is_wagerable: 'yes' }, 'is_wagerable must be'],
    ['balance-changed', { timestamp: 1e300 }, 'timestamp: expected an ISO 8601'],
  ] as const)('%s: %#', (name, payload, reason) => {
    expect(feedInput(name, 'event-873', payload)).toEqual({
      kind: 'malformed',
      event: name,
      channel: 'event-873',
      reason: expect.stringContaining(reason) as string,
    });
  });
});

describe('a status that nobody knows puts its event in doubt, whichever message states it', () => {
  const live = PAYLOADS['live-data-update'];
  const price = PAYLOADS['price-change'];
  it.each([
    ['live-data-update', { ...live, status: 'zz' }, live.id],
    ['live-data-update', { ...live, is_live: 'perhaps' }, live.id],
    ['price-change', { ...price, status: 'suspended' }, price.id],
    ['price-change', { ...price, status: 7 }, price.id],
    ['price-change', { ...price, markets: [{ ...price.markets[0], status: 'suspended' }] }, price.id],
  ] as const)(
    'is taken for a status of its event that nobody can place: %s, %#',
    (name, payload, eventId) => {
      expect(feedInput(name, 'event', payload)).toEqual({
        kind: 'market-status',
        understood: false,
        eventId: String(eventId),
        marketId: null,
        venueTime: null,
      });
    },
  );
});

it('levels out of order are put in order', () => {
  const book = PAYLOADS['order-book-update'];
  const shuffled = { ...book, bid: book.bid.toReversed(), ask: book.ask.toReversed() };
  expect(readRealtimeEvent('order-book-update', 'event-873', shuffled)).toEqual(
    readRealtimeEvent('order-book-update', 'event-873', book),
  );
});

it('an event that is none of the venue is nothing', () => {
  expect(feedInput('pusher:pong', '', {})).toBeNull();
  expect(feedInput('constructor', 'event', {})).toBeNull();
});
