/** Place order, place batch (specification 4.4, 4.7). */
import type { OrderId } from '../../domain/ids.js';
import type { Account } from '../money/accounts.js';
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
import { admit } from '../orders/admission.js';
import { orderView } from '../orders/order-words.js';
import { placeOrder, processingMs } from '../orders/placing.js';

const NO_IDS: readonly OrderId[] = [];

export function executePlaceOrder(floor: Floor, command: PlaceOrder): PlaceOutcome {
  const account = floor.accounts.get(command.account);
  const refusal = admit(floor, account, command.order, 0);
  if (refusal !== null) return { ok: false, refusal };
  const cancelledIds = conflictingIds(floor);
  const row = placeOrder(floor, processingMs(floor, command.misbehaviour));
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
  const why = admit(floor, account, request, 0);
  if (why !== null) return { ok: false, why };
  cancelledIds.push(...conflictingIds(floor));
  return { ok: true, value: orderView(floor, placeOrder(floor, delay)) };
}

/** What the order of the ticket will cancel, oldest first. */
function conflictingIds({ orders, ticket: { conflicting } }: Floor): readonly OrderId[] {
  if (conflicting.count === 0) return NO_IDS;
  const ids: OrderId[] = [];
  for (let place = 0; place < conflicting.count; place++) ids.push(orders.id(conflicting.at(place)));
  return ids;
}
