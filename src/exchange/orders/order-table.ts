import type { OrderId } from '../../domain/ids.js';
import { NEXT_DONE, NEXT_DONE_OF_ACCOUNT, OrderRows, type NewOrder } from './order-rows.js';
import { RowIndex } from './row-index.js';

const FIRST_ORDERS = 1024;

/**
 * All orders of the exchange, working and finished. The matching engine knows an order by its row, the world by its
 * id; ids are 1, 2, 3 and so on. A steady flow allocates nothing: finished orders beyond `keepDone` make room for
 * new ones, oldest first.
 */
export class OrderTable extends OrderRows {
  /** The latest id given. */
  lastId = 0;
  private readonly index = new RowIndex(FIRST_ORDERS);
  private rows = 1;
  /** Rows to use again, chained by {@link NEXT_DONE}. */
  private free = 0;
  private doneCount = 0;
  private oldestDone = 0;
  private newestDone = 0;
  /** By index of the account; 0: none. */
  private readonly oldestOf: number[] = [];
  private readonly newestOf: number[] = [];

  constructor(private readonly keepDone: number) {
    super();
  }

  /** @returns the row of an id, 0 when there is none (any more) */
  row(id: OrderId): number {
    return id > 0 && id <= this.lastId ? this.index.find(id) : 0;
  }

  /** @returns the row of a new order */
  create(order: NewOrder, status: number): number {
    this.lastId += 1;
    return this.createAs(this.lastId, order, status);
  }

  /** {@link create} under an id that was given before, to restore it. */
  createAs(id: number, order: NewOrder, status: number): number {
    const row = this.takeRow();
    this.fill(row, id, order, status);
    this.index.insert(id, row);
    return row;
  }

  /** Files an order under the finished ones. */
  finish(row: number): void {
    this.setLink(row, NEXT_DONE_OF_ACCOUNT, 0);
    this.setLink(row, NEXT_DONE, 0);
    this.appendToAccount(row, this.account(row));
    if (this.newestDone === 0) this.oldestDone = row;
    else this.setLink(this.newestDone, NEXT_DONE, row);
    this.newestDone = row;
    this.doneCount += 1;
    if (this.doneCount > this.keepDone) this.forgetOldest();
  }

  /** Rows of an account's finished orders, first finished first. */
  *doneOf(account: number): Generator<number> {
    for (let row = this.oldestOf[account] ?? 0; row !== 0; row = this.link(row, NEXT_DONE_OF_ACCOUNT))
      yield row;
  }

  /** Rows of all finished orders, first finished first. */
  *allDone(): Generator<number> {
    for (let row = this.oldestDone; row !== 0; row = this.link(row, NEXT_DONE)) yield row;
  }

  private takeRow(): number {
    const row = this.free;
    if (row === 0) return this.rows++;
    this.free = this.link(row, NEXT_DONE);
    return row;
  }

  private appendToAccount(row: number, account: number): void {
    const newest = this.newestOf[account] ?? 0;
    if (newest === 0) this.oldestOf[account] = row;
    else this.setLink(newest, NEXT_DONE_OF_ACCOUNT, row);
    this.newestOf[account] = row;
  }

  private forgetOldest(): void {
    const row = this.oldestDone;
    const account = this.account(row);
    this.oldestDone = this.link(row, NEXT_DONE);
    if (this.oldestDone === 0) this.newestDone = 0;
    const next = this.link(row, NEXT_DONE_OF_ACCOUNT);
    this.oldestOf[account] = next;
    if (next === 0) this.newestOf[account] = 0;
    this.index.remove(this.id(row));
    this.setLink(row, NEXT_DONE, this.free);
    this.free = row;
    this.doneCount -= 1;
  }
}
