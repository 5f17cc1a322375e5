import type { OrderId } from '../../domain/ids.js';
import { PROCESSING } from '../orders/order-rows.js';
import type { OrderTable } from '../orders/order-table.js';
import type { RowList } from '../orders/row-list.js';
import type { Ticket } from '../orders/ticket.js';
import type { OwnSide } from '../books/own-side.js';
import { refuse, type Verdict } from './refusals.js';

/** Notes own working orders, those in processing included, that a new one could trade with, oldest first. */
export function findConflicts(orders: OrderTable, { stake, bookSide, tick, conflicting }: Ticket): void {
  conflicting.clear();
  const facing = stake.facing(bookSide);
  const count = facing.countCrossed(tick);
  if (count > 0) listOldestFirst(orders, facing, count, conflicting);
}

/** Sorted are the ids, as numbers, since a comparison that looks orders up takes longer than finding each once more. */
function listOldestFirst(orders: OrderTable, own: OwnSide, count: number, list: RowList): void {
  for (let place = 0; place < count; place++) list.add(orders.id(own.row(place)));
  list.sort();
  for (let place = 0; place < count; place++) list.set(place, orders.workingRow(list.at(place) as OrderId));
}

/** Conflicts are refused, unless they may be cancelled and can be: an order in processing cannot. */
export function checkConflicts(orders: OrderTable, rows: RowList, mayCancel: boolean): Verdict {
  if (rows.count === 0) return null;
  return mayCancel && !hasProcessing(orders, rows) ? null : refuse('OrderBookConflictingOrders');
}

function hasProcessing(orders: OrderTable, rows: RowList): boolean {
  for (let place = 0; place < rows.count; place++) {
    if (orders.status(rows.at(place)) === PROCESSING) return true;
  }
  return false;
}
