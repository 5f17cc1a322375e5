/** Realtime frames of the private channel, as domain inputs. */
import { eventId, marketId, orderId } from '../../../../domain/ids.js';
import type { BalanceInput, DepositInput, OrderInput, HoldingInput } from '../../../../domain/inputs.js';
import type { Shares } from '../../../../domain/units.js';
import { readMoney, readPrice, readShares } from '../decimals.js';
import type { ReceivedPayloads } from '../realtime/events.js';
import { readOptionalTimestamp, readTimestamp, readUnixSeconds } from '../timestamps.js';
import { orderUpdateOf } from './order-update.js';
import { readPosition } from './words.js';

export const readOrderUpdate = (wire: ReceivedPayloads['order-update']): OrderInput =>
  orderUpdateOf({
    orderId: orderId(wire.order_id),
    marketId: marketId(wire.market_id),
    eventId: eventId(wire.event_id),
    side: wire.side,
    position: readPosition(wire.position, 'position'),
    currency: wire.currency,
    price: wire.price === null ? null : readPrice(wire.price, 'price'),
    status: wire.status,
    requested: readShares(wire.shares_requested, 'shares_requested'),
    filled: readShares(wire.shares_filled, 'shares_filled'),
    filledNow: readOptionalShares(wire.shares_filled_delta, 'shares_filled_delta'),
    averageFillPrice: wire.avg_fill_price ?? null,
    createdAt: null,
    expiresAt: readOptionalTimestamp(wire.expired_at, 'expired_at'),
    cancelReason: wire.cancel_reason ?? null,
    systemInitiated: wire.is_system_initiated ?? false,
    venueTime: readTimestamp(wire.timestamp, 'timestamp'),
  });

const readOptionalShares = (value: number | null | undefined, field: string): Shares | null =>
  value === null || value === undefined ? null : readShares(value, field);

export const readPositionUpdate = (wire: ReceivedPayloads['position-update']): HoldingInput => ({
  kind: 'holding',
  holding: {
    marketId: marketId(wire.market_id),
    eventId: eventId(wire.event_id),
    position: readPosition(wire.position, 'position'),
    currency: wire.currency,
    shares: readShares(wire.shares, 'shares', 'floor'),
    purchasesAmount: wire.purchases_amount ?? null,
  },
});

export const readBalanceChanged = (wire: ReceivedPayloads['balance-changed']): BalanceInput => ({
  kind: 'balance',
  venueTime: readUnixSeconds(wire.timestamp, 'timestamp'),
});

/** Digits finer than the money grid are floored: never more than was paid in. */
export const readDeposit = (wire: ReceivedPayloads['deposit-success']): DepositInput => ({
  kind: 'deposit',
  amount: readMoney(wire.amount, 'amount', 'floor'),
  currency: wire.currency,
});
