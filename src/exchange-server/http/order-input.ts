/** Order inputs of the wire (specification 2.4, 4.8) as requests to the core. */
import type { MarketId, EventId, OrderId } from '../../exchange/contract/ids.js';
import type { Micros } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { OrderRequest, OrderUpdateRequest } from '../../exchange/contract.js';
import {
  DecimalError,
  MONEY_PLACES,
  PRICE_PLACES,
  readDecimal,
  SHARE_PLACES,
} from '../../venues/futuur/protocol/decimals.js';
import type { FieldProblems } from '../../venues/futuur/protocol/errors.js';
import {
  type OrderUpdateItem,
  batchOrderCreation,
  orderUpdateItem,
  type OrderCreation,
  DEFAULT_POSITION,
  orderCreation,
} from '../../venues/futuur/protocol/rest/orders.js';
import type { Shape } from '../../venues/futuur/protocol/shape.js';
import { readOptionalTimestamp, TimestampError } from '../../venues/futuur/protocol/timestamps.js';

/** A request in the core's terms, or what is wrong with which field. */
export type InputReading<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly fields: FieldProblems };

export const readSingleOrder = (input: unknown): InputReading<OrderRequest> =>
  read(orderCreation, input, orderRequest);

/** As a single order, but the position must be named. */
export const readBatchOrder = (input: unknown): InputReading<OrderRequest> =>
  read(batchOrderCreation, input, orderRequest);

export const readOrderUpdate = (input: unknown): InputReading<OrderUpdateRequest> =>
  read(orderUpdateItem, input, updateRequest);

/** Checks the shape of an input, then makes something of it. */
export function read<Wire, Value>(
  shape: Shape<Wire>,
  input: unknown,
  translate: (wire: Wire) => Value,
): InputReading<Value> {
  if (!shape.accepts(input)) return { ok: false, fields: shape.problems(input) };
  try {
    return { ok: true, value: translate(input) };
  } catch (error) {
    if (error instanceof DecimalError) return problem(error.field, `must be ${error.expected}`);
    if (error instanceof TimestampError) return problem(error.field, 'must be an ISO 8601 time');
    throw error;
  }
}

const problem = (field: string, text: string): InputReading<never> => ({
  ok: false,
  fields: { [field]: [text] },
});

const orderRequest = (wire: OrderCreation): OrderRequest => ({
  marketId: wire.market as MarketId,
  eventId: (wire.event ?? null) as EventId | null,
  side: wire.side,
  position: positionOf(wire.position ?? DEFAULT_POSITION),
  currency: wire.currency,
  price: count(wire.price, PRICE_PLACES, 'price'),
  shares: count(wire.shares, SHARE_PLACES, 'shares'),
  amount: optionalMoney(wire.amount),
  expiresAt: readOptionalTimestamp(wire.expired_at, 'expired_at'),
  cancelConflicting: wire.cancel_conflicting_orders ?? false,
});

function updateRequest(wire: OrderUpdateItem): OrderUpdateRequest {
  const price = count(wire.price, PRICE_PLACES, 'price');
  const shares = count(wire.shares, SHARE_PLACES, 'shares');
  return {
    orderId: wire.id as OrderId,
    ...(price === null ? {} : { price }),
    ...(shares === null ? {} : { shares }),
    ...expiryOf(wire),
  };
}

/** A missing expiry stays as it was, null removes it. */
const expiryOf = (wire: OrderUpdateItem): { readonly expiresAt?: Micros | null } =>
  wire.expired_at === undefined ? {} : { expiresAt: readOptionalTimestamp(wire.expired_at, 'expired_at') };

const positionOf = (word: 'long' | 'short' | 'l' | 's'): Position =>
  word.startsWith('l') ? 'long' : 'short';

const optionalMoney = (value: number | string | null | undefined): number | null =>
  value === null || value === undefined ? null : readDecimal(value, MONEY_PLACES, 'amount');

const BETWEEN_COUNTS = 0.5;

/**
 * A decimal as a count of its grid. What lies between two counts stays between them, so that the rule that owns
 * the grid refuses it in its turn and not before account and market were judged.
 * @throws DecimalError when it is no decimal at all, or too large
 */
function count(value: number | string | null | undefined, places: number, field: string): number | null {
  if (value === null || value === undefined) return null;
  const floor = readDecimal(value, places, field, 'floor');
  return floor === readDecimal(value, places, field, 'ceil') ? floor : floor + BETWEEN_COUNTS;
}
