/** Single orders (specification 4.4 to 4.6). */
import type { EventId, MarketId, OrderId } from '../../../domain/ids.js';
import type { CancelRefusal, OrderOrdering, OrderQuery } from '../../../exchange/contract.js';
import type { QueryValues } from '../../../venues/futuur/protocol/query.js';
import { ENDPOINTS } from '../../../venues/futuur/protocol/rest/endpoints.js';
import { listedOrder } from '../../present/orders.js';
import { type Answer, answered, answeredEmpty, refused, refusedFields } from '../answer.js';
import type { EndpointHandlers } from '../call.js';
import { readSingleOrder } from '../order-input.js';
import { misbehaviour, requestIdentity } from './creation.js';
import { answeredPage, paging, readOrdering } from './paging.js';
import type { EndpointParts } from './parts.js';
import { cancelError, refusedCommand } from './refusals.js';

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
      const ordering = readOrderOrdering(call.query.ordering);
      if (ordering === null) return refusedFields({ ordering: [`must be one of ${ORDERINGS.join(', ')}`] });
      const query = { ...orderQuery(call.query), ...ordering, ...paging(call) };
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

/** @returns null when the field is none that orders are ordered by */
function readOrderOrdering(text: string | undefined): Pick<OrderQuery, 'ordering'> | null {
  if (text === undefined || text === '') return {};
  const ordering = readOrdering(text, ORDERINGS);
  return ordering === null ? null : { ordering };
}

/** What is not named is not filtered, but the status: it is `open` then. */
const orderQuery = (query: OrdersQuery): Omit<OrderQuery, 'limit' | 'offset' | 'ordering'> => ({
  status: query.status ?? 'open',
  ...(query.side === undefined ? {} : { side: query.side }),
  ...(query.market === undefined ? {} : { marketId: query.market as MarketId }),
  ...(query.event === undefined ? {} : { eventId: query.event as EventId }),
  ...(query.currency === undefined ? {} : { currency: query.currency }),
  ...(query.currency_mode === undefined ? {} : { mode: query.currency_mode }),
  ...(query.currencies === undefined ? {} : { currencies: query.currencies }),
  ...(query.categories === undefined ? {} : { categories: query.categories }),
  ...(query.search === undefined ? {} : { search: query.search }),
});
