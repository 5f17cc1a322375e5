import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventId, marketId, orderId } from '../../../../../src/domain/ids.js';
import type { LimitOrder, OrderReplacement, Said } from '../../../../../src/domain/orders.js';
import { micros, type PriceUnits, priceUnits, shares } from '../../../../../src/domain/units.js';
import { CURRENCIES, POSITIONS, SIDES } from '../../../../../src/domain/vocabulary.js';
import { readJson } from '../../../../../src/venues/futuur/protocol/json-spelling.js';
import type { JsonObject } from '../../../../../src/venues/futuur/protocol/json-values.js';
import { NESTED_STYLES } from '../../../../../src/venues/futuur/protocol/signed-values.js';
import { bodyParameters } from '../../../../../src/venues/futuur/protocol/signing.js';
import {
  batchCreateTexts,
  batchUpdateTexts,
} from '../../../../../src/venues/futuur/protocol/write/batch-texts.js';
import {
  encodeBatchCreate,
  encodeBatchUpdate,
} from '../../../../../src/venues/futuur/protocol/write/orders.js';

const id = fc.maxSafeInteger().filter((value) => value >= 0);
const terms = {
  price: fc.integer({ min: 1, max: 9_999 }).map(priceUnits),
  shares: fc.integer({ min: 1, max: 10 ** 12 }).map(shares),
  expiresAt: fc.option(fc.integer({ min: 1, max: 4 * 10 ** 15 }).map(micros)),
};
const place = {
  eventId: id.map(eventId),
  marketId: id.map(marketId),
  side: fc.constantFrom(...SIDES),
  position: fc.constantFrom(...POSITIONS),
  currency: fc.constantFrom(...CURRENCIES),
};
const order: fc.Arbitrary<LimitOrder> = fc.record({ ...place, ...terms });
const replacement: fc.Arbitrary<OrderReplacement> = fc.record({
  orderId: id.map(orderId),
  place: fc.record(place),
  ...terms,
  says: fc.constantFrom<Said>('price', 'price-and-shares', 'price-and-expiry', 'all'),
});
const batchOf = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 20 });
const nested = fc.constantFrom(...NESTED_STYLES);

it('the texts of a batch create are those of the general encoding', () => {
  fc.assert(
    fc.property(batchOf(order), nested, (orders, style) => {
      const json = JSON.stringify(encodeBatchCreate(orders));
      const parameters = bodyParameters(readJson(json).value as JsonObject, style);
      expect(batchCreateTexts(orders, style)).toEqual({ json, parameters });
    }),
  );
});

it('the texts of a batch update are those of the general encoding', () => {
  fc.assert(
    fc.property(batchOf(replacement), nested, (replacements, style) => {
      const json = JSON.stringify(encodeBatchUpdate(replacements));
      const parameters = bodyParameters(readJson(json).value as JsonObject, style);
      expect(batchUpdateTexts(replacements, style)).toEqual({ json, parameters });
    }),
  );
});

it('whatever was written before does not show', () => {
  const few = {
    price: fc.constantFrom(4_000, 4_100, 4_150).map(priceUnits),
    shares: fc.constantFrom(1_000, 1_050).map(shares),
    expiresAt: fc.constantFrom(null, micros(1_800_000_000_000_000)),
    says: fc.constantFrom<Said>('price', 'price-and-shares', 'all'),
  };
  const alike = fc.record({ orderId: id.map(orderId), place: fc.record(place), ...few });
  const oneOfAKind = fc
    .tuple(batchOf(alike), alike)
    .map(([items, { shares: size, expiresAt, says }]) =>
      items.map((item) => ({ ...item, shares: size, expiresAt, says })),
    );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(oneOfAKind, batchOf(alike)), { maxLength: 6 }),
      nested,
      (batches, style) => {
        for (const items of batches) {
          const json = JSON.stringify(encodeBatchUpdate(items));
          const parameters = bodyParameters(readJson(json).value as JsonObject, style);
          expect(batchUpdateTexts(items, style)).toEqual({ json, parameters });
        }
      },
    ),
  );
});

it('a price that is none is refused whatever was written before', () => {
  const at = (price: number) => ({
    orderId: orderId(1),
    place: {
      eventId: eventId(1),
      marketId: marketId(1),
      side: 'bid',
      position: 'long',
      currency: 'OOM',
    } as const,
    price: price as PriceUnits,
    shares: shares(100),
    expiresAt: null,
    says: 'price' as const,
  });
  batchUpdateTexts([at(4_000), at(5_000)], 'python');
  batchUpdateTexts([at(4_000), at(5_000)], 'python');
  for (const price of [0, 10_000, Number.NaN, 0.5])
    for (const items of [
      [at(4_000), at(price)],
      [at(price), at(4_000)],
    ])
      expect(() => batchUpdateTexts(items, 'python')).toThrow('refused to encode');
});
