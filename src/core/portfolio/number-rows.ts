const BLOCK_BITS = 7;
const BLOCK_ROWS = 1 << BLOCK_BITS;

/**
 * A table of numbers, row after row: eight bytes each, where an object needs as much again for itself and twice as much
 * for a number with a fraction. It grows by a block at a time, so that no row ever moves and little room is spare.
 */
export class NumberRows {
  readonly #blocks: Float64Array[] = [];
  #rows = 0;

  /** @param width numbers in a row */
  constructor(private readonly width: number) {}

  get length(): number {
    return this.#rows;
  }

  /** Adds a row of zeros. @returns its place: 0, 1, 2 and so on */
  add(): number {
    if (this.#rows % BLOCK_ROWS === 0) this.#blocks.push(new Float64Array(BLOCK_ROWS * this.width));
    return this.#rows++;
  }

  get(row: number, column: number): number {
    return this.#blocks[row >> BLOCK_BITS]![(row & (BLOCK_ROWS - 1)) * this.width + column]!;
  }

  set(row: number, column: number, value: number): void {
    this.#blocks[row >> BLOCK_BITS]![(row & (BLOCK_ROWS - 1)) * this.width + column] = value;
  }
}
