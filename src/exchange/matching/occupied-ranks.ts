const WORD = 32;
const LOWEST_OF_EMPTY = -1;

/**
 * Which levels of one side hold volume, as a bitmap with a summary above it, and which of them is the best.
 * A rank counts a side's levels from its best possible price (0) to its worst, so the best occupied level is the
 * lowest bit. Up to 1,024 ranks the next best is found with two reads, above with one read per further 1,024.
 */
export class OccupiedRanks {
  /** The best occupied rank; equal to `span` when the side is empty. */
  best: number;
  private readonly words: Int32Array;
  private readonly summary: Int32Array;

  /** @param span number of ranks */
  constructor(readonly span: number) {
    this.best = span;
    this.words = new Int32Array(Math.ceil(span / WORD));
    this.summary = new Int32Array(Math.ceil(this.words.length / WORD));
  }

  has(rank: number): boolean {
    return (this.words[rank >>> 5]! & (1 << (rank & 31))) !== 0;
  }

  /** Marks a rank as occupied; harmless when it is. */
  add(rank: number): void {
    const word = rank >>> 5;
    this.words[word]! |= 1 << (rank & 31);
    this.summary[word >>> 5]! |= 1 << (word & 31);
    if (rank < this.best) this.best = rank;
  }

  /** Marks a rank as empty; harmless when it is. */
  remove(rank: number): void {
    const word = rank >>> 5;
    const left = this.words[word]! & ~(1 << (rank & 31));
    this.words[word] = left;
    if (left === 0) this.summary[word >>> 5]! &= ~(1 << (word & 31));
    if (rank === this.best) this.best = this.next(rank);
  }

  /** @returns the nearest occupied rank worse than the given one, `span` when there is none */
  next(rank: number): number {
    const word = rank >>> 5;
    const left = this.words[word]! & above(rank & 31);
    if (left !== 0) return word * WORD + lowestBit(left);
    const following = this.nextWord(word);
    return following === LOWEST_OF_EMPTY ? this.span : following * WORD + lowestBit(this.words[following]!);
  }

  private nextWord(word: number): number {
    const { summary } = this;
    let group = word >>> 5;
    let left = summary[group]! & above(word & 31);
    while (left === 0) {
      group++;
      if (group === summary.length) return LOWEST_OF_EMPTY;
      left = summary[group]!;
    }
    return group * WORD + lowestBit(left);
  }
}

/** Mask of the bits above one bit. A shift by 32 would shift by 0, hence in two steps. */
const above = (bit: number): number => (-1 << bit) << 1;
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);
