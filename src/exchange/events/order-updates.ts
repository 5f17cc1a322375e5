import type { OrderId } from '../../domain/ids.js';
import { ZERO_SHARES, type Micros, type Money, type PriceUnits, type Shares } from '../../domain/units.js';
import type { CancelReason, OrderUpdateEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import { orderKind, realtimeStatus } from '../orders/order-words.js';
import { ORDER_UPDATE } from './event-log.js';

const ACCOUNT = 0;
const ORDER = 1;
const BOOK = 2;
const KIND = 3;
const STATUS = 4;
const PREVIOUS = 5;
const PRICE = 6;
const REQUESTED = 7;
const FILLED = 8;
const DELTA = 9;
const AMOUNT = 10;
const REASON = 11;
const EXPIRES = 12;
const AT = 13;
const CELLS = 14;

/** Of a status, a reason or an expiry: there is none. */
const NONE = -1;

const REASONS: readonly CancelReason[] = [
  'user-requested',
  'replaced',
  'conflicting-order',
  'unfilled-market-order',
  'expired',
  'market-closed',
  'event-cancelled',
  'event-resolved',
];
/** The first so many lie with the user; the others are the venue's doing. */
const BY_USER = 3;

/** What happens all the time comes first: looking for a word in a list takes longer than the rest of an update. */
function reasonCode(reason: CancelReason): number {
  if (reason === 'user-requested') return 0;
  if (reason === 'replaced') return 1;
  return reason === 'conflicting-order' ? 2 : REASONS.indexOf(reason);
}

/** Tells the owner that an order was created. */
export const sayCreated = (floor: Floor, row: number): void => say(floor, row, NONE, ZERO_SHARES, NONE);

/** Tells the owner that an order opened or was filled. @param previous status code before */
export const sayProgress = (floor: Floor, row: number, previous: number, delta: Shares): void =>
  say(floor, row, previous, delta, NONE);

/** Tells the owner that an order ended unfilled. @param previous status code before */
export const sayEnded = (floor: Floor, row: number, previous: number, reason: CancelReason): void =>
  say(floor, row, previous, ZERO_SHARES, reasonCode(reason));

function say(floor: Floor, row: number, previous: number, delta: Shares, reason: number): void {
  const { orders, outbox } = floor;
  const { log } = outbox;
  const start = log.open(ORDER_UPDATE, CELLS);
  const { cells } = log;
  const filled = orders.filled(row);
  const requested = orders.requested(row);
  cells[start + ACCOUNT] = orders.account(row);
  cells[start + ORDER] = orders.id(row);
  cells[start + BOOK] = orders.book(row);
  cells[start + KIND] = orders.kind(row);
  cells[start + STATUS] = orders.status(row);
  cells[start + PREVIOUS] = previous;
  cells[start + PRICE] = orders.price(row) ?? 0;
  cells[start + REQUESTED] = requested === 0 ? filled : requested;
  cells[start + FILLED] = filled;
  cells[start + DELTA] = delta;
  cells[start + AMOUNT] = orders.filledAmount(row);
  cells[start + REASON] = reason;
  cells[start + EXPIRES] = orders.expiresAt(row) ?? NONE;
  cells[start + AT] = floor.now;
}

export function readOrderUpdate(floor: Floor, start: number): OrderUpdateEvent {
  const { cells } = floor.outbox.log;
  const { market } = floor.markets.bookAt(cells[start + BOOK] as number);
  const previous = cells[start + PREVIOUS] as number;
  const { side, position, currency } = orderKind(cells[start + KIND] as number);
  const price = cells[start + PRICE] as PriceUnits;
  const reason = cells[start + REASON] as number;
  const expiresAt = cells[start + EXPIRES] as Micros;
  return {
    kind: 'order-update',
    account: floor.accounts.at(cells[start + ACCOUNT] as number).id,
    orderId: cells[start + ORDER] as OrderId,
    marketId: market.id,
    eventId: market.event.id,
    status: realtimeStatus(cells[start + STATUS] as number),
    previousStatus: previous === NONE ? null : realtimeStatus(previous),
    side,
    position,
    currency,
    price: price === 0 ? null : price,
    requested: cells[start + REQUESTED] as Shares,
    filled: cells[start + FILLED] as Shares,
    filledDelta: cells[start + DELTA] as Shares,
    filledAmount: cells[start + AMOUNT] as Money,
    cancelReason: reason === NONE ? null : (REASONS[reason] as CancelReason),
    systemInitiated: reason >= BY_USER,
    expiresAt: expiresAt === NONE ? null : expiresAt,
    at: cells[start + AT] as Micros,
  };
}
