import type { Ending } from './order-ids.js';
import { RingTable, type SavedRing } from '../ring-table.js';
import { endingOf, KEPT_ACCOUNT, KEPT_CELLS, KEPT_ID, KEPT_WORD, statusOf } from './order-rows.js';

/** What is kept of a row, and behind it the place of the account's finished order before; 0: none. */
const PREVIOUS = KEPT_CELLS;

/** {@link FinishedOrders} as plain JSON. */
export interface SavedFinishedOrders {
  readonly rows: SavedRing;
  readonly newest: readonly number[];
}

/**
 * The latest finished orders in the order in which they ended, each the cells of its row. Places are 1, 2, 3 and so
 * on; each account's are chained from the newest back.
 */
export class FinishedOrders {
  readonly rows: RingTable;
  /** By index of the account; a hole or 0: none. */
  private newest: number[] = [];

  /** @param keep how many are remembered */
  constructor(keep: number) {
    this.rows = new RingTable(KEPT_CELLS + 1, keep);
  }

  /** Makes room for an order that ended. @returns its place */
  append(account: number): number {
    const place = this.rows.append();
    this.rows.set(place, PREVIOUS, this.newest[account] ?? 0);
    this.newest[account] = place;
    return place;
  }

  isKnown(place: number): boolean {
    return place >= this.rows.oldest;
  }

  /** @returns the id of the order at a known place */
  idAt(place: number): number {
    return this.rows.get(place, KEPT_ID);
  }

  /** How the order at a known place ended. */
  endingAt(place: number): Ending {
    return endingOf(this.rows.get(place, KEPT_ACCOUNT), statusOf(this.rows.get(place, KEPT_WORD)));
  }

  /** All known places, oldest first. */
  forEach(visit: (place: number) => void): void {
    for (let place = this.rows.oldest; place <= this.rows.last; place++) visit(place);
  }

  /** Places of an account's finished orders, latest first. */
  *of(account: number): Generator<number> {
    let place = this.newest[account] ?? 0;
    while (place !== 0 && this.isKnown(place)) {
      yield place;
      place = this.rows.get(place, PREVIOUS);
    }
  }

  save(): SavedFinishedOrders {
    return {
      rows: this.rows.save(),
      newest: Array.from(this.newest, (place: number | undefined) => place ?? 0),
    };
  }

  load({ rows, newest }: SavedFinishedOrders): void {
    this.rows.load(rows);
    this.newest = [...newest];
  }
}
