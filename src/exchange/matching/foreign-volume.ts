import { invariant } from '../../domain/errors.js';
import type { OrderId } from '../contract/ids.js';
import { type ConsumptionModel, CAUTIOUS } from '../../venues/simulated/models/liquidity.js';
import type { QueueModel } from '../../venues/simulated/models/queue.js';
import { type BookSide, type LevelGrid, OccupiedLevels } from './levels.js';
import { ForeignQueues } from './foreign-queues.js';
import type { OrderRecords } from './order-records.js';

/** The reserved id of others' volume, whose orders are unknown. */
export const FOREIGN_ORDER = 0 as OrderId;

/** How others' liquidity behaves in a book that follows a recording or a mirrored venue. */
export interface ForeignOptions {
  /** Most levels of a side that a book line shows. What is worse than the worst level of a full side is unseen. */
  readonly depth: number;
  /** How a decrease of a level is split between what stands ahead of our orders and behind. Default: risk-averse. */
  readonly queue?: QueueModel;
  /** What becomes of what our orders take. Default: missing until the level is refreshed. */
  readonly consumption?: ConsumptionModel;
  /** Whether a recorded level that crosses orders of ours fills them, up to its size. Default: `fill`. */
  readonly crossing?: 'fill' | 'ignore';
}

/** Others' volume in one book: what is recorded, what our orders took of it, and where it stands in the queues. */
export class ForeignVolume {
  declare readonly depth: number;
  declare readonly crossing: 'fill' | 'ignore';
  declare readonly queues: ForeignQueues;
  declare readonly sizes: RecordedSizes;
  declare private readonly records: OrderRecords;
  /** The levels whose recorded size is not zero. */
  declare readonly recorded: OccupiedLevels;
  /** Per side the number after the worst level that the last book line showed. */
  declare private readonly seenEnds: Int32Array;

  /** @throws InvariantError when the depth is not a positive integer */
  constructor(options: ForeignOptions, grid: LevelGrid, records: OrderRecords) {
    const { depth } = options;
    invariant(
      Number.isInteger(depth) && depth > 0,
      `the depth of book lines is a positive integer, not ${depth}`,
    );
    const levels = 2 * grid.sideLength;
    this.depth = depth;
    this.crossing = options.crossing ?? 'fill';
    this.queues = new ForeignQueues(levels, records, options.queue ?? CAUTIOUS.queue);
    this.sizes = new RecordedSizes(levels, options.consumption ?? CAUTIOUS.consumption);
    this.records = records;
    this.recorded = new OccupiedLevels(grid);
    this.seenEnds = Int32Array.of(grid.start(0), grid.start(1));
  }

  /** @returns others' shares at a level of our book */
  present(level: number): number {
    return this.queues.sum(level);
  }

  /** @returns the number after the worst level of a side that the recording shows at present */
  seenEnd(side: BookSide): number {
    return this.seenEnds[side]!;
  }

  setSeenEnd(side: BookSide, level: number): void {
    this.seenEnds[side] = level;
  }

  /** Gives an order that was just appended to a level's queue its place among others' shares. */
  join(record: number, side: BookSide, level: number): void {
    this.queues.join(record, level, level < this.seenEnds[side]! ? 'seen' : 'unseen');
  }

  /** Sets a level's size to what a book line says, zero when the line shows that it is gone. */
  record(side: BookSide, level: number, shares: number): void {
    const { sizes, queues, records } = this;
    const before = sizes.available(level);
    const traded = sizes.printed(level);
    sizes.record(level, shares);
    const after = sizes.available(level);
    if (records.isEmpty(records.anchor(level))) queues.replace(level, after);
    else queues.resize(level, { before, after, traded });
    this.mark(side, level, shares);
  }

  /** An order of others joins a level's queue behind `ahead` of their shares. */
  joinOthers(side: BookSide, level: number, ahead: number, shares: number): void {
    const missing = this.sizes.missing(level);
    this.sizes.grow(level, shares);
    this.queues.joinOthers(level, Math.max(0, ahead - missing), shares);
    this.mark(side, level, this.sizes.recorded(level));
  }

  /** Shares of others leave that stood behind `ahead` of their shares. What our orders took is not there any more. */
  leaveOthers(side: BookSide, level: number, ahead: number, shares: number): void {
    const missing = this.sizes.missing(level);
    const gone = Math.min(shares, Math.max(0, missing - ahead));
    this.sizes.shrink(level, shares, gone);
    this.queues.leaveOthers(level, Math.max(0, ahead - missing), shares - gone);
    this.mark(side, level, this.sizes.recorded(level));
  }

  /** Restores the counts of a level; its queue is restored by itself. */
  restore(side: BookSide, level: number, sizes: LevelSizes): void {
    this.sizes.restore(level, sizes);
    this.mark(side, level, sizes.recorded);
  }

  /** Counts shares of a level that an order of ours took out of its queue. */
  take(level: number, shares: number): void {
    this.sizes.take(level, shares);
  }

  /** Takes out the shares that a level used up by crossing orders of ours; so none of ours stand there. */
  spend(level: number, shares: number): void {
    this.queues.trade(this.records.anchor(level), level, shares);
    this.sizes.spend(level, shares);
  }

  private mark(side: BookSide, level: number, shares: number): void {
    if (shares > 0) this.recorded.add(side, level);
    else this.recorded.remove(side, level);
  }
}

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
 * Sizes of each level in the recording, and what is missing from our book because of our orders:
 * - recorded: the level's size in the last book line that named it;
 * - printed: what traded there in recorded prints since then, already gone before a line says so;
 * - taken: what our orders took, as far as the consumption model says that it is still missing;
 * - spent: what the level used up by crossing our orders. It stays missing until the level vanishes. So a crossing level
 *   fills no more than its largest size, however often it is recorded again.
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
