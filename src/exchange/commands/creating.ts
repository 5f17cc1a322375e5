/** Place order, place batch (specification 4.4, 4.7). */
import type { OrderId } from '../../domain/ids.js';
import type { Account } from '../accounts.js';
import type {
  ItemResult,
  OrderRefusal,
  OrderRequest,
  OrderView,
  PlaceBatch,
  PlaceBatchOutcome,
  PlaceOrder,
  PlaceOutcome,
} from '../contract.js';
import type { Floor } from '../floor.js';
import { admit, isAdmitted } from '../orders/admission.js';
import { orderView } from '../orders/order-words.js';
import { placeOrder, processingMs } from '../orders/placing.js';

const NO_IDS: readonly OrderId[] = [];

export function executePlaceOrder(floor: Floor, command: PlaceOrder): PlaceOutcome {
  const account = floor.accounts.get(command.account);
  const admission = admit(floor, account, command.order, 0);
  if (!isAdmitted(admission)) return { ok: false, refusal: admission };
  const cancelledIds = idsOf(floor, admission.conflicting);
  const row = placeOrder(floor, admission, processingMs(floor, command.misbehaviour));
  return { ok: true, order: orderView(floor, row), cancelledIds };
}

/** Items run in order and see each other; one that fails does not block the others. */
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
  cancelledIds.push(...idsOf(floor, admission.conflicting));
  return { ok: true, value: orderView(floor, placeOrder(floor, admission, delay)) };
}

const idsOf = (floor: Floor, rows: readonly number[]): readonly OrderId[] =>
  rows.length === 0 ? NO_IDS : rows.map((row) => floor.orders.id(row));
