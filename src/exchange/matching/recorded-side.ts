/**
 * One side of a recorded book line: columns of prices, best first, and of others' absolute shares there, more than
 * zero. A decoded recording passes ranges of its own columns.
 */
export interface RecordedSide {
  readonly ticks: Int32Array;
  readonly shares: Float64Array;
  /** The range of rows that belong to this side of this line. */
  readonly from: number;
  readonly to: number;
  /** Levels behind the last one may be unseen although the line states fewer than the depth. Default: no. */
  readonly isCut?: boolean;
}

/** One side of the latest book line, to see at once what the next line repeats of it. */
export class LastSide {
  declare private readonly ticks: Int32Array;
  declare private readonly shares: Float64Array;
  /** Rows of the line; -1: none is known. */
  private count = -1;
  private isCut = false;

  /** @param rows to remember at most; a longer side is never repeated */
  constructor(rows: number) {
    this.ticks = new Int32Array(rows);
    this.shares = new Float64Array(rows);
  }

  /** Something happened since: no line repeats this one. */
  forget(): void {
    this.count = -1;
  }

  /** Whether a line names the same levels, whatever their sizes. */
  isOfLevels({ ticks, from, to, isCut = false }: RecordedSide): boolean {
    if (to - from !== this.count || isCut !== this.isCut) return false;
    for (let row = from; row < to; row++) if (ticks[row] !== this.ticks[row - from]) return false;
    return true;
  }

  /** Takes over the size of a level. @returns whether it is another one */
  resize(row: number, shares: number): boolean {
    if (this.shares[row] === shares) return false;
    this.shares[row] = shares;
    return true;
  }

  take({ ticks, shares, from, to, isCut = false }: RecordedSide): void {
    this.isCut = isCut;
    this.count = to - from > this.ticks.length ? -1 : to - from;
    for (let row = 0; row < this.count; row++) {
      this.ticks[row] = ticks[from + row]!;
      this.shares[row] = shares[from + row]!;
    }
  }
}
