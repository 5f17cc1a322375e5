import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURRENCIES, POSITIONS, SIDES } from '../../../src/domain/vocabulary.js';
import type { OrderView } from '../../../src/exchange/contract.js';
import { Type } from 'typebox';
import { BatchOrder } from '../../../src/venues/futuur/protocol/rest/orders.js';
import { shape } from '../../../src/venues/futuur/protocol/shape.js';
import { batchOrder as batchOrderBody, listedOrder } from '../../../src/exchange-server/present/rest.js';

const time = fc.integer({ min: 1, max: 4_000_000_000_000_000 });
const counts = fc.integer({ min: 0, max: 10 ** 12 });
const views = fc.record({
  id: fc.nat(),
  account: fc.nat(),
  eventId: fc.nat(),
  marketId: fc.nat(),
  side: fc.constantFrom(...SIDES),
  position: fc.constantFrom(...POSITIONS),
  currency: fc.constantFrom(...CURRENCIES),
  price: fc.option(fc.integer({ min: 1, max: 9_999 })),
  shares: counts,
  filled: counts,
  filledAmount: counts,
  amount: counts,
  status: fc.constantFrom('processing', 'open', 'partial_filled', 'filled', 'canceled'),
  expiresAt: fc.option(time),
  createdAt: time,
}) as unknown as fc.Arbitrary<OrderView>;

const batchOrder = shape(Type.Object(BatchOrder.properties, { additionalProperties: false }));

test('a batch order has the second shape of 2.3, and tells what the listing tells', () => {
  fc.assert(
    fc.property(views, (view) => {
      const written: unknown = JSON.parse(JSON.stringify(batchOrderBody(view)));
      const listed = listedOrder(view);
      expect(batchOrder.problems(written)).toEqual({});
      expect(written).toEqual({
        id: listed.id,
        event: String(view.eventId),
        market: String(listed.market),
        price: listed.price,
        shares: listed.shares,
        shares_requested: listed.shares,
        shares_filled: String(view.filled / 100),
        currency: listed.currency,
        side: listed.side,
        position: listed.position,
        expired_at: listed.expired_at,
        status: listed.status,
        created: listed.created_at,
      });
    }),
  );
});
