/**
 * One block of memory for all books: a fixed number of bytes per market, all of a market's side by side and what an
 * update touches first, so that it costs few cache lines however many markets there are, and allocates nothing.
 */

/** Points in time kept per book, in microseconds; -1 is never. */
export const TIME = {
  /** Venue time of the newest update applied. */
  venue: 0,
  /** Receive time of the newest update applied. */
  frame: 1,
  /** The newest moment at which the book is known to have been the venue's. */
  confirmed: 2,
  /** When the silence of this book began to count. */
  armed: 3,
  /** When the book was last compared with a read. */
  witnessed: 4,
} as const;
const TIMES = 5;
export type TimeField = (typeof TIME)[keyof typeof TIME];

/** Larger numbers kept per book. */
export const WORD = {
  /** Updates applied so far, modulo 2^32. */
  updates: 0,
  /** The present state: its fingerprint, when it came into force, and the number of the one before. */
  hash: 1,
  since: 2,
  before: 3,
} as const;
const WORDS = 4;
export type WordField = (typeof WORD)[keyof typeof WORD];

/** Small numbers kept per book, below 2^16. */
export const SMALL = {
  /** Price units per tick. */
  tickUnits: 0,
  /** Comparisons in a row that failed. */
  disagreements: 1,
} as const;
const SMALLS = 2;
export type SmallField = (typeof SMALL)[keyof typeof SMALL];

/** Numbers kept per book that are below 2^8. */
export const BYTE = {
  /** One of `CONDITION`. */
  condition: 0,
  /** Levels per side that the last update covers: at most `depth`. */
  covered: 1,
  bidCount: 2,
  askCount: 3,
  /** 1 after two failed comparisons, until a read agrees or is applied. */
  distrusted: 4,
  /** Whether the history knows the present state: 1 or 0. */
  noted: 5,
} as const;
const BYTES = 6;
export type ByteField = (typeof BYTE)[keyof typeof BYTE];

export const NEVER = -1;

/** Stands for a number of shares that does not fit in a word; no level has it. */
const LARGE = -(2 ** 31);

/** What a book takes is a multiple of a line of the cache: two of them with five levels a side. */
const LINE_BYTES = 64;

/** Offsets of one book's parts in elements of the view they are read through, relative to the book's first. */
export interface BookLayout {
  /** Elements per book: 8-byte numbers, 4-byte words, 2-byte halves, bytes. */
  readonly strideNumbers: number;
  readonly strideWords: number;
  readonly strideHalves: number;
  readonly strideBytes: number;
  /** In words. */
  readonly bidShares: number;
  readonly askShares: number;
  readonly words: number;
  /** In halves. */
  readonly bidTicks: number;
  readonly askTicks: number;
  readonly smalls: number;
  /** In bytes. */
  readonly bytes: number;
}

function layoutFor(depth: number): BookLayout {
  const words = 2 * TIMES;
  const bidShares = words + WORDS;
  const askShares = bidShares + depth;
  const bidTicks = 2 * (askShares + depth);
  const askTicks = bidTicks + depth;
  const smalls = askTicks + depth;
  const bytes = 2 * (smalls + SMALLS);
  const strideBytes = Math.ceil((bytes + BYTES) / LINE_BYTES) * LINE_BYTES;
  // Written out: what is made by spreading has a hidden class of its own, and every update reads this.
  return {
    strideNumbers: strideBytes / 8,
    strideWords: strideBytes / 4,
    strideHalves: strideBytes / 2,
    strideBytes,
    bidShares,
    askShares,
    words,
    bidTicks,
    askTicks,
    smalls,
    bytes,
  };
}

/** The block itself. It grows by doubling, so its views must be read anew at every use. */
export class BookMemory {
  readonly layout: BookLayout;
  /** Times: integers beyond 32 bits. */
  numbers: Float64Array;
  /** The same bytes as signed 32-bit integers: fingerprints, and shares: read through {@link sharesAt}, for some have no room here. */
  words: Int32Array;
  /** The same bytes as 16-bit integers: ticks, of which there are at most 10,000. */
  halves: Uint16Array;
  /** The same bytes by themselves: counts and flags. */
  bytes: Uint8Array;
  /** Shares of the rare levels with more than 21 million whole ones, by their place. */
  readonly #large = new Map<number, number>();
  #size = 0;

  /** @param expected books there will be; more than that cost a copy of all */
  constructor(
    readonly depth: number,
    expected: number,
  ) {
    this.layout = layoutFor(depth);
    this.numbers = new Float64Array(this.layout.strideNumbers * Math.max(1, expected));
    this.words = new Int32Array(this.numbers.buffer);
    this.halves = new Uint16Array(this.numbers.buffer);
    this.bytes = new Uint8Array(this.numbers.buffer);
  }

  get size(): number {
    return this.#size;
  }

  get bytesPerBook(): number {
    return this.layout.strideBytes;
  }

  /** Adds a book without levels. @returns its index: 0, 1, 2 and so on */
  add(tickUnits: number): number {
    const index = this.#size;
    if ((index + 1) * this.layout.strideNumbers > this.numbers.length) this.#grow();
    this.#size += 1;
    for (const field of Object.values(TIME)) this.setTime(index, field, NEVER);
    this.setSmall(index, SMALL.tickUnits, tickUnits);
    return index;
  }

  time(index: number, field: TimeField): number {
    return this.numbers[index * this.layout.strideNumbers + field]!;
  }

  setTime(index: number, field: TimeField, at: number): void {
    this.numbers[index * this.layout.strideNumbers + field] = at;
  }

  word(index: number, field: WordField): number {
    return this.words[index * this.layout.strideWords + this.layout.words + field]! >>> 0;
  }

  small(index: number, field: SmallField): number {
    return this.halves[index * this.layout.strideHalves + this.layout.smalls + field]!;
  }

  /** @param value one that is too large is kept as the largest there is */
  setSmall(index: number, field: SmallField, value: number): void {
    this.halves[index * this.layout.strideHalves + this.layout.smalls + field] = Math.min(value, 0xffff);
  }

  byte(index: number, field: ByteField): number {
    return this.bytes[index * this.layout.strideBytes + this.layout.bytes + field]!;
  }

  setByte(index: number, field: ByteField, value: number): void {
    this.bytes[index * this.layout.strideBytes + this.layout.bytes + field] = value;
  }

  /** @param word where the shares of a level stand */
  sharesAt(word: number): number {
    const shares = this.words[word]!;
    return shares === LARGE ? this.#large.get(word)! : shares;
  }

  /** Shares that no word holds. @param word where those of the level stand @returns whether there were as many */
  setLargeAt(word: number, shares: number): boolean {
    const isSame = this.sharesAt(word) === shares;
    this.words[word] = LARGE;
    this.#large.set(word, shares);
    return isSame;
  }

  #grow(): void {
    const numbers = new Float64Array(this.numbers.length * 2);
    numbers.set(this.numbers);
    this.numbers = numbers;
    this.words = new Int32Array(numbers.buffer);
    this.halves = new Uint16Array(numbers.buffer);
    this.bytes = new Uint8Array(numbers.buffer);
  }
}
