import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../../../../src/domain/errors.js';
import { eventId, marketId, orderId } from '../../../../../../src/domain/ids.js';
import type { AccountWideCancel, LimitOrder, OrderReplacement } from '../../../../../../src/domain/orders.js';
import {
  micros,
  money,
  priceUnits,
  shares,
  type PriceUnits,
  type Shares,
} from '../../../../../../src/domain/units.js';
import {
  encodeMarketOrder,
  type MarketOrder,
  encodeAccountWideCancel,
  encodeBatchCancel,
  encodeBatchCreate,
  encodeBatchUpdate,
  encodeLimitOrder,
  encodeScopedCancel,
} from '../../../../../../src/venues/futuur/protocol/write/orders.js';
import {
  batchEnvelope,
  batchOrderCreation,
  orderUpdateItem,
} from '../../../../../../src/venues/futuur/protocol/rest/orders.js';

const ORDER: LimitOrder = {
  eventId: eventId(873),
  marketId: marketId(2231),
  side: 'bid',
  position: 'long',
  currency: 'USDC',
  price: priceUnits(5_200),
  shares: shares(1_325),
  expiresAt: null,
};
const REPLACEMENT: OrderReplacement = {
  orderId: orderId(501),
  place: ORDER,
  price: priceUnits(5_100),
  shares: shares(1_000),
  expiresAt: micros(1_767_225_600_000_001),
  says: 'all',
};
const MARKET_ORDER: MarketOrder = {
  kind: 'market-order',
  eventId: eventId(873),
  marketId: marketId(2231),
  side: 'ask',
  position: 'short',
  currency: 'OOM',
  limit: { shares: shares(500) },
};

describe('requests as they go over the wire', () => {
  it('a limit order states price and shares exactly', () => {
    expect(JSON.stringify(encodeLimitOrder(ORDER))).toBe(
      '{"market":2231,"event":873,"side":"bid","currency":"USDC","position":"long","price":0.52,"shares":"13.25","expired_at":null}',
    );
  });

  it('a replacement states decimal texts and its expiry', () => {
    expect(encodeBatchUpdate([REPLACEMENT])).toEqual({
      orders: [{ id: 501, shares: '10', price: '0.51', expired_at: '2026-01-01T00:00:00.000001Z' }],
    });
  });

  it('a market order says its null price, and either shares or amount', () => {
    expect(encodeMarketOrder(MARKET_ORDER)).toEqual({
      market: 2231,
      event: 873,
      side: 'ask',
      currency: 'OOM',
      position: 'short',
      price: null,
      shares: '5',
    });
    expect(encodeMarketOrder({ ...MARKET_ORDER, limit: { amount: money(2_500_000) } })).toMatchObject({
      price: null,
      amount: '2.5',
    });
  });

  it('cancels name their orders or their scope', () => {
    expect(encodeBatchCancel([orderId(1), orderId(2)])).toEqual({ order_ids: [1, 2] });
    expect(encodeScopedCancel({ kind: 'event', eventId: eventId(873) })).toEqual({ event: 873 });
    expect(encodeScopedCancel({ kind: 'market', eventId: eventId(873), marketId: marketId(2231) })).toEqual({
      event: 873,
      market: 2231,
    });
    expect(encodeAccountWideCancel({ kind: 'account-wide', confirmedBy: 'operator' })).toEqual({});
  });

  it('fit the shapes that the exchange checks', () => {
    expect(batchEnvelope.accepts(encodeBatchCreate([ORDER]))).toBe(true);
    expect(batchOrderCreation.accepts(encodeLimitOrder(ORDER))).toBe(true);
    expect(batchOrderCreation.accepts(encodeMarketOrder(MARKET_ORDER))).toBe(true);
    expect(orderUpdateItem.accepts(encodeBatchUpdate([REPLACEMENT]).orders[0])).toBe(true);
  });
});

/** Values that types forbid and that must not reach the wire all the same. */
const NO_NUMBERS = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  null,
  undefined,
  '1',
  0.5,
  -1,
  0,
];

describe('what would become another request is refused', () => {
  it.each(NO_NUMBERS)('a limit order or replacement at price %j', (price) => {
    expect(() => encodeLimitOrder({ ...ORDER, price: price as PriceUnits })).toThrow(InvariantError);
    expect(() => encodeBatchUpdate([{ ...REPLACEMENT, price: price as PriceUnits }])).toThrow(InvariantError);
  });

  it.each([10_000, 10_001])('a limit order at price %i', (price) => {
    expect(() => encodeLimitOrder({ ...ORDER, price: priceUnits(price) })).toThrow(
      'refused to encode: order at price',
    );
  });

  it.each(NO_NUMBERS)('an order of %j shares', (amount) => {
    const wrong = amount as Shares;
    expect(() => encodeLimitOrder({ ...ORDER, shares: wrong })).toThrow(InvariantError);
    expect(() => encodeBatchUpdate([{ ...REPLACEMENT, shares: wrong }])).toThrow(InvariantError);
    expect(() => encodeMarketOrder({ ...MARKET_ORDER, limit: { shares: wrong } })).toThrow(InvariantError);
    expect(() => encodeMarketOrder({ ...MARKET_ORDER, limit: { amount: amount as never } })).toThrow(
      InvariantError,
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, -1, 0, 0.5])('an expiry of %j', (time) => {
    expect(() => encodeLimitOrder({ ...ORDER, expiresAt: time as never })).toThrow(InvariantError);
  });

  it.each([Number.NaN, undefined, null, -1, 0.5])('an id of %j', (id) => {
    const wrong = id as never;
    expect(() => encodeLimitOrder({ ...ORDER, marketId: wrong })).toThrow(InvariantError);
    expect(() => encodeBatchCancel([wrong])).toThrow(InvariantError);
    expect(() => encodeScopedCancel({ kind: 'event', eventId: wrong })).toThrow(InvariantError);
    expect(() => encodeScopedCancel({ kind: 'market', eventId: eventId(1), marketId: wrong })).toThrow(
      InvariantError,
    );
  });

  it('an empty batch, and one of more than 20 orders or 500 ids', () => {
    for (const count of [0, 21]) {
      expect(() => encodeBatchCreate(Array.from({ length: count }, () => ORDER))).toThrow(
        `batch of ${count}`,
      );
      expect(() => encodeBatchUpdate(Array.from({ length: count }, () => REPLACEMENT))).toThrow(
        InvariantError,
      );
    }
    for (const count of [0, 501])
      expect(() => encodeBatchCancel(Array.from({ length: count }, () => orderId(1)))).toThrow(
        InvariantError,
      );
  });

  it('an account-wide cancel that no operator confirmed', () => {
    expect(() => encodeAccountWideCancel({} as AccountWideCancel)).toThrow(InvariantError);
  });
});
