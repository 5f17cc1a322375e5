/** The working orders of an account at a book. */
import type { Floor } from '../floor.js';
import { BID, type BookSide } from '../matching/index.js';
import type { OwnSide } from '../books/own-side.js';
import type { Stake } from '../money/stakes.js';
import { PROCESSING } from './order-rows.js';
import type { OrderTable } from './order-table.js';

/** Notes a working order with its owner. */
export function linkOwn(orders: OrderTable, stake: Stake, row: number): void {
  sideOf(orders, stake, row).add(row, orders.tick(row));
}

/** Takes an order off its owner's list. */
export function unlinkOwn(orders: OrderTable, stake: Stake, row: number): void {
  sideOf(orders, stake, row).remove(row, orders.tick(row));
}

const sideOf = (orders: OrderTable, stake: Stake, row: number): OwnSide =>
  orders.bookSide(row) === 0 ? stake.ownBids : stake.ownAsks;

/** Rows of both sides in the order of their ids, which is the order of arrival. */
export const workingOrders = (orders: OrderTable, { ownBids, ownAsks }: Stake): number[] =>
  [...ownBids.toArray(), ...ownAsks.toArray()].sort((a, b) => orders.id(a) - orders.id(b));

/** Shares of the account's orders in the book that are not filled yet, by tick. @param side of the book */
export function ownShares({ orders }: Floor, stake: Stake, side: BookSide): ReadonlyMap<number, number> {
  const levels = new Map<number, number>();
  for (const row of (side === BID ? stake.ownBids : stake.ownAsks).toArray()) {
    if (orders.status(row) === PROCESSING) continue;
    const tick = orders.tick(row);
    levels.set(tick, (levels.get(tick) ?? 0) + orders.requested(row) - orders.filled(row));
  }
  return levels;
}
