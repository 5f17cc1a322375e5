/** Sums that can be merged. */
export interface Mergeable<Sums> {
  add(other: Sums): void;
}

/**
 * Sums by stretches of time, so that an estimate can be made without each of them in turn. There is a fixed number of
 * stretches; they double in length when time outgrows them.
 */
export class TimeBlocks<Sums extends Mergeable<Sums>> {
  #blocks: (Sums | undefined)[] = [];
  #width: number;
  #startedAt: number | null = null;

  /**
   * @param width at first, microseconds
   * @param most  stretches; even
   */
  constructor(
    width: number,
    private readonly most: number,
    private readonly empty: () => Sums,
  ) {
    this.#width = width;
  }

  /** The stretch that a time lies in; what is before the first time counts to its stretch. */
  at(micros: number): Sums {
    this.#startedAt ??= micros;
    while (micros - this.#startedAt >= this.#width * this.most) this.#fold();
    const index = Math.max(0, Math.floor((micros - this.#startedAt) / this.#width));
    return (this.#blocks[index] ??= this.empty());
  }

  /** Those with anything in them. */
  get all(): readonly Sums[] {
    return this.#blocks.filter((block) => block !== undefined);
  }

  /** Microseconds that one covers. */
  get width(): number {
    return this.#width;
  }

  #fold(): void {
    const folded: (Sums | undefined)[] = [];
    this.#blocks.forEach((block, index) => {
      const into = Math.floor(index / 2);
      const known = folded[into];
      if (known === undefined) folded[into] = block;
      else if (block !== undefined) known.add(block);
    });
    this.#blocks = folded;
    this.#width *= 2;
  }
}

/**
 * Standard error of an estimate by leaving out one stretch at a time (Efron and Tibshirani 1993, chapter 11): what
 * comes in clusters makes it larger, as it should.
 * @param estimate from all blocks but one
 * @returns null below two stretches, or when one of them decides everything
 */
export function jackknifeError<Sums extends Mergeable<Sums>>(
  blocks: readonly Sums[],
  empty: () => Sums,
  estimate: (sums: Sums) => number | null,
): number | null {
  if (blocks.length < 2) return null;
  const estimates = blocks.map((_, left) =>
    estimate(
      sumOf(
        blocks.filter((_, index) => index !== left),
        empty,
      ),
    ),
  );
  if (!estimates.every((value) => value !== null)) return null;
  const mean = estimates.reduce((sum, value) => sum + value, 0) / estimates.length;
  const squares = estimates.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt((squares * (blocks.length - 1)) / blocks.length);
}

/** All stretches as one. */
export function sumOf<Sums extends Mergeable<Sums>>(blocks: readonly Sums[], empty: () => Sums): Sums {
  const sum = empty();
  for (const block of blocks) sum.add(block);
  return sum;
}
