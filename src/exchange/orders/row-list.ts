const FIRST_ROWS = 16;
/** So many are put in order faster by insertion than by a sort that has to prepare itself. */
const FEW = 16;

/** Rows (or ids) of orders in a list that is filled again and again and keeps its memory. */
export class RowList {
  count = 0;
  private rows = new Int32Array(FIRST_ROWS);

  /** @param place less than {@link count} */
  at(place: number): number {
    return this.rows[place] as number;
  }

  set(place: number, row: number): void {
    this.rows[place] = row;
  }

  add(row: number): void {
    if (this.count === this.rows.length) this.grow();
    this.rows[this.count] = row;
    this.count += 1;
  }

  clear(): void {
    this.count = 0;
  }

  /** Puts its numbers in ascending order. */
  sort(): void {
    if (this.count > FEW) this.rows.subarray(0, this.count).sort();
    else for (let place = 1; place < this.count; place++) this.insert(place);
  }

  /** Moves the number at a place to where it belongs among those before it. */
  private insert(from: number): void {
    const { rows } = this;
    const row = this.at(from);
    let place = from;
    for (; place > 0 && (rows[place - 1] as number) > row; place--) rows[place] = rows[place - 1] as number;
    rows[place] = row;
  }

  private grow(): void {
    const rows = new Int32Array(2 * this.rows.length);
    rows.set(this.rows);
    this.rows = rows;
  }
}
