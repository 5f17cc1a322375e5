import { describe, expect, it } from 'vitest';
import type { Approved, VenueRequest } from '../../../../../src/domain/effects.js';
import { type OrderId, eventId, marketId, orderId } from '../../../../../src/domain/ids.js';
import type { LimitOrder, OrderReplacement } from '../../../../../src/domain/orders.js';
import { priceUnits, shares } from '../../../../../src/domain/units.js';
import { requestedOrders } from '../../../../../src/core/engine/observing/observation.js';
import type { OwnOrder } from '../../../../../src/core/execution/orders/own-order.js';

const SIZE = { price: priceUnits(5_000), shares: shares(100), expiresAt: null };
const PLACE = { eventId: eventId(9), marketId: marketId(3), currency: 'OOM' } as const;
const known = { byId: (id: OrderId) => (id === String(7) ? STANDING : undefined) };
const STANDING = { marketId: marketId(3), side: 'bid', position: 'short', bookSide: 'ask' } as OwnOrder;

const named = (request: VenueRequest) =>
  requestedOrders(request, known).map(({ marketId: market, bookSide }) => [market, bookSide]);

describe('the orders that a request names', () => {
  it('are those that it creates, on their side of the long book', () => {
    const orders = [
      { ...PLACE, ...SIZE, side: 'bid', position: 'long' },
      { ...PLACE, ...SIZE, side: 'bid', position: 'short' },
    ] as readonly LimitOrder[] as readonly Approved<LimitOrder>[];
    expect(named({ kind: 'create-orders', orders })).toEqual([
      ['3', 'bid'],
      ['3', 'ask'],
    ]);
  });

  it('are those that it replaces, by the place of the order replaced', () => {
    const place = { ...PLACE, side: 'ask', position: 'long' } as const;
    const replacement = { orderId: orderId(8), place, ...SIZE } as Approved<OrderReplacement>;
    expect(named({ kind: 'replace-orders', replacements: [replacement] })).toEqual([['3', 'ask']]);
  });

  it('are those that it cancels, as far as we know them', () => {
    expect(named({ kind: 'cancel-orders', orderIds: [orderId(7), orderId(8)] })).toEqual([['3', 'ask']]);
  });

  it('are none where it reads or cancels a scope', () => {
    const scope = { kind: 'event', eventId: eventId(9) } as const;
    expect(named({ kind: 'cancel-scope', scope })).toEqual([]);
    expect(named({ kind: 'read-orders' })).toEqual([]);
  });
});
