import type { OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import { FinishedOrders, type SavedFinishedOrders } from './finished-orders.js';
import { OrderIds, type Ending } from './order-ids.js';
import { endingOf, OrderRows, READING_ROW, type NewOrder, type SavedRow } from './order-rows.js';

/** {@link OrderTable} as plain JSON. */
export interface SavedOrders {
  readonly lastId: number;
  /** Rows of working orders with their cells, in the order of their ids. */
  readonly working: readonly (readonly [row: number, saved: SavedRow])[];
  readonly finished: SavedFinishedOrders;
}

/** Latest ids with a slot of their own, for each finished order remembered: some orders rest while others come and go. */
const SLOTS_PER_ORDER = 1.25;

/**
 * All orders of the exchange. Working ones have rows, by which the matching engine knows them; finished ones are
 * moved out of their rows, which are used again at once, so that the rows stay few and near. Ids are 1, 2, 3 and so
 * on. A steady flow allocates nothing.
 */
export class OrderTable extends OrderRows {
  /** The latest id given. */
  lastId = 0;
  readonly finished: FinishedOrders;
  private readonly ids: OrderIds;
  private rows = READING_ROW + 1;
  /** Rows to use again, chained. */
  private free = 0;

  /** @param keep how many finished orders are remembered */
  constructor(keep: number) {
    super();
    this.finished = new FinishedOrders(keep);
    this.ids = new OrderIds(SLOTS_PER_ORDER * keep, (place) => this.finished.isKnown(place));
  }

  /**
   * @returns the row of a working order, or a row to read a finished one from, good until the next one is asked for;
   * 0 when there is none (any more)
   */
  row(id: OrderId): number {
    const where = this.ids.find(id);
    return where < 0 ? this.read(-where) : where;
  }

  /** @returns the row of a working order, 0 when it is finished or there is none */
  workingRow(id: OrderId): number {
    return Math.max(this.ids.find(id), 0);
  }

  /** @returns whose order it was and how it ended, see `endingOf`; 0 when it is working or there is none (any more) */
  ending(id: OrderId): Ending {
    const noted = this.ids.ending(id);
    if (noted !== 0) return noted;
    const place = Math.max(-this.ids.find(id), 0);
    return place === 0 ? 0 : this.finished.endingAt(place);
  }

  /** @returns the row of a new order */
  create(order: NewOrder, status: number, at: Micros): number {
    const row = this.takeRow();
    this.lastId += 1;
    this.write(row, this.lastId, order, status, at);
    this.ids.add(this.lastId, row);
    return row;
  }

  /** Files a working order under the finished ones. Its row can be read until the next order is created. */
  finish(row: number): void {
    const { finished } = this;
    const place = finished.append(this.account(row));
    this.copyOut(row, finished.rows.cells, finished.rows.start(place));
    this.ids.end(this.id(row), -place, endingOf(this.account(row), this.status(row)));
    this.setNextFree(row, this.free);
    this.free = row;
  }

  /** Rows of an account's finished orders, latest first, each good until the next one. */
  *finishedOf(account: number): Generator<number> {
    for (const place of this.finished.of(account)) yield this.read(place);
  }

  private read(place: number): number {
    const { cells } = this.finished.rows;
    this.copyIn(READING_ROW, cells, this.finished.rows.start(place));
    return READING_ROW;
  }

  private takeRow(): number {
    const row = this.free;
    if (row === 0) return this.rows++;
    this.free = this.nextFree(row);
    return row;
  }

  /** @param working rows of all working orders */
  save(working: readonly number[]): SavedOrders {
    const rows = working.toSorted((a, b) => this.id(a) - this.id(b));
    return {
      lastId: this.lastId,
      working: rows.map((row) => [row, this.saveRow(row)] as const),
      finished: this.finished.save(),
    };
  }

  /** Puts saved orders into an empty table, each working one into the row it had. */
  load({ lastId, working, finished }: SavedOrders): void {
    this.lastId = lastId;
    this.finished.load(finished);
    this.finished.forEach((place) => this.ids.add(this.finished.idAt(place), -place));
    for (const [row, saved] of working) {
      this.loadRow(row, saved);
      this.ids.add(this.id(row), row);
      this.rows = Math.max(this.rows, row + 1);
    }
    this.chainFree(new Set(working.map(([row]) => row)));
  }

  private chainFree(taken: ReadonlySet<number>): void {
    for (let row = this.rows - 1; row > READING_ROW; row--) {
      if (taken.has(row)) continue;
      this.setNextFree(row, this.free);
      this.free = row;
    }
  }
}
