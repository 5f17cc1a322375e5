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
  /**
   * Where the range of these same columns begins that this one repeats, level by level and with as many and the same
   * ticks; below zero: nobody knows of one. Only for columns that nobody changes. Default: nobody knows.
   */
  readonly since?: number;
  /** The levels whose size is another one than there: a bit each, the lowest of the best. */
  readonly resized?: number;
}

const NOWHERE = new Int32Array(0);

/** One side of the latest book line, to see at once what the next line repeats of it. */
export class LastSide {
  declare private readonly ticks: Int32Array;
  declare private readonly shares: Float64Array;
  /** Rows of the line; -1: none is known. */
  private count = -1;
  private isCut = false;
  /** Where the line stood. */
  private columns: Int32Array = NOWHERE;
  private from = 0;

  /** @param rows to remember at most; a longer side is never repeated */
  constructor(rows: number) {
    this.ticks = new Int32Array(rows);
    this.shares = new Float64Array(rows);
  }

  /** Something happened since: no line repeats this one. */
  forget(): void {
    this.count = -1;
  }

  /** Whether a line says of itself that it repeats this one. */
  isRepeatedBy({ ticks, since = -1 }: RecordedSide): boolean {
    return since >= 0 && since === this.from && ticks === this.columns && this.count >= 0;
  }

  /** Stands where a line does that names the same levels. */
  stand({ ticks, from }: RecordedSide): void {
    this.from = from;
    if (this.columns !== ticks) this.columns = ticks;
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

  take(line: RecordedSide): void {
    const { ticks, shares, from, to, isCut = false } = line;
    this.stand(line);
    this.isCut = isCut;
    this.count = to - from > this.ticks.length ? -1 : to - from;
    for (let row = 0; row < this.count; row++) {
      this.ticks[row] = ticks[from + row]!;
      this.shares[row] = shares[from + row]!;
    }
  }
}
