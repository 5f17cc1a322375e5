import type { Ticks } from '../../domain/units.js';
import { PROCESSING } from '../orders/order-rows.js';
import type { OrderTable } from '../orders/order-table.js';
import type { OwnSide } from '../own-side.js';
import { refuse, type Verdict } from './refusals.js';

const NONE: readonly number[] = [];
/** So many are put in order faster by insertion than by a sort that has to prepare itself. */
const FEW = 16;

/**
 * Own working orders, those in processing included, that a new one could trade with, oldest first.
 * @param facing the account's orders on the other side of the book
 * @param tick   of the new order
 */
export function conflicts(orders: OrderTable, facing: OwnSide, tick: Ticks): readonly number[] {
  const count = facing.countCrossed(tick);
  return count === 0 ? NONE : oldestFirst(orders, facing, count);
}

function oldestFirst(orders: OrderTable, own: OwnSide, count: number): readonly number[] {
  const rows: number[] = [];
  for (let place = 0; place < count; place++) rows.push(own.row(place));
  if (count > FEW) return rows.sort((a, b) => orders.id(a) - orders.id(b));
  for (let place = 1; place < count; place++) insert(orders, rows, place);
  return rows;
}

/** Moves the row at a place to where its id belongs among those before it. */
function insert(orders: OrderTable, rows: number[], from: number): void {
  const row = rows[from] as number;
  const id = orders.id(row);
  let place = from;
  for (; place > 0 && orders.id(rows[place - 1] as number) > id; place--)
    rows[place] = rows[place - 1] as number;
  rows[place] = row;
}

/** Conflicts are refused, unless they may be cancelled and can be: an order in processing cannot. */
export function checkConflicts(orders: OrderTable, rows: readonly number[], mayCancel: boolean): Verdict {
  if (rows.length === 0) return null;
  const canCancel = mayCancel && rows.every((row) => orders.status(row) !== PROCESSING);
  return canCancel ? null : refuse('OrderBookConflictingOrders');
}
