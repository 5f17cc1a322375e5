/** A record is this many integers; the first two are the storage of its shares as a float. */
const STRIDE = 8;
const ID = 2;
const NEXT = 3;
const PREVIOUS = 4;
const ANCHOR = 5;
const ACCOUNT = 6;

/**
 * The resting orders and the queues they stand in, first in time first, in one buffer of 32-byte records (half a
 * cache line each), so that a steady flow allocates nothing.
 *
 * A queue is a ring: the level's own record, its anchor, stands between the last order and the first. Linking and
 * unlinking therefore know no special case and take no branch. The anchor's shares are the sum of its orders'.
 *
 * A record is addressed by the offset of its first integer, a multiple of 8. The anchors come first; behind them are
 * the places of orders, which the index numbers and hands out, and which stay until it grows. Record 0 is the anchor
 * of level 0, so it stands for "no order" elsewhere.
 */
export class OrderRecords {
  declare private ints: Int32Array;
  declare private floats: Float64Array;
  /** Address of the first place. */
  declare private readonly start: number;

  /** @param levels number of levels */
  constructor(levels: number) {
    this.start = levels * STRIDE;
    this.ints = new Int32Array(this.start);
    this.floats = new Float64Array(this.ints.buffer);
    for (let anchor = 0; anchor < this.start; anchor += STRIDE) {
      this.ints[anchor | NEXT] = anchor;
      this.ints[anchor | PREVIOUS] = anchor;
      this.ints[anchor | ANCHOR] = anchor;
    }
  }

  /** Number of records, anchors and free places included. */
  get length(): number {
    return this.ints.length / STRIDE;
  }

  /** Makes room for so many places, in which nothing stands yet. */
  reserve(places: number): void {
    const { ints } = this;
    this.ints = new Int32Array(this.start + places * STRIDE);
    this.ints.set(ints.subarray(0, this.start));
    this.floats = new Float64Array(this.ints.buffer);
  }

  /**
   * Makes room for more places, and moves all orders.
   * @param moved by former place the new address of the record there, 0 where none stands
   */
  move(moved: Int32Array, places: number): void {
    const { ints: old, start } = this;
    this.reserve(places);
    const { ints } = this;
    for (let place = 0; place < moved.length; place++) {
      const from = start + place * STRIDE;
      if (moved[place] !== 0) ints.set(old.subarray(from, from + STRIDE), moved[place]);
    }
    const address = (former: number): number => (former < start ? former : moved[this.place(former)]!);
    for (let record = 0; record < ints.length; record += STRIDE) {
      ints[record | NEXT] = address(ints[record | NEXT]!);
      ints[record | PREVIOUS] = address(ints[record | PREVIOUS]!);
    }
  }

  /** @returns the record at a place */
  at(place: number): number {
    return this.start + (place << 3);
  }

  /** @returns the place of an order's record */
  place(record: number): number {
    return (record - this.start) >> 3;
  }

  /** The record that stands for a level. */
  anchor(level: number): number {
    return level << 3;
  }

  /** @returns the level whose queue a record stands in */
  level(record: number): number {
    return this.ints[record | ANCHOR]! >> 3;
  }

  id(record: number): number {
    return this.ints[record | ID]!;
  }

  account(record: number): number {
    return this.ints[record | ACCOUNT]!;
  }

  /** @returns the record after this one in its ring, which is the anchor after the last order */
  next(record: number): number {
    return this.ints[record | NEXT]!;
  }

  /** @returns the record before this one in its ring, which is the anchor before the first order */
  previous(record: number): number {
    return this.ints[record | PREVIOUS]!;
  }

  /** @returns the shares of an order, or those of all orders of a level when the record is its anchor */
  shares(record: number): number {
    return this.floats[record >> 1]!;
  }

  setShares(record: number, shares: number): void {
    this.floats[record >> 1] = shares;
  }

  /** Whether a level has no order. */
  isEmpty(anchor: number): boolean {
    return this.ints[anchor | NEXT] === anchor;
  }

  /** Gives a record to an order, which stands in no queue yet. */
  give(record: number, id: number, account: number): void {
    this.ints[record | ID] = id;
    this.ints[record | ACCOUNT] = account;
  }

  /** Makes an order the last of a queue. @returns whether it is the only one */
  append(record: number, anchor: number, shares: number): boolean {
    const { ints, floats } = this;
    const last = ints[anchor | PREVIOUS]!;
    floats[record >> 1] = shares;
    ints[record | NEXT] = anchor;
    ints[record | PREVIOUS] = last;
    ints[record | ANCHOR] = anchor;
    ints[last | NEXT] = record;
    ints[anchor | PREVIOUS] = record;
    floats[anchor >> 1]! += shares;
    return last === anchor;
  }

  /** Takes an order out of its queue. @returns whether that is empty now */
  unlink(record: number): boolean {
    const { ints, floats } = this;
    const next = ints[record | NEXT]!;
    const previous = ints[record | PREVIOUS]!;
    ints[previous | NEXT] = next;
    ints[next | PREVIOUS] = previous;
    floats[ints[record | ANCHOR]! >> 1]! -= floats[record >> 1]!;
    return next === previous;
  }

  /** Takes every order before the given one, or before the anchor, out of a queue at once. */
  advance(anchor: number, first: number): void {
    this.ints[anchor | NEXT] = first;
    this.ints[first | PREVIOUS] = anchor;
  }
}
