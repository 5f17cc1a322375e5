import type { Shares } from '../../domain/units.js';
import { ZERO_SHARES } from '../../domain/units.js';
import type { CancelReason, RealtimeOrderStatus } from '../contract.js';
import type { Floor } from '../floor.js';
import { stakeOf } from './order-stake.js';
import { kindOf, realtimeStatus } from './order-words.js';

/** Tells the owner that an order was created. */
export const sayCreated = (floor: Floor, row: number): void =>
  say(floor, row, null, ZERO_SHARES, null, false);

/** Tells the owner that an order opened or was filled. @param previous status code before */
export const sayProgress = (floor: Floor, row: number, previous: number, delta: Shares): void =>
  say(floor, row, realtimeStatus(previous), delta, null, false);

/** Tells the owner that an order ended unfilled. @param previous status code before */
export const sayEnded = (floor: Floor, row: number, previous: number, reason: CancelReason): void =>
  say(floor, row, realtimeStatus(previous), ZERO_SHARES, reason, !isByUser(reason));

/** Whether a reason lies with the user; the others are the venue's doing. */
const isByUser = (reason: CancelReason): boolean =>
  reason === 'user-requested' || reason === 'replaced' || reason === 'conflicting-order';

function say(
  floor: Floor,
  row: number,
  previousStatus: RealtimeOrderStatus | null,
  filledDelta: Shares,
  cancelReason: CancelReason | null,
  systemInitiated: boolean,
): void {
  const { orders } = floor;
  const { account, book } = stakeOf(floor, row);
  const { id: marketId, event } = book.market;
  const { side, position, currency } = kindOf(orders, row);
  const filled = orders.filled(row);
  const requested = orders.requested(row);
  floor.outbox.say({
    kind: 'order-update',
    account: account.id,
    orderId: orders.id(row),
    marketId,
    eventId: event.id,
    status: realtimeStatus(orders.status(row)),
    previousStatus,
    side,
    position,
    currency,
    price: orders.price(row),
    requested: requested === 0 ? filled : requested,
    filled,
    filledDelta,
    filledAmount: orders.filledAmount(row),
    cancelReason,
    systemInitiated,
    expiresAt: orders.expiresAt(row),
    at: floor.now,
  });
}
