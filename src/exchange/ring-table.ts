import { invariant } from '../domain/errors.js';

const FIRST_ROWS = 1024;
/** A table that is filled at all is usually filled to the end, and memory that nobody wrote to is not taken yet. */
const GROWTH = 8;

/** The known rows of a table as plain JSON. */
export interface SavedRing {
  readonly last: number;
  /** Cells of the known rows, oldest first. */
  readonly cells: readonly number[];
}

/**
 * Rows of floats numbered 1, 2, 3 and so on, of which the latest `keep` are known: older ones are overwritten. Grows
 * to `keep` rows and allocates nothing from then on.
 */
export class RingTable {
  /** The latest row's number; 0: none yet. */
  last = 0;
  /** Row r begins at {@link start}(r). */
  cells: Float64Array;
  private capacity: number;

  constructor(
    private readonly columns: number,
    private readonly keep: number,
  ) {
    invariant(keep > 0, `a table that keeps ${keep} rows is none`);
    this.capacity = Math.min(FIRST_ROWS, keep);
    this.cells = new Float64Array(this.capacity * columns);
  }

  /** The oldest row still known; above {@link last} when there is none. */
  get oldest(): number {
    return Math.max(1, this.last - this.capacity + 1);
  }

  /** Whether the next row will overwrite the oldest one. */
  get isFull(): boolean {
    return this.capacity === this.keep && this.last >= this.keep;
  }

  /** Makes the next row, whose cells are left over from an older one. @returns its number */
  append(): number {
    if (this.last === this.capacity && this.capacity < this.keep) this.grow();
    this.last += 1;
    return this.last;
  }

  /** Index in {@link cells} of a known row's first column. */
  start(row: number): number {
    const { capacity } = this;
    return (row <= capacity ? row - 1 : (row - 1) % capacity) * this.columns;
  }

  get(row: number, column: number): number {
    return this.cells[this.start(row) + column] as number;
  }

  set(row: number, column: number, value: number): void {
    this.cells[this.start(row) + column] = value;
  }

  save(): SavedRing {
    const cells: number[] = [];
    for (let row = this.oldest; row <= this.last; row++) {
      for (let column = 0; column < this.columns; column++) cells.push(this.get(row, column));
    }
    return { last: this.last, cells };
  }

  /** Puts saved rows into an empty table. */
  load({ last, cells }: SavedRing): void {
    while (this.capacity < Math.min(last, this.keep)) this.grow();
    this.last = last;
    const first = last - cells.length / this.columns + 1;
    for (let row = Math.max(first, this.oldest); row <= last; row++) {
      const from = (row - first) * this.columns;
      this.cells.set(cells.slice(from, from + this.columns), this.start(row));
    }
  }

  private grow(): void {
    this.capacity = Math.min(this.capacity * GROWTH, this.keep);
    const cells = new Float64Array(this.capacity * this.columns);
    cells.set(this.cells);
    this.cells = cells;
  }
}
