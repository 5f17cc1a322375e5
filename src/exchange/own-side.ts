const FIRST_ORDERS = 8;
/** So many entries are moved faster by hand than by a typed array's own copying. */
const FEW = 24;

/**
 * The rows of working orders that an account has on one side of one book, best price first, of one price oldest
 * first. Sorted columns, because what crosses a price is then at their front, and a few hundred entries are moved
 * faster than a chain through the order table is followed.
 */
export class OwnSide {
  count = 0;
  private rows = new Int32Array(FIRST_ORDERS);
  /** Ticks, smaller is better. */
  private keys = new Int32Array(FIRST_ORDERS);
  private readonly sign: 1 | -1;

  /** @param side code of the book side: of bids the highest price is the best */
  constructor(side: number) {
    this.sign = side === 0 ? -1 : 1;
  }

  /** @param place less than {@link count} */
  row(place: number): number {
    return this.rows[place] as number;
  }

  /** @returns how many of them, from the first on, an order of the other side at this tick would meet */
  countCrossed(tick: number): number {
    return this.placeAfter(this.sign * tick);
  }

  add(row: number, tick: number): void {
    if (this.count === this.rows.length) this.grow();
    const key = this.sign * tick;
    const place = this.placeAfter(key);
    this.shift(this.count, place);
    this.rows[place] = row;
    this.keys[place] = key;
    this.count += 1;
  }

  /** @param tick the order's, by which it is found */
  remove(row: number, tick: number): void {
    // From the oldest of its price on, which is filled first.
    let place = this.placeAfter(this.sign * tick - 1);
    while (this.rows[place] !== row) place += 1;
    this.shift(place, this.count - 1);
    this.count -= 1;
  }

  /** All rows, best first. */
  toArray(): number[] {
    return [...this.rows.subarray(0, this.count)];
  }

  /** First place whose key is worse. */
  private placeAfter(key: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[middle] as number) <= key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Moves the entries between two places by one, so that the hole at `from` is at `to`. */
  private shift(from: number, to: number): void {
    shift(this.rows, from, to);
    shift(this.keys, from, to);
  }

  private grow(): void {
    const rows = new Int32Array(this.rows.length * 2);
    const keys = new Int32Array(this.rows.length * 2);
    rows.set(this.rows);
    keys.set(this.keys);
    this.rows = rows;
    this.keys = keys;
  }
}

function shift(column: Int32Array, from: number, to: number): void {
  if (Math.abs(to - from) > FEW) {
    if (from < to) column.copyWithin(from, from + 1, to + 1);
    else column.copyWithin(to + 1, to, from);
    return;
  }
  const step = from < to ? 1 : -1;
  for (let place = from; place !== to; place += step) column[place] = column[place + step] as number;
}
