import type { RecordedSide } from './recorded-flow.js';

/** One side of the latest book line, to see at once that the next line repeats it. */
export class LastSide {
  declare private readonly ticks: Int32Array;
  declare private readonly shares: Float64Array;
  /** Rows of the line; -1: none is known. */
  private count = -1;

  /** @param rows to remember at most; a longer side is never repeated */
  constructor(rows: number) {
    this.ticks = new Int32Array(rows);
    this.shares = new Float64Array(rows);
  }

  /** Something happened since: no line repeats this one. */
  forget(): void {
    this.count = -1;
  }

  isRepeatedBy({ ticks, shares, from, to }: RecordedSide): boolean {
    if (to - from !== this.count) return false;
    for (let row = from; row < to; row++)
      if (ticks[row] !== this.ticks[row - from] || shares[row] !== this.shares[row - from]) return false;
    return true;
  }

  take({ ticks, shares, from, to }: RecordedSide): void {
    this.count = to - from > this.ticks.length ? -1 : to - from;
    for (let row = 0; row < this.count; row++) {
      this.ticks[row] = ticks[from + row]!;
      this.shares[row] = shares[from + row]!;
    }
  }
}
