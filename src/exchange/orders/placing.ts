import {
  PRICE_ONE,
  SHARE_ONE,
  ZERO_SHARES,
  type Micros,
  type Money,
  type Shares,
} from '../../domain/units.js';
import type { Order } from '../accounts/accounts.js';
import { isTradable } from '../markets/markets.js';
import { BID } from '../matching/index.js';
import type { State } from '../state.js';
import type { Admitted } from './checks.js';
import { closeOrder, endOrder, lockCash, releaseLock, sayOrder } from './closing.js';
import { advance, settleTaker } from './trading.js';

/**
 * Places an order that passed its checks: cancels own conflicting orders, locks its funds and lets it trade or wait.
 * @param processingMs 0: the order reaches the book at once
 */
export function placeOrder(
  state: State,
  { order, cost, conflicting }: Admitted,
  processingMs: number,
): Order {
  for (const other of conflicting) closeOrder(state, other, 'conflicting-order');
  if (processingMs > 0) order.status = 'processing';
  state.orders.register(order);
  lockFunds(state, order, cost);
  sayOrder(state, order, null, ZERO_SHARES);
  if (processingMs > 0) {
    order.owner.add(order);
    const at = (state.now + Math.round(processingMs * 1_000)) as Micros;
    state.schedule.add({ at, kind: 'open-order', id: order.id });
  }
  if (order.expiresAt !== null && order.price !== null)
    state.schedule.add({ at: order.expiresAt, kind: 'expire-order', id: order.id });
  if (processingMs <= 0) enterBook(state, order);
  return order;
}

/** Ends the processing of an order: it opens, or waits until its market is tradable. */
export function openOrder(state: State, order: Order): void {
  const { book } = order.owner;
  if (!isTradable(book.market, state.now)) {
    book.waiting.push(order.id);
    return;
  }
  order.owner.remove(order);
  order.status = 'open';
  sayOrder(state, order, 'processing', ZERO_SHARES);
  enterBook(state, order);
}

/** A limit bid locks cash, an ask its shares. A market bid pays as it trades. */
function lockFunds(state: State, order: Order, cost: number): void {
  const { owner, side, position, currency, requested } = order;
  if (side === 'ask') {
    owner.holding(position, currency).locked += requested;
    order.locked = requested;
  } else if (order.price !== null) {
    lockCash(state, owner, currency, cost);
    order.locked = cost;
  }
}

/** A limit order can rest; a market order never does. */
function enterBook(state: State, order: Order): void {
  if (order.price === null) return executeMarketOrder(state, order);
  const { owner, bookSide, tick, requested } = order;
  const left = owner.book.matching.add(order.id, bookSide, tick, requested);
  settleTaker(state, order);
  if (left > 0) {
    owner.add(order);
    state.outbox.touchLevel(owner.book, bookSide, tick);
  }
  if (order.filled > 0) advance(state, order, order.filled, left === 0);
}

/**
 * Executes a market order: at most its shares, at most its amount (fees of a bid included), never for more cash or
 * shares than the account has. What it cannot fill is cancelled.
 */
function executeMarketOrder(state: State, order: Order): void {
  takeFromBook(state, order);
  settleTaker(state, order);
  releaseLock(state, order);
  const isFilled = order.filled > 0 && isSatisfied(state, order);
  if (order.filled > 0) advance(state, order, order.filled, isFilled);
  if (!isFilled) endOrder(state, order, 'unfilled-market-order');
}

/**
 * A market order by shares is satisfied when all shares are filled. One by amount is satisfied when the book still had
 * volume, or no money was left.
 */
function isSatisfied(state: State, order: Order): boolean {
  const { owner, requested, filled, bookSide } = order;
  if (requested !== 0) return filled === requested;
  const best = bookSide === BID ? owner.book.bestAsk() : owner.book.bestBid();
  return best !== null || isSpent(state, order);
}

/** Whether the rest of the amount pays for no more at the price of the last trade. */
function isSpent({ markets: { fills } }: State, order: Order): boolean {
  const { base, perTick, fee } = unitPrice(order);
  const unit = base + perTick * fills.tick(fills.count - 1);
  return order.amount - order.filledAmount - fee * order.filled < unit;
}

function takeFromBook({ markets }: State, order: Order): void {
  const maxShares = mostShares(order);
  markets.fills.clear();
  if (maxShares === 0) return;
  const { base, perTick } = unitPrice(order);
  const { bookSide: side, tick: limit } = order;
  order.owner.book.matching.takeAmount({ side, limit, amount: mostAmount(order), maxShares, base, perTick });
}

function mostShares({ owner, side, position, currency, requested }: Order): Shares {
  if (requested !== 0) return requested;
  return side === 'bid' ? (Number.MAX_SAFE_INTEGER as Shares) : owner.holding(position, currency).free;
}

/** A bid is bounded by the cash there is. */
function mostAmount({ owner, side, currency, amount }: Order): Money {
  const most = amount === 0 ? Number.MAX_SAFE_INTEGER : amount;
  return (side === 'bid' ? Math.min(most, owner.account.cash[currency]) : most) as Money;
}

/**
 * Money per share unit at long-side tick t as `base + perTick * t`. A bid's includes the taker fee, rounded up for each
 * unit, so that the integers of the engine never promise more than the money pays for.
 */
function unitPrice({ owner: { book }, side, position }: Order) {
  const { tickUnits } = book.market.config;
  const fee = side === 'bid' ? Math.ceil(Math.max(book.fees.taker, 0) / SHARE_ONE) : 0;
  return position === 'long'
    ? { base: fee, perTick: tickUnits, fee }
    : { base: PRICE_ONE + fee, perTick: -tickUnits, fee };
}
