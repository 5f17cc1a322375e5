/** Creating, updating and cancelling orders (specification 4.4, 4.6 to 4.10). */
import type { OrderId } from '../contract/ids.js';
import { type Account, byId, type Order } from '../accounts/accounts.js';
import type {
  CancelAll,
  CancelAllOutcome,
  CancelBatch,
  CancelBatchOutcome,
  CancelOrder,
  CancelOutcome,
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
  UpdateItem,
} from '../contract.js';
import { checkOrder } from '../orders/checks.js';
import { closeOrder } from '../orders/closing.js';
import { isWorking, orderView } from '../orders/orders.js';
import { placeOrder } from '../orders/placing.js';
import { ownersIn } from '../reads/orders.js';
import type { State } from '../state.js';

/** How long the orders of a command stay in processing. */
const processingMs = ({ config }: State, misbehaviour: Misbehaviour | undefined): number =>
  misbehaviour?.processingMs ?? config.processingDelayMs;

export function executePlaceOrder(state: State, command: PlaceOrder): PlaceOutcome {
  const account = state.accounts.get(command.account);
  const cancelledIds: OrderId[] = [];
  const delay = processingMs(state, command.misbehaviour);
  const placed = placeItem(state, account, command.order, delay, cancelledIds);
  return placed.ok ? { ok: true, order: placed.value, cancelledIds } : { ok: false, refusal: placed.why };
}

/** Items run in order and see each other; one that fails does not block the others. */
export function executePlaceBatch(state: State, command: PlaceBatch): PlaceBatchOutcome {
  const account = state.accounts.get(command.account);
  const cancelledIds: OrderId[] = [];
  const delay = processingMs(state, command.misbehaviour);
  const items = command.orders.map((request) => placeItem(state, account, request, delay, cancelledIds));
  return { ok: true, items, cancelledIds };
}

function placeItem(
  state: State,
  account: Account,
  request: OrderRequest,
  delay: number,
  cancelledIds: OrderId[],
): ItemResult<OrderView, OrderRefusal> {
  const checked = checkOrder(state, account, request, null);
  if (checked.refusal !== null) return { ok: false, why: checked.refusal };
  for (const { id } of checked.conflicting) cancelledIds.push(id);
  return { ok: true, value: orderView(placeOrder(state, checked, delay)) };
}

/** Items run in order. Only open orders can be updated; the replacement is last in time. */
export function executeUpdateBatch(state: State, command: UpdateBatch): UpdateBatchOutcome {
  const account = state.accounts.get(command.account);
  const items = command.updates.map((update): UpdateItem => ({
    ...updateItem(state, account, update, command.misbehaviour),
    orderId: update.orderId,
  }));
  return { ok: true, items };
}

/** An item that fails leaves its order untouched, unless the venue is told to misbehave. */
function updateItem(
  state: State,
  account: Account,
  update: OrderUpdateRequest,
  misbehaviour: Misbehaviour | undefined,
): ItemResult<OrderView, Extract<UpdateItem, { ok: false }>['why']> {
  const found = findWorking(state, account, update.orderId);
  if (!found.ok) return { ok: false, why: { code: found.why } };
  const order = found.value;
  if (order.status !== 'open') return { ok: false, why: { code: 'not-open' } };
  const checked = checkOrder(state, account, replacementOf(order, update), order);
  if (checked.refusal !== null) return { ok: false, why: checked.refusal };
  closeOrder(state, order, 'replaced');
  if (misbehaviour?.loseReplacement === true) return { ok: false, why: { code: 'lost' } };
  const replacement = placeOrder(state, checked, processingMs(state, misbehaviour));
  return { ok: true, value: orderView(replacement) };
}

/** A field that the update leaves out stays as it is. */
function replacementOf(order: Order, update: OrderUpdateRequest): OrderRequest {
  return {
    marketId: order.owner.book.market.id,
    eventId: null,
    side: order.side,
    position: order.position,
    currency: order.currency,
    price: update.price ?? order.price,
    shares: update.shares ?? order.requested,
    amount: null,
    expiresAt: update.expiresAt === undefined ? order.expiresAt : update.expiresAt,
    cancelConflicting: false,
  };
}

export const executeCancelOrder = (state: State, command: CancelOrder): CancelOutcome =>
  cancelOne(state, state.accounts.get(command.account), command.orderId);

export function executeCancelBatch(state: State, command: CancelBatch): CancelBatchOutcome {
  const account = state.accounts.get(command.account);
  return {
    items: command.orderIds.map((orderId) => ({ ...cancelOne(state, account, orderId), orderId })),
  };
}

function cancelOne(state: State, account: Account, orderId: OrderId): CancelOutcome {
  const found = findWorking(state, account, orderId);
  if (!found.ok) return found;
  closeOrder(state, found.value, 'user-requested');
  return { ok: true, value: orderId };
}

/** An own order that can be cancelled, or why there is none. */
function findWorking({ orders }: State, account: Account, id: OrderId): ItemResult<Order, CancelRefusal> {
  const order = orders.find(id);
  if (order === null || order.owner.account !== account) return { ok: false, why: 'not-found' };
  if (order.status === 'processing') return { ok: false, why: 'processing' };
  if (isWorking(order)) return { ok: true, value: order };
  return { ok: false, why: order.status === 'filled' ? 'filled' : 'canceled' };
}

/** Orders in processing cannot be cancelled and are reported. */
export function executeCancelAll(state: State, command: CancelAll): CancelAllOutcome {
  const account = state.accounts.get(command.account);
  const orders = ownersIn(state, account, command.marketId, command.eventId)
    .flatMap((owner) => owner.workingOrders())
    .sort(byId);
  const cancellable = orders.filter(({ status }) => status !== 'processing');
  for (const order of cancellable) closeOrder(state, order, 'user-requested');
  return {
    canceledIds: cancellable.map(({ id }) => id),
    processingIds: orders.filter(({ status }) => status === 'processing').map(({ id }) => id),
  };
}
