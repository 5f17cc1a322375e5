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

/** Small numbers kept per book. */
export const WORD = {
  /** One of `CONDITION`. */
  condition: 0,
  /** Levels per side that the last update covers: at most `depth`. */
  covered: 1,
  bidCount: 2,
  askCount: 3,
  /** Comparisons in a row that failed. */
  disagreements: 4,
  /** Past states kept, and where the next one goes. */
  pastCount: 5,
  pastNext: 6,
  /** 1 after two failed comparisons, until a read agrees or is applied. */
  distrusted: 7,
  /** Updates applied so far, modulo 2^32. */
  updates: 8,
  /** Price units per tick. */
  tickUnits: 9,
} as const;
const WORDS = 10;
export type WordField = (typeof WORD)[keyof typeof WORD];

/**
 * Past states kept per book, each a hash and the millisecond in which it came into force. A book that changes more
 * often within the cache time of reads than this cannot be accused; its updates keep it alive.
 */
export const PAST_STATES = 16;

export const NEVER = -1;

/** Books begin at cache lines, so that the first parts of each share as few as possible. */
const LINE_BYTES = 64;

/** Offsets of one book's parts in elements of the view they are read through, relative to the book's first. */
export interface BookLayout {
  /** Elements per book: 8-byte numbers, 4-byte words, 2-byte halves. */
  readonly strideNumbers: number;
  readonly strideWords: number;
  readonly strideHalves: number;
  /** In numbers. */
  readonly bidShares: number;
  readonly askShares: number;
  /** In words. */
  readonly words: number;
  readonly past: number;
  /** In halves. */
  readonly bidTicks: number;
  readonly askTicks: number;
}

function layoutFor(depth: number): BookLayout {
  const bidShares = TIMES;
  const askShares = bidShares + depth;
  const words = 2 * (askShares + depth);
  const bidTicks = 2 * (words + WORDS);
  const askTicks = bidTicks + depth;
  const past = Math.ceil((askTicks + depth) / 2);
  const bytes = Math.ceil(((past + 2 * PAST_STATES) * 4) / LINE_BYTES) * LINE_BYTES;
  return {
    strideNumbers: bytes / 8,
    strideWords: bytes / 4,
    strideHalves: bytes / 2,
    bidShares,
    askShares,
    words,
    past,
    bidTicks,
    askTicks,
  };
}

/** The block itself. It grows by doubling, so its views must be read anew at every use. */
export class BookMemory {
  readonly layout: BookLayout;
  /** Times and shares: integers beyond 32 bits. */
  numbers: Float64Array;
  /** The same bytes as 32-bit integers: counts and fingerprints. */
  words: Uint32Array;
  /** The same bytes as 16-bit integers: ticks, of which there are at most 10,000. */
  halves: Uint16Array;
  #size = 0;

  /** @param expected books there will be; more than that cost a copy of all */
  constructor(
    readonly depth: number,
    expected: number,
  ) {
    this.layout = layoutFor(depth);
    this.numbers = new Float64Array(this.layout.strideNumbers * Math.max(1, expected));
    this.words = new Uint32Array(this.numbers.buffer);
    this.halves = new Uint16Array(this.numbers.buffer);
  }

  get size(): number {
    return this.#size;
  }

  get bytesPerBook(): number {
    return this.layout.strideNumbers * Float64Array.BYTES_PER_ELEMENT;
  }

  /** Adds a book without levels. @returns its index: 0, 1, 2 and so on */
  add(tickUnits: number): number {
    const index = this.#size;
    if ((index + 1) * this.layout.strideNumbers > this.numbers.length) this.#grow();
    this.#size += 1;
    for (const field of Object.values(TIME)) this.setTime(index, field, NEVER);
    this.setWord(index, WORD.tickUnits, tickUnits);
    return index;
  }

  time(index: number, field: TimeField): number {
    return this.numbers[index * this.layout.strideNumbers + field]!;
  }

  setTime(index: number, field: TimeField, at: number): void {
    this.numbers[index * this.layout.strideNumbers + field] = at;
  }

  word(index: number, field: WordField): number {
    return this.words[index * this.layout.strideWords + this.layout.words + field]!;
  }

  setWord(index: number, field: WordField, value: number): void {
    this.words[index * this.layout.strideWords + this.layout.words + field] = value;
  }

  #grow(): void {
    const numbers = new Float64Array(this.numbers.length * 2);
    numbers.set(this.numbers);
    this.numbers = numbers;
    this.words = new Uint32Array(numbers.buffer);
    this.halves = new Uint16Array(numbers.buffer);
  }
}
