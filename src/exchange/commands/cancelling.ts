/** Single cancel, batch cancel, cancel-all (specification 4.6, 4.9, 4.10). */
import type { OrderId } from '../../domain/ids.js';
import type { Account } from '../money/accounts.js';
import type {
  CancelAll,
  CancelAllOutcome,
  CancelBatch,
  CancelBatchOutcome,
  CancelOrder,
  CancelOutcome,
} from '../contract.js';
import type { Floor } from '../floor.js';
import { closeOrder } from '../orders/closing.js';
import { closedWord, workingRow } from '../orders/order-lookup.js';
import { PROCESSING } from '../orders/order-rows.js';
import { workingOrders } from '../orders/own-orders.js';
import type { Stake } from '../money/stakes.js';

export const executeCancelOrder = (floor: Floor, command: CancelOrder): CancelOutcome =>
  cancelOne(floor, floor.accounts.get(command.account), command.orderId);

export function executeCancelBatch(floor: Floor, command: CancelBatch): CancelBatchOutcome {
  const account = floor.accounts.get(command.account);
  const items = command.orderIds.map((orderId) => ({ orderId, ...cancelOne(floor, account, orderId) }));
  return { items };
}

function cancelOne(floor: Floor, account: Account, orderId: OrderId): CancelOutcome {
  const row = workingRow(floor, account, orderId);
  const why = closedWord(floor, account, orderId, row);
  if (why !== null) return { ok: false, why };
  closeOrder(floor, row, 'user-requested');
  return { ok: true, value: orderId };
}

export function executeCancelAll(floor: Floor, command: CancelAll): CancelAllOutcome {
  const account = floor.accounts.get(command.account);
  const canceledIds: OrderId[] = [];
  const processingIds: OrderId[] = [];
  for (const row of scopedOrders(floor, account, command)) {
    const isProcessing = floor.orders.status(row) === PROCESSING;
    (isProcessing ? processingIds : canceledIds).push(floor.orders.id(row));
    if (!isProcessing) closeOrder(floor, row, 'user-requested');
  }
  return { canceledIds, processingIds };
}

/** Working orders within the scope, in order of their ids. */
function scopedOrders({ orders, stakes }: Floor, account: Account, command: CancelAll): number[] {
  const rows = stakes
    .ofAccount(account)
    .filter((stake) => isInScope(stake, command))
    .flatMap((stake) => workingOrders(orders, stake));
  return rows.sort((a, b) => orders.id(a) - orders.id(b));
}

const isInScope = ({ book }: Stake, { eventId, marketId }: CancelAll): boolean =>
  (eventId ?? book.market.event.id) === book.market.event.id &&
  (marketId ?? book.market.id) === book.market.id;
