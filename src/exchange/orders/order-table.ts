import type { OrderId } from '../../domain/ids.js';
import { FinishedOrders } from './finished-orders.js';
import { OrderIds, type OrderPlaces } from './order-ids.js';
import { NEXT_OWN, OrderRows, READING_ROW, type NewOrder } from './order-rows.js';

/**
 * All orders of the exchange. Working ones have rows, by which the matching engine knows them; finished ones are
 * moved out of their rows, which are used again at once, so that the rows stay few and near. Ids are 1, 2, 3 and so
 * on. A steady flow allocates nothing.
 */
export class OrderTable extends OrderRows implements OrderPlaces {
  /** The latest id given. */
  lastId = 0;
  readonly finished: FinishedOrders;
  private readonly ids: OrderIds;
  private rows = READING_ROW + 1;
  /** Rows to use again, chained by {@link NEXT_OWN}. */
  private free = 0;

  /** @param keep how many finished orders are remembered */
  constructor(keep: number) {
    super();
    this.finished = new FinishedOrders(keep);
    this.ids = new OrderIds(2 * keep, this);
  }

  /**
   * @returns the row of a working order, or a row to read a finished one from, good until the next one is asked for;
   * 0 when there is none (any more)
   */
  row(id: OrderId): number {
    const where = this.ids.find(id);
    return where < 0 ? this.read(-where) : where;
  }

  /** @returns the row of a new order */
  create(order: NewOrder, status: number): number {
    const row = this.takeRow();
    this.lastId += 1;
    this.write(row, this.lastId, order, status);
    this.ids.add(this.lastId, row);
    return row;
  }

  /** Files a working order under the finished ones. Its row can be read until the next order is created. */
  finish(row: number): void {
    const { finished } = this;
    const place = finished.append(this.account(row));
    this.copyOut(row, finished.rows.cells, finished.rows.start(place));
    this.ids.move(this.id(row), row, -place);
    this.setLink(row, NEXT_OWN, this.free);
    this.free = row;
  }

  /** Rows of an account's finished orders, latest first, each good until the next one. */
  *finishedOf(account: number): Generator<number> {
    for (const place of this.finished.of(account)) yield this.read(place);
  }

  idAt(where: number): number {
    if (where > 0) return this.id(where);
    return where < 0 && this.finished.isKnown(-where) ? this.finished.idAt(-where) : 0;
  }

  private read(place: number): number {
    const { cells } = this.finished.rows;
    this.copyIn(READING_ROW, cells, this.finished.rows.start(place));
    return READING_ROW;
  }

  private takeRow(): number {
    const row = this.free;
    if (row === 0) return this.rows++;
    this.free = this.link(row, NEXT_OWN);
    return row;
  }
}
