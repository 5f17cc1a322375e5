const FIRST_ROWS = 16;

/** Rows of orders in a list that is filled again and again and keeps its memory. */
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

  sort(compare: (a: number, b: number) => number): void {
    this.rows.subarray(0, this.count).sort(compare);
  }

  toArray(): number[] {
    return [...this.rows.subarray(0, this.count)];
  }

  private grow(): void {
    const rows = new Int32Array(2 * this.rows.length);
    rows.set(this.rows);
    this.rows = rows;
  }
}
