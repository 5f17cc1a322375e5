/** The chain of working orders that an account has on one side of one book, oldest first. */
import type { Stake } from '../stakes.js';
import { NEXT_OWN, PREVIOUS_OWN, PROCESSING } from './order-rows.js';
import type { OrderTable } from './order-table.js';

/** Appends a working order to its owner's chain. */
export function linkOwn(orders: OrderTable, stake: Stake, row: number): void {
  const side = orders.bookSide(row);
  const last = stake.last[side] as number;
  orders.setLink(row, PREVIOUS_OWN, last);
  orders.setLink(row, NEXT_OWN, 0);
  if (last === 0) stake.first[side] = row;
  else orders.setLink(last, NEXT_OWN, row);
  stake.last[side] = row;
  if (orders.status(row) === PROCESSING) stake.processing += 1;
}

/** Takes an order out of its owner's chain; its status must not have changed yet. */
export function unlinkOwn(orders: OrderTable, stake: Stake, row: number): void {
  const side = orders.bookSide(row);
  const next = orders.link(row, NEXT_OWN);
  const previous = orders.link(row, PREVIOUS_OWN);
  if (previous === 0) stake.first[side] = next;
  else orders.setLink(previous, NEXT_OWN, next);
  if (next === 0) stake.last[side] = previous;
  else orders.setLink(next, PREVIOUS_OWN, previous);
  if (orders.status(row) === PROCESSING) stake.processing -= 1;
}

/** Rows of one book side, oldest first. The next one is read before a row is given, so a row may be unlinked. */
export function* ownOrders(orders: OrderTable, stake: Stake, side: number): Generator<number> {
  let row = stake.first[side] as number;
  while (row !== 0) {
    const next = orders.link(row, NEXT_OWN);
    yield row;
    row = next;
  }
}

/** Rows of both sides, in order of their ids, which is the order of arrival. */
export function workingOrders(orders: OrderTable, stake: Stake): number[] {
  const rows = [...ownOrders(orders, stake, 0), ...ownOrders(orders, stake, 1)];
  return rows.sort((a, b) => orders.id(a) - orders.id(b));
}
