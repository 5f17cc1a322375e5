/** Market orders: a type and an encoder of their own, so that no limit order can become one by accident. */
import { InvariantError } from '../../../../domain/errors.js';
import type { EventId, MarketId } from '../../../../domain/ids.js';
import type { Money, Shares } from '../../../../domain/units.js';
import type { Currency, Position, Side } from '../../../../domain/vocabulary.js';
import { formatMoney, formatShares } from '../decimals.js';
import type { BatchOrderCreation } from '../rest/order-batches.js';
import { wireId, wireShares } from './orders.js';

/** Executes at the best available prices; what it cannot fill is canceled, never rests (facts, "Trading rules"). */
export interface MarketOrder {
  readonly kind: 'market-order';
  readonly eventId: EventId;
  readonly marketId: MarketId;
  readonly side: Side;
  readonly position: Position;
  readonly currency: Currency;
  /** Fills at most these shares, or spends at most this amount. */
  readonly limit: { readonly shares: Shares } | { readonly amount: Money };
}

/** The price is null, and says so. @throws InvariantError when the limit is not positive */
export function encodeMarketOrder(order: MarketOrder): BatchOrderCreation {
  return {
    market: wireId(order.marketId, 'market'),
    event: wireId(order.eventId, 'event'),
    side: order.side,
    currency: order.currency,
    position: order.position,
    price: null,
    ...limitMembers(order.limit),
  };
}

function limitMembers(limit: MarketOrder['limit']): { shares: string } | { amount: string } {
  if ('shares' in limit) return { shares: formatShares(wireShares(limit.shares)) };
  if (!Number.isSafeInteger(limit.amount) || limit.amount <= 0) {
    throw new InvariantError(`refused to encode: market order for ${limit.amount}`);
  }
  return { amount: formatMoney(limit.amount) };
}
