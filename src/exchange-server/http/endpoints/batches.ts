/** Batches and cancel-all (specification 4.7 to 4.10). */
import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import type { ItemResult, OrderRefusal, OrderView, UpdateRefusal } from '../../../exchange/contract.js';
import type { FieldProblems, ItemErrors } from '../../../venues/futuur/protocol/errors.js';
import { batchCancel, batchEnvelope, cancelAll } from '../../../venues/futuur/protocol/rest/order-batches.js';
import { batchOrderText } from '../../present/orders.js';
import { Answer, answered, refused, refusedFields } from '../answer.js';
import type { Call, EndpointHandlers } from '../call.js';
import { type InputReading, readBatchOrder, readOrderUpdate } from '../order-input.js';
import { misbehaviour, requestIdentity } from './creation.js';
import type { EndpointParts } from './parts.js';
import { cancelError, itemErrors, refusedCommand, updateErrors } from './refusals.js';

type BatchEndpoint = 'batchCreate' | 'batchUpdate' | 'batchCancel' | 'cancelAll';

export const batchEndpoints = (parts: EndpointParts): Pick<EndpointHandlers, BatchEndpoint> => ({
  batchCreate: (call) => {
    const { value } = call.body;
    if (!batchEnvelope.accepts(value)) return refusedFields(batchEnvelope.problems(value));
    return call.fault?.kind === 'half_applied'
      ? halfCreated(parts, call, value.orders)
      : createBatch(parts, call, value.orders);
  },
  batchUpdate: (call) => {
    const { value } = call.body;
    if (!batchEnvelope.accepts(value)) return refusedFields(batchEnvelope.problems(value));
    return updateBatch(parts, call, value.orders);
  },
  batchCancel: (call) => {
    const { value } = call.body;
    if (!batchCancel.accepts(value)) return refusedFields(batchCancel.problems(value));
    const orderIds = value.order_ids as OrderId[];
    if (call.fault?.kind === 'half_applied') return halfCancelled(parts, call, orderIds);
    return cancelBatch(parts, call, orderIds);
  },
  cancelAll: ({ caller, body: { value } }) => {
    if (!cancelAll.accepts(value)) return refusedFields(cancelAll.problems(value));
    const { canceledIds, processingIds } = parts.funnel.execute({
      kind: 'cancel-all',
      account: caller.accountId,
      eventId: (value.event ?? null) as EventId | null,
      marketId: (value.market ?? null) as MarketId | null,
    });
    return answered({ canceled_order_ids: canceledIds, processing_order_ids: processingIds });
  },
});

function createBatch(
  { funnel }: EndpointParts,
  call: Call<'batchCreate'>,
  items: readonly unknown[],
): Answer {
  const readings = items.map(readBatchOrder);
  const outcome = funnel.execute({
    kind: 'place-batch',
    account: call.caller.accountId,
    request: requestIdentity(call.idempotencyKey, call.body),
    orders: readable(readings),
    ...misbehaviour(call.fault),
  });
  if (!outcome.ok) return refusedCommand(outcome.refusal);
  const results = merged<OrderView, OrderRefusal>(readings, outcome.items);
  const texts = results.map((result, index) => `{"index":${index},${itemText(result, itemErrors)}}`);
  return new Answer(
    200,
    `{"results":[${texts.join(',')}],"cancelled_existing_order_ids":[${outcome.cancelledIds.join(',')}]}`,
  );
}

function updateBatch(
  { funnel }: EndpointParts,
  call: Call<'batchUpdate'>,
  items: readonly unknown[],
): Answer {
  const readings = items.map(readOrderUpdate);
  const { idempotencyKey: key } = call;
  const outcome = funnel.execute({
    kind: 'update-batch',
    account: call.caller.accountId,
    request: key === null ? null : requestIdentity(key, call.body),
    updates: readable(readings),
    ...misbehaviour(call.fault),
  });
  if (!outcome.ok) return refusedCommand(outcome.refusal);
  const results = merged<OrderView, UpdateRefusal>(readings, outcome.items);
  const texts = results.map((result, index) => {
    const id = submittedId(items[index]);
    return `{"index":${index},"order_id":${id},${itemText(result, updateErrors)}}`;
  });
  return new Answer(200, `[${texts.join(',')}]`);
}

function cancelBatch(
  { funnel }: EndpointParts,
  { caller }: Call<'batchCancel'>,
  orderIds: readonly OrderId[],
): Answer {
  const { items } = funnel.execute({ kind: 'cancel-batch', account: caller.accountId, orderIds });
  return answered(
    items.map((item, index) => ({
      index,
      order_id: item.orderId,
      success: item.ok,
      ...(item.ok ? {} : { error: cancelError(item.why) }),
    })),
  );
}

/** The venue fails on the way: the first half has taken effect, and nothing remembers the request. */
function halfCreated(
  { funnel }: EndpointParts,
  call: Call<'batchCreate'>,
  items: readonly unknown[],
): Answer {
  const orders = readable(items.slice(0, Math.ceil(items.length / 2)).map(readBatchOrder));
  funnel.execute({ kind: 'place-batch', account: call.caller.accountId, request: null, orders });
  return refused('InternalError');
}

function halfCancelled(
  parts: EndpointParts,
  call: Call<'batchCancel'>,
  orderIds: readonly OrderId[],
): Answer {
  cancelBatch(parts, call, orderIds.slice(0, Math.ceil(orderIds.length / 2)));
  return refused('InternalError');
}

const readable = <Value>(readings: readonly InputReading<Value>[]): readonly Value[] =>
  readings.flatMap((reading) => (reading.ok ? [reading.value] : []));

/** An item of the request: what the core made of it, or why the core never saw it. */
type Merged<Value, Why> = ItemResult<Value, Why> | { readonly ok: false; readonly fields: FieldProblems };

/** Puts the results of the items that could be read back into the places of the request. */
function merged<Value, Why>(
  readings: readonly InputReading<unknown>[],
  results: readonly ItemResult<Value, Why>[],
): readonly Merged<Value, Why>[] {
  const remaining = results.values();
  return readings.map((reading) => (reading.ok ? remaining.next().value! : reading));
}

/** The members that tell how an item fared; the order itself is written as text, see {@link batchOrderText}. */
function itemText<Why>(result: Merged<OrderView, Why>, errors: (why: Why) => ItemErrors): string {
  if (result.ok) return `"success":true,"order":${batchOrderText(result.value)}`;
  const problem = 'fields' in result ? result.fields : errors(result.why);
  return `"success":false,"errors":${JSON.stringify(problem)}`;
}

/** The id that an update item names, null when it names none. */
function submittedId(item: unknown): number | null {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}
