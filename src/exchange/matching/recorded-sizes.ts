import type { ConsumptionModel } from '../../venues/simulated/models/liquidity.js';

/** Floats kept for each level. */
const STRIDE = 4;
const RECORDED = 0;
const PRINTED = 1;
const TAKEN = 2;
const SPENT = 3;

/** The counts of one level, in share units. */
export interface LevelSizes {
  readonly recorded: number;
  readonly printed: number;
  readonly taken: number;
  readonly spent: number;
}

/**
 * What a recording says of each level, and what of it is missing from our book because of us:
 * - recorded: the level's size in the last book line that named it;
 * - printed: what traded there in recorded prints since then, already gone although no line has said so;
 * - taken: what orders of ours took, as far as the consumption model says that it is still missing;
 * - spent: what the level used up by crossing orders of ours; missing until the level vanishes, so that a crossing
 *   level fills no more of ours than its largest size, however often it is recorded again.
 */
export class RecordedSizes {
  declare private readonly columns: Float64Array;
  declare private readonly consumption: ConsumptionModel;

  /** @param levels number of levels */
  constructor(levels: number, consumption: ConsumptionModel) {
    this.consumption = consumption;
    this.columns = new Float64Array(levels * STRIDE);
  }

  /** Counts shares of a recorded print, as far as the last line showed so many. */
  print(level: number, shares: number): void {
    const at = level * STRIDE;
    this.columns[at + PRINTED] = Math.min(this.columns[at + PRINTED]! + shares, this.columns[at + RECORDED]!);
  }

  /** Counts shares that an order of ours took. */
  take(level: number, shares: number): void {
    this.columns[level * STRIDE + TAKEN]! += shares;
  }

  /** Counts shares that the level used up by crossing orders of ours. */
  spend(level: number, shares: number): void {
    this.columns[level * STRIDE + SPENT]! += shares;
  }

  /** Whether a book line with this size says nothing new. */
  agrees(level: number, shares: number): boolean {
    const at = level * STRIDE;
    if (this.columns[at + RECORDED] !== shares || this.columns[at + PRINTED] !== 0) return false;
    const taken = this.columns[at + TAKEN]!;
    return taken === 0 || this.consumption.missing(taken, { before: shares, after: shares }) === taken;
  }

  /** @returns shares traded in prints since the last line */
  printed(level: number): number {
    return this.columns[level * STRIDE + PRINTED]!;
  }

  /** @returns shares of the last line that are not missing because of us */
  available(level: number): number {
    const at = level * STRIDE;
    return Math.max(0, this.columns[at + RECORDED]! - this.columns[at + TAKEN]! - this.columns[at + SPENT]!);
  }

  /** @returns shares of the last line, or of the orders that joined since */
  recorded(level: number): number {
    return this.columns[level * STRIDE + RECORDED]!;
  }

  /** @returns shares that are missing because of us; they stood in front */
  missing(level: number): number {
    return this.columns[level * STRIDE + TAKEN]! + this.columns[level * STRIDE + SPENT]!;
  }

  /** Counts shares of an order that joined. */
  grow(level: number, shares: number): void {
    this.columns[level * STRIDE + RECORDED]! += shares;
  }

  /** Counts shares of an order that left, and how many of them were missing because of us. */
  shrink(level: number, shares: number, missing: number): void {
    const at = level * STRIDE;
    const taken = Math.min(missing, this.columns[at + TAKEN]!);
    this.columns[at + RECORDED]! -= shares;
    this.columns[at + TAKEN]! -= taken;
    this.columns[at + SPENT]! -= missing - taken;
  }

  /** Takes over what a book line says of a level, zero when the line shows that it is gone. */
  record(level: number, shares: number): void {
    const { columns } = this;
    const at = level * STRIDE;
    const taken = columns[at + TAKEN]!;
    const before = columns[at + RECORDED]! - columns[at + PRINTED]!;
    if (taken > 0) columns[at + TAKEN] = this.consumption.missing(taken, { before, after: shares });
    if (shares === 0) columns[at + SPENT] = 0;
    columns[at + RECORDED] = shares;
    columns[at + PRINTED] = 0;
  }

  /** @returns the counts of a level */
  read(level: number): LevelSizes {
    const at = level * STRIDE;
    return {
      recorded: this.columns[at + RECORDED]!,
      printed: this.columns[at + PRINTED]!,
      taken: this.columns[at + TAKEN]!,
      spent: this.columns[at + SPENT]!,
    };
  }

  /** Restores the counts of a level. */
  restore(level: number, sizes: LevelSizes): void {
    const { recorded, printed, taken, spent } = sizes;
    this.columns.set([recorded, printed, taken, spent], level * STRIDE);
  }
}
