import { ZERO_SHARES, type Shares } from '../../domain/units.js';
import type { Currency } from '../../domain/vocabulary.js';
import type { BookAccount, Order, OrderStatus } from '../accounts/accounts.js';
import type { CancelReason, RealtimeOrderStatus } from '../contract.js';
import type { State } from '../state.js';
import { shownShares } from './orders.js';

/** Ends a working order: takes it out of the book, releases its locked funds and tells its owner. */
export function closeOrder(state: State, order: Order, reason: CancelReason): void {
  const { book } = order.owner;
  if (book.matching.cancel(order.id) > 0) state.outbox.touchLevel(book, order.bookSide, order.tick);
  releaseLock(state, order);
  order.owner.remove(order);
  endOrder(state, order, reason);
}

/** Files an order that is in no book any more under the finished ones. */
export function endOrder(state: State, order: Order, reason: CancelReason): void {
  const previous = order.status;
  order.status = reason === 'expired' ? 'expired' : 'canceled';
  sayOrder(state, order, previous, ZERO_SHARES, reason);
  state.orders.finish(order);
}

/** Gives back what an order still has locked. */
export function releaseLock(state: State, order: Order): void {
  const { owner, side, position, currency, locked } = order;
  if (locked === 0) return;
  order.locked = 0;
  if (side === 'bid') lockCash(state, owner, currency, -locked);
  else owner.holding(position, currency).locked -= locked;
}

/** Moves spendable cash into locked cash. @param amount negative: back */
export function lockCash(state: State, { account }: BookAccount, currency: Currency, amount: number): void {
  state.outbox.touchCash(account);
  account.cash[currency] -= amount;
  account.locked[currency] += amount;
}

/** Venue decisions; the other reasons come from the user. */
const SYSTEM_REASONS: ReadonlySet<CancelReason> = new Set<CancelReason>([
  'unfilled-market-order',
  'expired',
  'market-closed',
  'event-cancelled',
  'event-resolved',
]);

/**
 * Tells the owner about an order.
 * @param previous status before; null: the order was created just now
 * @param delta    shares filled by this change
 */
export function sayOrder(
  { outbox, now }: State,
  order: Order,
  previous: OrderStatus | null,
  delta: Shares,
  reason: CancelReason | null = null,
): void {
  const { account, book } = order.owner;
  outbox.say({
    kind: 'order-update',
    account: account.id,
    orderId: order.id,
    marketId: book.market.id,
    eventId: book.market.event.id,
    status: realtimeStatus(order.status),
    previousStatus: previous === null ? null : realtimeStatus(previous),
    side: order.side,
    position: order.position,
    currency: order.currency,
    price: order.price,
    requested: shownShares(order),
    filled: order.filled,
    filledDelta: delta,
    filledAmount: order.filledAmount,
    cancelReason: reason,
    systemInitiated: reason !== null && SYSTEM_REASONS.has(reason),
    expiresAt: order.expiresAt,
    at: now,
  });
}

/** The realtime channel calls an order in processing `pending`. */
const realtimeStatus = (status: OrderStatus): RealtimeOrderStatus =>
  status === 'processing' ? 'pending' : status;
