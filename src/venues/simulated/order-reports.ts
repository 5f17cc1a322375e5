/** Orders and refusals of the exchange as answers over the wire would have told them (specification 2.3, 7.2, 7.3). */
import type { ItemOutcome, RequestFailure } from '../../domain/answers.js';
import { eventId, marketId, orderId } from '../../domain/ids.js';
import type { OrderReport } from '../../domain/orders.js';
import type {
  CancelRefusal,
  CommandRefusal,
  ItemResult,
  OrderRefusal,
  OrderView,
  UpdateRefusal,
} from '../../exchange/contract.js';
import {
  firstProblem,
  meaningOf,
  meaningOfRefusal,
  ITEM_REFUSED,
  ITEM_SENTENCES,
  VENUE_ERRORS,
} from '../futuur/protocol/errors.js';

const MILLISECOND = 1_000;

/** The listing's shape: neither event nor fills. */
export const listedOrder = (order: OrderView): OrderReport => reportOf(order, null, null);

/** The shape of batches. */
const placed = (order: OrderView): OrderReport => reportOf(order, eventId(order.eventId), order.filled);

const reportOf = (
  order: OrderView,
  event: OrderReport['eventId'],
  filled: OrderReport['filled'],
): OrderReport => ({
  orderId: orderId(order.id),
  marketId: marketId(order.marketId),
  eventId: event,
  side: order.side,
  position: order.position,
  currency: order.currency,
  price: order.price,
  status: order.status,
  requested: order.shares,
  filled,
  averageFillPrice: null,
  createdAt: order.createdAt,
  expiresAt: order.expiresAt,
});

/** One item of a batch that creates or updates. */
export const placedItem = (
  result: ItemResult<OrderView, OrderRefusal | UpdateRefusal>,
): ItemOutcome<OrderReport> =>
  result.ok ? { ok: true, value: placed(result.value) } : refusedItem(result.why);

/** An item that was refused with a sentence: only people read it. */
export const refusedCancel = (why: CancelRefusal): ItemOutcome<never> => ({
  ok: false,
  code: ITEM_REFUSED,
  means: 'unstated',
  detail: ITEM_SENTENCES[why],
});

function refusedItem(why: OrderRefusal | UpdateRefusal): ItemOutcome<never> {
  if (isSentence(why))
    return { ok: false, code: ITEM_REFUSED, means: 'unstated', detail: ITEM_SENTENCES[why.code] };
  if (why.code === 'ValidationError')
    return {
      ok: false,
      code: why.code,
      means: meaningOf(why.code),
      detail: JSON.stringify(why.fields),
      fields: Object.keys(why.fields),
    };
  return { ok: false, code: why.code, means: meaningOf(why.code) };
}

const isSentence = (why: OrderRefusal | UpdateRefusal): why is Exclude<UpdateRefusal, OrderRefusal> =>
  Object.hasOwn(ITEM_SENTENCES, why.code);

/** A whole request that had no effect. */
export function refusedRequest(refusal: CommandRefusal): RequestFailure {
  const { status, meaning } = VENUE_ERRORS[refusal.code];
  const detail =
    refusal.code === 'ValidationError'
      ? `Invalid: ${Object.keys(refusal.fields).join(', ')}. ${firstProblem(refusal.fields)}`
      : meaning;
  const { code } = refusal;
  const means = meaningOfRefusal({ status, code });
  return { kind: 'refused', status, code, means, detail, retryAfterMs: null };
}

/** @param seconds until the key may ask again */
export const throttled = (seconds: number): RequestFailure => ({
  kind: 'refused',
  status: VENUE_ERRORS.Throttled.status,
  code: 'Throttled',
  means: 'throttled',
  detail: VENUE_ERRORS.Throttled.meaning,
  retryAfterMs: seconds * MILLISECOND,
});
