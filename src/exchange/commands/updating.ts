/** Batch update (specification 4.8, facts "Trading rules"): only open orders; the replacement is last in time. */
import type { Account } from '../money/accounts.js';
import type {
  Misbehaviour,
  OrderRequest,
  OrderUpdateRequest,
  UpdateBatch,
  UpdateBatchOutcome,
  UpdateItem,
} from '../contract.js';
import type { Floor } from '../floor.js';
import { admit } from '../orders/admission.js';
import { closeOrder } from '../orders/closing.js';
import { closedWord, workingRow } from '../orders/order-lookup.js';
import { OPEN } from '../orders/order-rows.js';
import { kindOf, orderView } from '../orders/order-words.js';
import { placeOrder, processingMs } from '../orders/placing.js';

/** Items run in order. */
export function executeUpdateBatch(floor: Floor, command: UpdateBatch): UpdateBatchOutcome {
  const account = floor.accounts.get(command.account);
  const items = command.updates.map((update) => updateItem(floor, account, update, command.misbehaviour));
  return { ok: true, items };
}

/** An item that fails leaves its order untouched, unless the venue is told to misbehave. */
function updateItem(
  floor: Floor,
  account: Account,
  update: OrderUpdateRequest,
  misbehaviour: Misbehaviour | undefined,
): UpdateItem {
  const { orderId } = update;
  const row = workingRow(floor, account, orderId);
  const why = closedWord(floor, account, orderId, row) ?? notOpen(floor.orders.status(row));
  if (why !== null) return { orderId, ok: false, why: { code: why } };
  const refusal = admit(floor, account, replacementOf(floor, row, update), row);
  if (refusal !== null) return { orderId, ok: false, why: refusal };
  closeOrder(floor, row, 'replaced');
  if (misbehaviour?.loseReplacement === true) return { orderId, ok: false, why: { code: 'lost' } };
  const replacement = placeOrder(floor, processingMs(floor, misbehaviour));
  return { orderId, ok: true, value: orderView(floor, replacement) };
}

const notOpen = (status: number): 'not-open' | null => (status === OPEN ? null : 'not-open');

/** What is not said stays as it is. */
function replacementOf({ orders, markets }: Floor, row: number, update: OrderUpdateRequest): OrderRequest {
  const { side, position, currency } = kindOf(orders, row);
  return {
    marketId: markets.bookAt(orders.book(row)).market.id,
    eventId: null,
    side,
    position,
    currency,
    price: update.price ?? orders.price(row),
    shares: update.shares ?? orders.requested(row),
    amount: null,
    expiresAt: update.expiresAt === undefined ? orders.expiresAt(row) : update.expiresAt,
    cancelConflicting: false,
  };
}
