const FIRST_ORDERS = 8;
/** So many orders from the best on are looked at one by one, which is where nearly all come and go. */
const NEAR = 32;

/**
 * The rows of working orders that an account has on one side of one book, best price first, of one price oldest
 * first. Sorted columns, the best at their end: what crosses a price, is filled or was placed at the touch is there,
 * so that hardly anything has to move.
 */
export class OwnSide {
  count = 0;
  private rows = new Int32Array(FIRST_ORDERS);
  /** Ticks, larger is better. */
  private keys = new Int32Array(FIRST_ORDERS);
  private readonly sign: 1 | -1;

  /** @param side code of the book side: of bids the highest price is the best */
  constructor(side: number) {
    this.sign = side === 0 ? 1 : -1;
  }

  /** @param place less than {@link count}, 0: the best */
  row(place: number): number {
    return this.rows[this.count - 1 - place] as number;
  }

  /** @returns how many of them, from the best on, an order of the other side at this tick would meet */
  countCrossed(tick: number): number {
    return this.count - this.worseThan(this.sign * tick);
  }

  add(row: number, tick: number): void {
    if (this.count === this.rows.length) this.grow();
    const { rows, keys } = this;
    const key = this.sign * tick;
    const near = Math.max(0, this.count - NEAR);
    let slot = this.count;
    for (; slot > near && (keys[slot - 1] as number) >= key; slot--) {
      rows[slot] = rows[slot - 1] as number;
      keys[slot] = keys[slot - 1] as number;
    }
    if (slot === near && near > 0) slot = this.openBelow(near, key);
    rows[slot] = row;
    keys[slot] = key;
    this.count += 1;
  }

  /** @param tick the order's, by which it is found */
  remove(row: number, tick: number): void {
    // From the oldest of its price on, which is filled first.
    let slot = this.worseThan(this.sign * tick + 1) - 1;
    while (this.rows[slot] !== row) slot -= 1;
    this.close(slot);
    this.count -= 1;
  }

  /** All rows, best first. */
  toArray(): number[] {
    return [...this.rows.subarray(0, this.count)].reverse();
  }

  /** @returns how many are worse than a key, which is also the slot of the first that is not */
  private worseThan(key: number): number {
    const { keys } = this;
    const near = Math.max(0, this.count - NEAR);
    let slot = this.count;
    while (slot > near && (keys[slot - 1] as number) >= key) slot -= 1;
    return slot > near ? slot : this.searched(key, near);
  }

  /** {@link worseThan} among the first so many. */
  private searched(key: number, among: number): number {
    let low = 0;
    let high = among;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Makes room for a key at or before a free slot. @returns where it belongs */
  private openBelow(free: number, key: number): number {
    const slot = this.searched(key, free);
    this.rows.copyWithin(slot + 1, slot, free);
    this.keys.copyWithin(slot + 1, slot, free);
    return slot;
  }

  /** Moves what is behind a slot into it. */
  private close(slot: number): void {
    const { rows, keys, count } = this;
    if (count - slot > NEAR) {
      rows.copyWithin(slot, slot + 1, count);
      keys.copyWithin(slot, slot + 1, count);
      return;
    }
    for (let at = slot + 1; at < count; at++) {
      rows[at - 1] = rows[at] as number;
      keys[at - 1] = keys[at] as number;
    }
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
