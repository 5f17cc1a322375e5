/** Place order, place batch, batch update: idempotent, and refused when sent twice (facts, "Limits"). */
import type { Account } from '../accounts.js';
import type {
  CancelRefusal,
  ItemResult,
  Misbehaviour,
  OrderRefusal,
  OrderRequest,
  OrderUpdateRequest,
  OrderView,
  PlaceBatch,
  PlaceBatchOutcome,
  PlaceOrder,
  PlaceOutcome,
  UpdateBatch,
  UpdateBatchOutcome,
  UpdateRefusal,
} from '../contract.js';
import type { OrderId } from '../../domain/ids.js';
import type { Floor } from '../floor.js';
import { currencyOf, positionAt, sideAt } from '../codes.js';
import { admit, isAdmitted, type Admission } from '../orders/admission.js';
import { closeOrder } from '../orders/closing.js';
import { CANCELED, EXPIRED, FILLED, OPEN, PROCESSING } from '../orders/order-rows.js';
import { orderView } from '../orders/order-words.js';
import { placeOrder } from '../orders/placing.js';

export function executePlaceOrder(floor: Floor, command: PlaceOrder): PlaceOutcome {
  const account = floor.accounts.get(command.account);
  const admission = admit(floor, account, command.order, 0);
  if (!isAdmitted(admission)) return { ok: false, refusal: admission };
  const cancelledIds = idsOf(floor, admission.conflicting);
  const row = placeOrder(floor, admission, processingMs(floor, command.misbehaviour));
  return { ok: true, order: orderView(floor, row), cancelledIds };
}

export function executePlaceBatch(floor: Floor, command: PlaceBatch): PlaceBatchOutcome {
  const account = floor.accounts.get(command.account);
  const delay = processingMs(floor, command.misbehaviour);
  const cancelledIds: OrderId[] = [];
  const items = command.orders.map((request) => placeItem(floor, account, request, delay, cancelledIds));
  return { ok: true, items, cancelledIds };
}

function placeItem(
  floor: Floor,
  account: Account,
  request: OrderRequest,
  delay: number,
  cancelledIds: OrderId[],
): ItemResult<OrderView, OrderRefusal> {
  const admission = admit(floor, account, request, 0);
  if (!isAdmitted(admission)) return { ok: false, why: admission };
  for (const row of admission.conflicting) cancelledIds.push(floor.orders.id(row));
  return { ok: true, value: orderView(floor, placeOrder(floor, admission, delay)) };
}

export function executeUpdateBatch(floor: Floor, command: UpdateBatch): UpdateBatchOutcome {
  const account = floor.accounts.get(command.account);
  const items = command.updates.map((update) => ({
    orderId: update.orderId,
    ...updateItem(floor, account, update, command.misbehaviour),
  }));
  return { ok: true, items };
}

/** An item that fails leaves its order untouched; the replacement is last in time. */
function updateItem(
  floor: Floor,
  account: Account,
  update: OrderUpdateRequest,
  misbehaviour: Misbehaviour | undefined,
): ItemResult<OrderView, UpdateRefusal> {
  const row = ownRow(floor, account, update.orderId);
  const why = row === 0 ? 'not-found' : notUpdatable(floor.orders.status(row));
  if (why !== null) return { ok: false, why: { code: why } };
  const admission = admit(floor, account, replacementOf(floor, row, update), row);
  if (!isAdmitted(admission)) return { ok: false, why: admission };
  closeOrder(floor, row, 'replaced');
  if (misbehaviour?.loseReplacement === true) return { ok: false, why: { code: 'lost' } };
  return { ok: true, value: replaceBy(floor, admission, misbehaviour) };
}

const replaceBy = (floor: Floor, admission: Admission, misbehaviour: Misbehaviour | undefined): OrderView =>
  orderView(floor, placeOrder(floor, admission, processingMs(floor, misbehaviour)));

const NO_IDS: readonly OrderId[] = [];
const idsOf = (floor: Floor, rows: readonly number[]): readonly OrderId[] =>
  rows.length === 0 ? NO_IDS : rows.map((row) => floor.orders.id(row));

/** The row of an account's own order, 0 when it has no such order. */
export function ownRow(floor: Floor, account: Account, id: OrderId): number {
  const row = floor.orders.row(id);
  return row !== 0 && floor.orders.account(row) === account.index ? row : 0;
}

function notUpdatable(status: number): CancelRefusal | 'not-open' | null {
  if (status === OPEN) return null;
  return closedWord(status) ?? 'not-open';
}

/** Why an order of this status cannot be cancelled, null when it can. */
export function closedWord(status: number): CancelRefusal | null {
  if (status === PROCESSING) return 'processing';
  if (status === FILLED) return 'filled';
  return status === CANCELED || status === EXPIRED ? 'canceled' : null;
}

function replacementOf({ orders, markets }: Floor, row: number, update: OrderUpdateRequest): OrderRequest {
  return {
    marketId: markets.bookAt(orders.book(row)).market.id,
    eventId: null,
    side: sideAt(orders.side(row)),
    position: positionAt(orders.position(row)),
    currency: currencyOf(orders.currency(row)),
    price: update.price ?? orders.price(row),
    shares: update.shares ?? orders.requested(row),
    amount: null,
    expiresAt: update.expiresAt === undefined ? orders.expiresAt(row) : update.expiresAt,
    cancelConflicting: false,
  };
}

const processingMs = (floor: Floor, misbehaviour: Misbehaviour | undefined): number =>
  misbehaviour?.processingMs ?? floor.config.processingDelayMs;
