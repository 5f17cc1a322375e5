import type { Ticks } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';

/**
 * The two sides of a book are numbers, because the engine computes with them: a bid is 0, an ask is 1. Both are in
 * long-side prices ({@link bookSide} of the vocabulary).
 */
export const BID = 0;
export const ASK = 1;
export type BookSide = typeof BID | typeof ASK;

/** The number of a side's word. */
export const toBookSide = (side: Side): BookSide => (side === 'bid' ? BID : ASK);
/** The word of a side's number. */
export const fromBookSide = (side: BookSide): Side => (side === BID ? 'bid' : 'ask');
/** The side that `side` trades with. */
export const opposite = (side: BookSide): BookSide => (1 - side) as BookSide;

/**
 * Numbers the levels of a book: first all bids, then all asks, each side from its best possible price to its worst.
 * On both sides a lower number is a better price. A side takes a multiple of 32 numbers, so that the sides share no word
 * of a bitmap. Level and price are computed without branches, because no processor predicts an order's side.
 */
export class LevelGrid {
  // `declare` here and in the other classes of this folder: V8 keeps the type of a field that only the constructor
  // writes. A field that is first defined as undefined is checked at every read.
  declare readonly minTick: Ticks;
  declare readonly maxTick: Ticks;
  /** Numbers a side takes, those beyond its worst price included. */
  declare readonly sideLength: number;
  declare private readonly askOffset: number;

  constructor(minTick: Ticks, maxTick: Ticks) {
    this.minTick = minTick;
    this.maxTick = maxTick;
    this.sideLength = Math.ceil((maxTick - minTick + 1) / 32) * 32;
    this.askOffset = this.sideLength - minTick - maxTick;
  }

  /** Whether a price is a whole tick of this grid. */
  has(tick: number): boolean {
    return tick >= this.minTick && tick <= this.maxTick && (tick | 0) === tick;
  }

  /** @returns the number of a side's level at a price of the grid */
  level(side: BookSide, tick: number): number {
    return (this.maxTick + side * this.askOffset + (side * 2 - 1) * tick) | 0;
  }

  /** @returns the price of a side's level; at the side's end the price one tick beyond its worst */
  tick(side: BookSide, level: number): Ticks {
    return (((side * 2 - 1) * (level - this.maxTick - side * this.askOffset)) | 0) as Ticks;
  }

  /** @returns the side a level belongs to */
  side(level: number): BookSide {
    return level < this.sideLength ? 0 : 1;
  }

  /** @returns the level of a side's best possible price */
  start(side: BookSide): number {
    return side * this.sideLength;
  }

  /** @returns the number after a side's worst price, where its search ends */
  end(side: BookSide): number {
    return side * this.sideLength + this.maxTick - this.minTick + 1;
  }
}

const WORD = 32;

/**
 * Knows which levels hold volume and which is each side's best: a bitmap with a summary above it. The best is stored.
 * The next best takes two reads for up to 1,024 levels, and one more read for each further 1,024 empty levels.
 */
export class OccupiedLevels {
  declare private readonly grid: LevelGrid;
  declare private readonly words: Int32Array;
  declare private readonly summary: Int32Array;
  declare private readonly bests: Int32Array;

  constructor(grid: LevelGrid) {
    this.grid = grid;
    this.words = new Int32Array((2 * grid.sideLength) / WORD);
    this.summary = new Int32Array(Math.ceil(this.words.length / WORD));
    this.bests = Int32Array.of(grid.end(0), grid.end(1));
  }

  /** @returns the best occupied level of a side, the side's end when there is none */
  best(side: BookSide): number {
    return this.bests[side]!;
  }

  has(level: number): boolean {
    return (this.words[level >>> 5]! & (1 << level)) !== 0;
  }

  /** Marks a level as occupied; harmless when it is. */
  add(side: BookSide, level: number): void {
    const word = level >>> 5;
    this.words[word]! |= 1 << level;
    this.summary[word >>> 5]! |= 1 << word;
    if (level < this.bests[side]!) this.bests[side] = level;
  }

  /** Marks a level as empty; harmless when it is. */
  remove(side: BookSide, level: number): void {
    const word = level >>> 5;
    const left = this.words[word]! & ~(1 << level);
    this.words[word] = left;
    if (left === 0) this.summary[word >>> 5]! &= ~(1 << word);
    if (level === this.bests[side]) this.bests[side] = this.next(side, level);
  }

  /** @returns the nearest occupied level of the side worse than the given one, the side's end when there is none */
  next(side: BookSide, level: number): number {
    const word = level >>> 5;
    const left = this.words[word]! & above(level);
    return left === 0 ? this.beyond(side, word) : word * WORD + lowestBit(left);
  }

  /** @returns the first occupied level in the words after the given one */
  private beyond(side: BookSide, word: number): number {
    const { summary } = this;
    const end = this.grid.end(side);
    let group = word >>> 5;
    let left = summary[group]! & above(word);
    while (left === 0) {
      group++;
      if (group >= summary.length) return end;
      left = summary[group]!;
    }
    const found = group * WORD + lowestBit(left);
    return Math.min(end, found * WORD + lowestBit(this.words[found]!));
  }
}

/** Mask of the bits above bit n mod 32. A shift by 32 would be one by 0, hence in two steps. */
const above = (n: number): number => (-1 << n) << 1;
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);
