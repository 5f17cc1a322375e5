/** A record is this many integers; the first two are the storage of its shares as a float. */
const STRIDE = 8;
const ID = 2;
const NEXT = 3;
const PREVIOUS = 4;
const ANCHOR = 5;
const ACCOUNT = 6;
const CHAIN = 7;
const NONE = 0;

/**
 * The resting orders and the queues they stand in, first in time first, in one buffer of 32-byte records (half a
 * cache line each), so that a steady flow allocates nothing.
 *
 * A queue is a ring: the level's own record, its anchor, stands between the last order and the first. Linking and
 * unlinking therefore know no special case and take no branch. The anchor's shares are the sum of its orders'.
 *
 * A record is addressed by the offset of its first integer, a multiple of 8, and never moves. Record 0 is the anchor
 * of level 0, so it stands for "no order" elsewhere. Freed records are reused last in, first out; when none is free
 * the buffer doubles.
 */
export class OrderRecords {
  declare private ints: Int32Array;
  declare private floats: Float64Array;
  declare private unused: number;
  private free = NONE;

  /**
   * @param levels   number of levels
   * @param capacity orders the buffer holds before it grows for the first time
   */
  constructor(levels: number, capacity: number) {
    const buffer = new ArrayBuffer((levels + capacity) * STRIDE * 4);
    this.ints = new Int32Array(buffer);
    this.floats = new Float64Array(buffer);
    this.unused = levels * STRIDE;
    for (let anchor = 0; anchor < this.unused; anchor += STRIDE) {
      this.ints[anchor | NEXT] = anchor;
      this.ints[anchor | PREVIOUS] = anchor;
      this.ints[anchor | ANCHOR] = anchor;
    }
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

  /** A link at the disposal of the index that finds records by id. */
  chain(record: number): number {
    return this.ints[record | CHAIN]!;
  }

  setChain(record: number, next: number): void {
    this.ints[record | CHAIN] = next;
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

  /** @returns a record for a new order, in no queue yet */
  create(id: number, account: number): number {
    let record = this.free;
    if (record === NONE) record = this.fresh();
    else this.free = this.ints[record | NEXT]!;
    this.ints[record | ID] = id;
    this.ints[record | ACCOUNT] = account;
    return record;
  }

  /** Gives the record of an order that stands in no queue back. */
  release(record: number): void {
    this.ints[record | NEXT] = this.free;
    this.free = record;
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

  private fresh(): number {
    if (this.unused === this.ints.length) this.grow();
    this.unused += STRIDE;
    return this.unused - STRIDE;
  }

  private grow(): void {
    const old = this.ints;
    const buffer = new ArrayBuffer(old.byteLength * 2);
    this.ints = new Int32Array(buffer);
    this.floats = new Float64Array(buffer);
    this.ints.set(old);
  }
}
