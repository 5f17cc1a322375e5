import { invariant } from '../../domain/errors.js';

/** A record is this many integers. */
const STRIDE = 4;
const SHARES = 0;
const ID = 1;
const NEXT = 2;
const PREVIOUS = 3;

/** A link is the address of a record and, in its lowest bits, a part of the level that both stand on. */
const LEVEL_BITS = 10;
const LEVEL_MASK = (1 << LEVEL_BITS) - 1;
/** How far an address is shifted in a link. Addresses are multiples of four, so their lowest bits need no room. */
const ADDRESS = LEVEL_BITS - 2;
const ADDRESS_MASK = -STRIDE;
/** The most levels and the most records that the two links of a record can name. */
const MOST_LEVELS = 2 ** (2 * LEVEL_BITS);
const MOST_RECORDS = 2 ** (32 - LEVEL_BITS);

/** The most shares of one order: they are one of the four integers of its record. */
export const MOST_ORDER_SHARES = 2 ** 31 - 1;

/**
 * Resting orders and their queues, first in time first. One buffer holds 16-byte records, four to a cache line, because
 * the memory of a large book decides its speed. A steady flow allocates nothing.
 *
 * A queue is a ring: the level's own record, the anchor, stands between the last order and the first. Linking and
 * unlinking therefore have no special case and no branch. An anchor stores the sum of its orders' shares, a float,
 * instead of shares and id.
 *
 * The level of a record is stored in the free bits of its two links, the lower half in `NEXT`, the upper half in
 * `PREVIOUS`. It is equal for all records of a ring, so links can be copied from record to record.
 *
 * The address of a record is the offset of its first integer. Anchors come first, then the places of orders, which the
 * index assigns and which stay until the index grows. Record 0 is the anchor of level 0, so 0 means "no order" elsewhere.
 */
export class OrderRecords {
  declare private ints: Int32Array;
  declare private floats: Float64Array;
  /** Address of the first place. */
  declare private readonly start: number;

  /**
   * @param levels number of levels
   * @throws InvariantError when there are more than 1,048,576
   */
  constructor(levels: number) {
    invariant(levels <= MOST_LEVELS, `a book has at most ${MOST_LEVELS} levels, not ${levels}`);
    this.start = levels * STRIDE;
    this.ints = new Int32Array(this.start);
    this.floats = new Float64Array(this.ints.buffer);
    for (let level = 0; level < levels; level++) {
      const anchor = this.anchor(level);
      this.ints[anchor | NEXT] = (anchor << ADDRESS) | (level & LEVEL_MASK);
      this.ints[anchor | PREVIOUS] = (anchor << ADDRESS) | (level >> LEVEL_BITS);
    }
  }

  /** Number of records, anchors and free places included. */
  get length(): number {
    return this.ints.length / STRIDE;
  }

  /**
   * Makes room for so many empty places. The memory is written at once, so that no order waits for a page from the
   * operating system.
   * @throws InvariantError when that and the levels are more than 4,194,304 records
   */
  reserve(places: number): void {
    const { ints } = this;
    this.checkRoom(places);
    this.ints = new Int32Array(this.start + places * STRIDE).fill(0);
    this.ints.set(ints.subarray(0, this.start));
    this.floats = new Float64Array(this.ints.buffer);
  }

  /** @throws InvariantError when so many places and the levels are more than 4,194,304 records */
  checkRoom(places: number): void {
    const records = this.start / STRIDE + places;
    invariant(
      records <= MOST_RECORDS,
      `a book has at most ${MOST_RECORDS} levels and places of orders, not ${records}`,
    );
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
    const relinked = (link: number): number =>
      (address((link >>> ADDRESS) & ADDRESS_MASK) << ADDRESS) | (link & LEVEL_MASK);
    for (let record = 0; record < ints.length; record += STRIDE) {
      ints[record | NEXT] = relinked(ints[record | NEXT]!);
      ints[record | PREVIOUS] = relinked(ints[record | PREVIOUS]!);
    }
  }

  /** @returns the record at a place */
  at(place: number): number {
    return this.start + (place << 2);
  }

  /** @returns the place of an order's record */
  place(record: number): number {
    return (record - this.start) >> 2;
  }

  /** The record that stands for a level. */
  anchor(level: number): number {
    return level << 2;
  }

  /** @returns which record it is, counted from 0: the level's number when it is an anchor */
  number(record: number): number {
    return record >> 2;
  }

  /** @returns the level whose queue a record stands in */
  level(record: number): number {
    const { ints } = this;
    return (ints[record | NEXT]! & LEVEL_MASK) | ((ints[record | PREVIOUS]! & LEVEL_MASK) << LEVEL_BITS);
  }

  id(record: number): number {
    return this.ints[record | ID]!;
  }

  /** @returns the record after this one in its ring, which is the anchor after the last order */
  next(record: number): number {
    return (this.ints[record | NEXT]! >>> ADDRESS) & ADDRESS_MASK;
  }

  /** @returns the record before this one in its ring, which is the anchor before the first order */
  previous(record: number): number {
    return (this.ints[record | PREVIOUS]! >>> ADDRESS) & ADDRESS_MASK;
  }

  /** @returns the shares of an order */
  shares(record: number): number {
    return this.ints[record | SHARES]!;
  }

  /** Sets what a match left of an order. {@link advance} updates the level's sum. */
  setShares(record: number, shares: number): void {
    this.ints[record | SHARES] = shares;
  }

  /** Takes shares off an order and off its level; some must be left. */
  reduce(record: number, by: number): void {
    this.ints[record | SHARES]! -= by;
    this.floats[this.level(record) << 1]! -= by;
  }

  /** @returns the shares of all orders of a level */
  sum(anchor: number): number {
    return this.floats[anchor >> 1]!;
  }

  /** Whether a level has no order. */
  isEmpty(anchor: number): boolean {
    return this.next(anchor) === anchor;
  }

  /** Gives a record to an order, which stands in no queue yet. */
  give(record: number, id: number): void {
    this.ints[record | ID] = id;
  }

  /**
   * Makes an order the last of a level's queue.
   * @param shares at most {@link MOST_ORDER_SHARES}
   * @returns whether it is the only one
   */
  append(record: number, level: number, shares: number): boolean {
    const { ints, floats } = this;
    const anchor = level << 2;
    const lower = level & LEVEL_MASK;
    const previous = ints[anchor | PREVIOUS]!;
    const last = (previous >>> ADDRESS) & ADDRESS_MASK;
    ints[record | SHARES] = shares;
    ints[record | NEXT] = (anchor << ADDRESS) | lower;
    ints[record | PREVIOUS] = previous;
    ints[last | NEXT] = (record << ADDRESS) | lower;
    ints[anchor | PREVIOUS] = (record << ADDRESS) | (level >> LEVEL_BITS);
    floats[anchor >> 1]! += shares;
    return last === anchor;
  }

  /** Takes an order out of its queue. @returns whether that is empty now */
  unlink(record: number): boolean {
    const { ints, floats } = this;
    const next = ints[record | NEXT]!;
    const previous = ints[record | PREVIOUS]!;
    const after = (next >>> ADDRESS) & ADDRESS_MASK;
    const before = (previous >>> ADDRESS) & ADDRESS_MASK;
    const level = (next & LEVEL_MASK) | ((previous & LEVEL_MASK) << LEVEL_BITS);
    ints[before | NEXT] = next;
    ints[after | PREVIOUS] = previous;
    floats[level << 1]! -= ints[record | SHARES]!;
    return after === before;
  }

  /**
   * Takes every order before the given one, or before the anchor, out of a queue at once.
   * @param matched the shares that a match took from the level
   */
  advance(level: number, first: number, matched: number): void {
    const { ints, floats } = this;
    const anchor = level << 2;
    ints[anchor | NEXT] = (first << ADDRESS) | (level & LEVEL_MASK);
    ints[first | PREVIOUS] = (anchor << ADDRESS) | (level >> LEVEL_BITS);
    floats[anchor >> 1]! -= matched;
  }
}
