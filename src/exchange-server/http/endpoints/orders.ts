/** Single orders (specification 4.4 to 4.6). */
import { hash } from 'node:crypto';
import type { EventId, MarketId, OrderId } from '../../../exchange/contract/ids.js';
import type {
  CancelRefusal,
  OrderOrdering,
  OrderQuery,
  Misbehaviour,
  RequestIdentity,
  CommandRefusal,
  OrderRefusal,
  UpdateRefusal,
  ItemResult,
  OrderView,
} from '../../../exchange/contract.js';
import type { QueryValues } from '../../../venues/futuur/protocol/query.js';
import { ENDPOINTS } from '../../../venues/futuur/protocol/rest/endpoints.js';
import { listedOrder, batchOrder } from '../../present/rest.js';
import { type Answer, answered, answeredEmpty, refused, refusedFields } from '../answer.js';
import type { EndpointHandlers, EndpointParts, Call } from '../call.js';
import { readSingleOrder, type InputReading, readBatchOrder, readOrderUpdate } from '../order-input.js';
import { answeredPage, paging, readOrdering, refusedOrdering } from './paging.js';
import { canonicalBody } from '../../../venues/futuur/protocol/json-spelling.js';
import type { FaultRule, RequestFault } from '../../../venues/simulated/models/faults.js';
import type { JsonBody } from '../input.js';
import {
  ITEM_SENTENCES,
  type ItemErrors,
  type FieldProblems,
} from '../../../venues/futuur/protocol/errors.js';
import { batchCancel, batchEnvelope, cancelAll } from '../../../venues/futuur/protocol/rest/orders.js';

export function orderEndpoints({
  exchange,
  funnel,
}: EndpointParts): Pick<EndpointHandlers, 'createOrder' | 'orders' | 'cancelOrder'> {
  return {
    createOrder: ({ caller, body, idempotencyKey, fault }) => {
      const reading = readSingleOrder(body.value);
      if (!reading.ok) return refusedFields(reading.fields);
      const outcome = funnel.execute({
        kind: 'place-order',
        account: caller.accountId,
        request: requestIdentity(idempotencyKey, body),
        order: reading.value,
        ...misbehaviour(fault),
      });
      if (!outcome.ok) return refusedCommand(outcome.refusal);
      return answered(listedOrder(outcome.order), ENDPOINTS.createOrder.success);
    },
    orders: (call) => {
      const ordering = readOrdering(call.query.ordering, ORDERINGS);
      if (ordering === null) return refusedOrdering(ORDERINGS);
      const query = { ...orderQuery(call.query), ordering, ...paging(call) };
      return answeredPage(call, exchange.orders(call.caller.accountId, query), listedOrder);
    },
    cancelOrder: ({ caller, id }) => {
      const outcome = funnel.execute({
        kind: 'cancel-order',
        account: caller.accountId,
        orderId: id as OrderId,
      });
      return outcome.ok ? answeredEmpty() : refusedCancel(outcome.why);
    },
  };
}

const refusedCancel = (why: CancelRefusal): Answer =>
  why === 'not-found' ? refused('NotFound') : refused('OrderNotCancelable', cancelError(why));

const ORDERINGS: readonly OrderOrdering[] = [
  'id',
  'created_at',
  'expired_at',
  'price',
  'shares',
  'amount',
  'market',
  'side',
  'currency',
  'status',
  'position',
];

type OrdersQuery = QueryValues<(typeof ENDPOINTS)['orders']['query']>;

/** What is not named is not filtered, but the status: it is `open` then. */
const orderQuery = (query: OrdersQuery): Omit<OrderQuery, 'limit' | 'offset' | 'ordering'> => ({
  status: query.status ?? 'open',
  side: query.side,
  marketId: query.market as MarketId | undefined,
  eventId: query.event as EventId | undefined,
  currency: query.currency,
  mode: query.currency_mode,
  currencies: query.currencies,
  categories: query.categories,
  search: query.search,
});

/** What creating requests share: their identity and the misbehaviour they may meet. */

/** How long `slow_processing` keeps an order from the book unless the rule says. */
const SLOW_PROCESSING_MS = 5_000;

/**
 * The digest of the canonical body stands for the body: it is as good for telling two apart, and records of many
 * requests stay small.
 * @param key `Idempotency-Key`, null when there is none
 */
const requestIdentity = (key: string | null, body: JsonBody): RequestIdentity => ({
  key,
  body: hash('sha256', canonicalBody(body), 'base64'),
});

/** A member of the command, or nothing in ordinary runs. */
function misbehaviour(fault: FaultRule<RequestFault> | null): {
  readonly misbehaviour?: Misbehaviour;
} {
  if (fault?.kind === 'slow_processing') {
    return { misbehaviour: { processingMs: fault.ms ?? SLOW_PROCESSING_MS } };
  }
  return fault?.kind === 'half_applied' ? { misbehaviour: { loseReplacement: true } } : {};
}

/** Why the core refused, in the words of the wire (specification 7.2, 7.3). */

/** A whole request. */
const refusedCommand = (refusal: CommandRefusal): Answer =>
  refusal.code === 'ValidationError' ? refusedFields(refusal.fields) : refused(refusal.code);

/** `errors` of one item: a code, or what is wrong by field. */
const itemErrors = (refusal: OrderRefusal): ItemErrors =>
  refusal.code === 'ValidationError' ? refusal.fields : refusal.code;

/** `errors` of one update: as {@link itemErrors}, or a sentence about the order to be replaced. */
const updateErrors = (refusal: UpdateRefusal): ItemErrors =>
  isAboutOldOrder(refusal) ? ITEM_SENTENCES[refusal.code] : itemErrors(refusal);

/** `error` of one cancel. */
const cancelError = (refusal: CancelRefusal): string => ITEM_SENTENCES[refusal];

const isAboutOldOrder = (refusal: UpdateRefusal): refusal is Exclude<UpdateRefusal, OrderRefusal> =>
  Object.hasOwn(ITEM_SENTENCES, refusal.code);

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
  return answered({
    results: results.map((result, index) => ({ index, ...itemBody(result, itemErrors) })),
    cancelled_existing_order_ids: outcome.cancelledIds,
  });
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
  return answered(
    results.map((result, index) => ({
      index,
      order_id: submittedId(items[index]),
      ...itemBody(result, updateErrors),
    })),
  );
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

/** The members that tell how an item fared. */
function itemBody<Why>(result: Merged<OrderView, Why>, errors: (why: Why) => ItemErrors): object {
  if (result.ok) return { success: true, order: batchOrder(result.value) };
  return { success: false, errors: 'fields' in result ? result.fields : errors(result.why) };
}

/** The id that an update item names, null when it names none. */
function submittedId(item: unknown): number | null {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}
