import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readBatchOrder,
  readOrderUpdate,
  readSingleOrder,
} from '../../../src/exchange-server/http/order-input.js';

const ORDER = { market: 7, side: 'bid', currency: 'OOM', position: 'long', price: 0.5, shares: '10' };
/** A count of a grid as people may write it: number or text, plain or with an exponent or trailing zeros. */
const spelled = (places: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.nat({ max: 3 }))
    .map(([count, style]): readonly [number, unknown] => {
      const text = (count / 10 ** places).toFixed(places);
      return [count, [Number(text), text, `${text}000`, `${count}e-${places}`][style]];
    });

describe('decimals of an order', () => {
  test('on the grid they are its exact count, however spelled', () => {
    fc.assert(
      fc.property(spelled(4), spelled(2), spelled(6), ([price, first], [shares, second], [amount, third]) => {
        const reading = readSingleOrder({ ...ORDER, price: first, shares: second, amount: third });
        expect(reading).toMatchObject({ ok: true, value: { price, shares, amount } });
      }),
    );
  });

  test('off the grid they lie between two counts, so that the rule of the grid refuses them', () => {
    const finer = fc.integer({ min: 1, max: 10 ** 9 }).filter((count) => count % 10 !== 0);
    fc.assert(
      fc.property(finer, finer, (price, shares) => {
        const reading = readBatchOrder({ ...ORDER, price: `${price}e-5`, shares: `${shares}e-3` });
        expect(reading).toMatchObject({
          ok: true,
          value: { price: Math.floor(price / 10) + 0.5, shares: Math.floor(shares / 10) + 0.5 },
        });
      }),
    );
  });
});

describe('what is left out', () => {
  test('an order: a market order of what it names', () => {
    const { price: _price, ...rest } = ORDER;
    expect(readSingleOrder(rest)).toMatchObject({
      ok: true,
      value: { price: null, eventId: null, expiresAt: null },
    });
    expect(readSingleOrder({ ...ORDER, price: null })).toMatchObject({ value: { price: null } });
  });

  test('an update: what is not named is not there, and null removes an expiry', () => {
    expect(readOrderUpdate({ id: 3 })).toEqual({ ok: true, value: { orderId: 3 } });
    expect(readOrderUpdate({ id: 3, expired_at: null })).toEqual({
      ok: true,
      value: { orderId: 3, expiresAt: null },
    });
  });

  test('a position, in a batch: refused', () => {
    const { position: _position, ...rest } = ORDER;
    expect(readSingleOrder(rest)).toMatchObject({ value: { position: 'long' } });
    expect(readBatchOrder(rest)).toEqual({ ok: false, fields: { position: ['is required'] } });
  });
});
