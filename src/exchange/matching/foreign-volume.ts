import { invariant } from '../../domain/errors.js';
import type { OrderId } from '../../domain/ids.js';
import { type ConsumptionModel, CAUTIOUS } from '../../venues/simulated/models/liquidity.js';
import type { QueueModel } from '../../venues/simulated/models/queue.js';
import type { BookSide } from './book-side.js';
import { ForeignQueues } from './foreign-queues.js';
import type { LevelGrid } from './level-grid.js';
import { OccupiedLevels } from './occupied-levels.js';
import type { OrderRecords } from './order-records.js';
import type { LevelSizes } from './recorded-sizes.js';
import { RecordedSizes } from './recorded-sizes.js';

/** The reserved id that stands for others' volume, of which nobody knows whose order it is. */
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

/** The volume of others in one book: what is recorded of it, what of that is missing, and where it stands. */
export class ForeignVolume {
  declare readonly depth: number;
  declare readonly crossing: 'fill' | 'ignore';
  declare readonly queues: ForeignQueues;
  declare readonly sizes: RecordedSizes;
  declare private readonly records: OrderRecords;
  /** The levels whose recorded size is not zero. */
  declare readonly recorded: OccupiedLevels;
  /** By side, whether a line that states what the last one did may yet give back shares that orders of ours took. */
  readonly owed: [boolean, boolean] = [false, false];
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

  /** An order of others joins a level's queue behind so many of their shares. */
  joinOthers(side: BookSide, level: number, ahead: number, shares: number): void {
    const missing = this.sizes.missing(level);
    this.sizes.grow(level, shares);
    this.queues.joinOthers(level, Math.max(0, ahead - missing), shares);
    this.mark(side, level, this.sizes.recorded(level));
  }

  /** Shares of others leave from behind so many of their shares; what we have already taken of them is not there. */
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
  take(side: BookSide, level: number, shares: number): void {
    this.sizes.take(level, shares);
    this.owed[side] = true;
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
