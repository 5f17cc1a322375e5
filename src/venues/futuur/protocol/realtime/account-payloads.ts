/** Payloads of the private channel (specification 6.3). */
import { Type, type Static } from 'typebox';
import {
  Currency,
  Id,
  maybe,
  nullable,
  OrderStatus,
  PositionWord,
  Probability,
  Side,
  Time,
} from '../wire-types.js';

/** `balance-changed`: Unix seconds and no amount; clients read `GET /me/balances/`. */
export const BalanceChanged = Type.Object({ timestamp: Type.Number({ minimum: 0 }) });
export type BalanceChanged = Static<typeof BalanceChanged>;

/** `deposit-success`. */
export const DepositSuccess = Type.Object({ amount: Type.Number(), currency: Currency });
export type DepositSuccess = Static<typeof DepositSuccess>;

/** `order-update`: `shares_filled` is cumulative, `shares_filled_delta` what this message adds. */
export const OrderUpdate = Type.Object({
  order_id: Id,
  market_id: Id,
  event_id: Id,
  status: OrderStatus,
  previous_status: maybe(Type.String()),
  side: Side,
  position: PositionWord,
  price: nullable(Probability),
  shares_requested: Type.Number(),
  shares_filled: Type.Number(),
  shares_filled_delta: maybe(Type.Number()),
  avg_fill_price: maybe(Type.Number()),
  currency: Currency,
  timestamp: Time,
  cancel_reason: maybe(Type.String()),
  expired_at: maybe(Time),
  is_system_initiated: maybe(Type.Boolean()),
});
export type OrderUpdate = Static<typeof OrderUpdate>;

/** `position-update`: shares held now. */
export const PositionUpdate = Type.Object({
  market_id: Id,
  event_id: Id,
  position: PositionWord,
  currency: Currency,
  shares: Type.Number(),
  purchases_amount: maybe(Type.Number()),
  avg_price: maybe(Type.Number()),
});
export type PositionUpdate = Static<typeof PositionUpdate>;
