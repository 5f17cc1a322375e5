import { PRICE_ONE, SHARE_ONE, type Money, type Shares } from '../../domain/units.js';
import { BUY, LONG } from '../codes.js';
import type { Floor } from '../floor.js';
import { BID } from '../matching/index.js';
import { endOrder, releaseLock } from './closing.js';
import { stakeOf } from './order-stake.js';
import { settleFills, tellTaker } from './taking.js';

/**
 * Executes a market order: at most its shares, at most its amount (fees of a bid included), never for more cash or
 * shares than the account has. What it cannot fill is cancelled.
 */
export function executeMarketOrder(floor: Floor, row: number): void {
  takeFromBook(floor, row);
  const filled = settleFills(floor, row);
  releaseLock(floor, stakeOf(floor, row), row);
  const isFilled = filled > 0 && isSatisfied(floor, row);
  if (filled > 0) tellTaker(floor, row, isFilled);
  if (!isFilled) endOrder(floor, row, floor.orders.status(row), 'unfilled-market-order');
}

/** It has the shares it asked for, or its amount is used up: the book still had volume, or no money is left for it. */
function isSatisfied(floor: Floor, row: number): boolean {
  const { orders } = floor;
  const requested = orders.requested(row);
  if (requested !== 0) return orders.filled(row) === requested;
  const { book } = stakeOf(floor, row);
  if ((orders.bookSide(row) === BID ? book.bestAsk() : book.bestBid()) !== null) return true;
  return isSpent(floor, row);
}

/** What is left of its amount pays for no more at the price it traded at last. */
function isSpent(floor: Floor, row: number): boolean {
  const { orders, markets } = floor;
  const { base, perTick, fee } = unitPrice(floor, row);
  const unit = base + perTick * markets.fills.tick(markets.fills.count - 1);
  return orders.amount(row) - orders.filledAmount(row) - fee * orders.filled(row) < unit;
}

function takeFromBook(floor: Floor, row: number): void {
  const { orders } = floor;
  const { book } = stakeOf(floor, row);
  const maxShares = mostShares(floor, row);
  floor.markets.fills.clear();
  if (maxShares === 0) return;
  const { base, perTick } = unitPrice(floor, row);
  book.matching.takeAmount({
    side: orders.bookSide(row),
    limit: orders.tick(row),
    amount: mostAmount(floor, row),
    maxShares,
    base,
    perTick,
  });
}

function mostShares(floor: Floor, row: number): Shares {
  const { orders } = floor;
  const requested = orders.requested(row);
  if (orders.side(row) === BUY) return requested === 0 ? (Number.MAX_SAFE_INTEGER as Shares) : requested;
  const holding = stakeOf(floor, row).holding(orders.position(row), orders.currency(row));
  return requested === 0 ? holding.free : requested;
}

/** A bid is bounded by the cash there is. */
function mostAmount(floor: Floor, row: number): Money {
  const { orders } = floor;
  const amount = orders.amount(row) === 0 ? Number.MAX_SAFE_INTEGER : orders.amount(row);
  if (orders.side(row) !== BUY) return amount as Money;
  const { account } = stakeOf(floor, row);
  return Math.min(amount, account.cash[orders.currency(row)] as number) as Money;
}

interface UnitPrice {
  readonly base: number;
  readonly perTick: number;
  /** The part of the base that is the taker fee. */
  readonly fee: number;
}

/**
 * Money per share unit at long-side tick t as `base + perTick * t`. A bid's includes the taker fee, rounded up for
 * each unit, so that the integers of the engine never promise more than the money pays for.
 */
function unitPrice(floor: Floor, row: number): UnitPrice {
  const { orders } = floor;
  const { book } = stakeOf(floor, row);
  const { tickUnits } = book.market.config;
  const fee = orders.side(row) === BUY ? Math.ceil(Math.max(book.fees.taker, 0) / SHARE_ONE) : 0;
  return orders.position(row) === LONG
    ? { base: fee, perTick: tickUnits, fee }
    : { base: PRICE_ONE + fee, perTick: -tickUnits, fee };
}
