import type { OrderRecords } from './order-records.js';

/** 2^32 divided by the golden ratio: a multiplicative hash that spreads consecutive and random ids alike. */
const GOLDEN = 0x9e3779b1 | 0;
const ABSENT = 0;
/** Every byte of a word 1, and the highest bit of every byte. */
const ONES = 0x01010101;
const HIGHS = 0x80808080 | 0;
/** Up to this capacity half of the places stay empty, so that hardly any bucket is full. */
const ROOMY = 8192;
/** Beyond it a fifth stays empty, because memory then costs more than full buckets. */
const FILLED = 0.8;
/** The largest count of a byte. A count that reaches it stays, which may cost an extra look but is never wrong. */
const SATURATED = 255;

/**
 * Finds the record of a resting order by its id, any 32-bit signed integer, and assigns the record of a new order.
 *
 * It is a hash table with buckets of four places. One word holds the tags of a bucket: a byte of the id's hash for each
 * record, 0 for an empty place. Another byte counts the orders that found the bucket full and went on to the next one.
 * A lookup therefore reads little more than one byte per record, which fits into the caches, and one record. Once in 255
 * comparisons it reads a second record with an equal tag. Nothing moves when an order leaves.
 *
 * The loops run every path in their first round. A branch that is first taken when a hundred thousand orders rest would
 * throw away the compiled code.
 */
export class OrderIndex {
  declare private readonly records: OrderRecords;
  declare private words: Int32Array;
  /** The bytes of the words. */
  declare private tags: Uint8Array;
  declare private passed: Uint8Array;
  declare private shift: number;
  /** The last bucket, after which comes the first. */
  declare private last: number;
  declare private most: number;
  private length = 0;

  /** @param capacity orders there is room for before the table grows for the first time */
  constructor(records: OrderRecords, capacity: number) {
    this.records = records;
    this.reserve(capacity);
    records.reserve(this.tags.length);
  }

  /** Number of orders. */
  get size(): number {
    return this.length;
  }

  /** Whether it must {@link grow} before the next order. */
  get isFull(): boolean {
    return this.length === this.most;
  }

  /** @returns the record of an id, 0 when it is absent */
  find(id: number): number {
    const { words, passed, records, last } = this;
    const hash = Math.imul(id, GOLDEN);
    const tags = pattern(hash);
    let next = (hash >>> this.shift) | 0;
    let bucket: number;
    do {
      bucket = next;
      next = (bucket + 1) & last;
      let equal = zeroBytes(words[bucket]! ^ tags);
      while (equal !== 0) {
        const record = records.at((bucket << 2) | firstByte(equal));
        equal &= equal - 1;
        if (records.id(record) === id) return record;
      }
    } while (passed[bucket] !== 0);
    return ABSENT;
  }

  /**
   * Adds an id; the table must not be full.
   * @returns the place of its record, which is anyone's until it is given to the order; 0 when the id is present
   */
  insert(id: number): number {
    return this.find(id) === ABSENT ? this.claim(id) : ABSENT;
  }

  /** Removes a record that is in it. */
  remove(record: number): void {
    const { records, passed, last } = this;
    const place = records.place(record);
    this.tags[place] = 0;
    this.length--;
    // Uncounts the order where it went on.
    let next = (Math.imul(records.id(record), GOLDEN) >>> this.shift) | 0;
    let bucket: number;
    do {
      bucket = next;
      next = (bucket + 1) & last;
      const count = passed[bucket]!;
      passed[bucket] = count - (count !== SATURATED && bucket !== place >> 2 ? 1 : 0);
    } while (bucket !== place >> 2);
  }

  /**
   * Doubles its room, and with it that of the records, which all move.
   * @returns by former place the record's new address, 0 where none stood
   * @throws InvariantError, before anything changes, when the records cannot be so many
   */
  grow(): Int32Array {
    const { tags, records } = this;
    records.checkRoom(placesFor(this.most * 2));
    const moved = new Int32Array(tags.length);
    this.reserve(this.most * 2);
    for (let place = 0; place < tags.length; place++) {
      if (tags[place] !== 0) moved[place] = this.claim(records.id(records.at(place)));
    }
    records.move(moved, this.tags.length);
    return moved;
  }

  private reserve(capacity: number): void {
    const places = placesFor(capacity);
    this.words = new Int32Array(places / 4).fill(0);
    this.tags = new Uint8Array(this.words.buffer);
    this.passed = new Uint8Array(places / 4).fill(0);
    this.shift = 34 - Math.log2(places);
    this.last = places / 4 - 1;
    this.most = Math.floor(places * filledOf(capacity));
    this.length = 0;
  }

  /** Adds an id that is absent. */
  private claim(id: number): number {
    const { words, passed, last } = this;
    const hash = Math.imul(id, GOLDEN);
    let next = (hash >>> this.shift) | 0;
    let bucket: number;
    let free: number;
    do {
      bucket = next;
      next = (bucket + 1) & last;
      free = zeroBytes(words[bucket]!);
      const count = passed[bucket]!;
      passed[bucket] = count + (count !== SATURATED && free === 0 ? 1 : 0);
    } while (free === 0);
    const place = (bucket << 2) | firstByte(free);
    this.tags[place] = pattern(hash);
    this.length++;
    return this.records.at(place);
  }
}

/** The part of the places that orders may take. */
const filledOf = (capacity: number): number => (capacity <= ROOMY ? 0.5 : FILLED);

/** A power of two, at least 16. */
const placesFor = (capacity: number): number =>
  2 ** Math.max(4, 32 - Math.clz32(Math.ceil(capacity / filledOf(capacity)) - 1));

/** The tag of a hash in every byte of a word: never 0, nor 1, for which {@link zeroBytes} may take an empty place. */
function pattern(hash: number): number {
  const tag = (hash >>> 8) & 255;
  return Math.imul(tag | (((tag - 2) >>> 31) << 1), ONES);
}

/** The highest bit of each byte that is 0. The lowest is right; one above it may stand for a byte that is 1. */
function zeroBytes(word: number): number {
  return (word - ONES) & ~word & HIGHS;
}

/** Number of the byte that holds the lowest bit. */
function firstByte(bits: number): number {
  const low = bits >>> 7;
  return (31 - Math.clz32(low & -low)) >> 3;
}
