import type { OrderTable } from '../orders/order-table.js';
import { NEXT_OWN, PROCESSING } from '../orders/order-rows.js';
import type { Stake } from '../stakes.js';
import { BID, opposite, type BookSide } from '../matching/index.js';
import { refuse, type Verdict } from './refusals.js';

const NONE: readonly number[] = [];

/** Where an order would meet the account's own ones. */
export interface Approach {
  readonly stake: Stake;
  readonly bookSide: BookSide;
  readonly tick: number;
  /** Row of the order that is being replaced; 0: none. */
  readonly replacing: number;
}

/**
 * Own working orders that a new one could trade with, oldest first. The book is asked first: when the order
 * crosses nothing there, it can only conflict with orders still in processing.
 */
export function conflicts(orders: OrderTable, approach: Approach): readonly number[] {
  const { stake, bookSide, tick } = approach;
  const other = opposite(bookSide);
  if (stake.first[other] === 0) return NONE;
  if (stake.processing === 0 && !stake.book.matching.wouldMatch(bookSide, tick as never)) return NONE;
  const rows: number[] = [];
  for (let row = stake.first[other] as number; row !== 0; row = orders.link(row, NEXT_OWN)) {
    if (row !== approach.replacing && crosses(bookSide, tick, orders.tick(row))) rows.push(row);
  }
  return rows;
}

const crosses = (side: BookSide, tick: number, resting: number): boolean =>
  side === BID ? tick >= resting : tick <= resting;

/** Conflicts are refused, unless they may be cancelled and can be: an order in processing cannot. */
export function checkConflicts(orders: OrderTable, rows: readonly number[], mayCancel: boolean): Verdict {
  if (rows.length === 0) return null;
  const canCancel = mayCancel && rows.every((row) => orders.status(row) !== PROCESSING);
  return canCancel ? null : refuse('OrderBookConflictingOrders');
}
