import type { BookSide } from './book-side.js';
import type { LevelGrid } from './level-grid.js';

const WORD = 32;

/**
 * Which levels hold volume, and which of them is each side's best: a bitmap with a summary above it. The best is
 * remembered; the next after it takes two reads as long as the sides together have 1,024 levels and one read more
 * for each further 1,024 that are empty.
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
