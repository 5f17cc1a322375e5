import { PROCESSING } from '../orders/order-rows.js';
import type { OrderTable } from '../orders/order-table.js';
import type { RowList } from '../orders/row-list.js';
import type { Ticket } from '../orders/ticket.js';
import type { OwnSide } from '../own-side.js';
import { refuse, type Verdict } from './refusals.js';

/** So many are put in order faster by insertion than by a sort that has to prepare itself. */
const FEW = 16;

/** Notes own working orders, those in processing included, that a new one could trade with, oldest first. */
export function findConflicts(orders: OrderTable, { stake, bookSide, tick, conflicting }: Ticket): void {
  conflicting.clear();
  const facing = stake.facing(bookSide);
  const count = facing.countCrossed(tick);
  if (count > 0) listOldestFirst(orders, facing, count, conflicting);
}

function listOldestFirst(orders: OrderTable, own: OwnSide, count: number, list: RowList): void {
  for (let place = 0; place < count; place++) list.add(own.row(place));
  if (count > FEW) list.sort((a, b) => orders.id(a) - orders.id(b));
  else for (let place = 1; place < count; place++) insert(orders, list, place);
}

/** Moves the row at a place to where its id belongs among those before it. */
function insert(orders: OrderTable, list: RowList, from: number): void {
  const row = list.at(from);
  const id = orders.id(row);
  let place = from;
  for (; place > 0 && orders.id(list.at(place - 1)) > id; place--) list.set(place, list.at(place - 1));
  list.set(place, row);
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
