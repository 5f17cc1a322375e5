import { InvariantError } from '../../domain/errors.js';
import type { BookParts, Matcher } from './matcher.js';
import { type BookSide, ASK, BID, opposite, type LevelGrid, type OccupiedLevels } from './levels.js';
import type { ForeignVolume } from './foreign-volume.js';
import type { OrderRecords } from './order-records.js';

/** What happens to one order of others, and where in its level's queue. */
export interface QueuedOrder {
  readonly change: 'join' | 'leave' | 'restate';
  readonly tick: number;
  readonly shares: number;
  /** Others' shares before it, as the recording has them. */
  readonly ahead: number;
}

/** Applies a recording to a book. Fills of our orders stand in the book's fills. */
export class RecordedFlow {
  declare private readonly grid: LevelGrid;
  declare private readonly records: OrderRecords;
  declare private readonly occupied: OccupiedLevels;
  declare private readonly foreign: ForeignVolume;
  declare private readonly matcher: Matcher;
  /** By side, whether the last line changed what others have there. */
  readonly changed: [boolean, boolean] = [false, false];

  constructor(parts: BookParts, foreign: ForeignVolume, matcher: Matcher) {
    this.grid = parts.grid;
    this.records = parts.records;
    this.occupied = parts.occupied;
    this.foreign = foreign;
    this.matcher = matcher;
  }

  /** Applies a book line, both sides at once. */
  line(bids: RecordedSide, asks: RecordedSide): void {
    const { changed } = this;
    changed[BID] = false;
    changed[ASK] = false;
    this.side(BID, bids);
    this.side(ASK, asks);
    if (this.foreign.crossing === 'ignore') return;
    this.cross(BID);
    this.cross(ASK);
  }

  /** Applies a print that hit the resting side at a price. */
  print(resting: BookSide, tick: number, shares: number): void {
    const level = this.grid.level(resting, tick);
    const left = this.pass(resting, level - 1, shares);
    this.matcher.matchLevel(resting, level, left, 'print');
    this.foreign.sizes.print(level, shares);
  }

  /** Applies what happened to one order. */
  order(side: BookSide, { change, tick, shares, ahead }: QueuedOrder): void {
    const level = this.grid.level(side, tick);
    if (change === 'restate') return this.set(side, level, shares);
    if (change === 'join') this.foreign.joinOthers(side, level, ahead, shares);
    else this.foreign.leaveOthers(side, level, ahead, shares);
    if (this.foreign.present(level) > 0) this.occupied.add(side, level);
    else this.vacate(side, level);
    if (this.foreign.crossing === 'fill' && change === 'join') this.cross(side);
  }

  /** Sets the levels that a line names, and clears those that it shows to be gone. */
  private side(side: BookSide, line: RecordedSide): void {
    const { grid } = this;
    const { recorded, depth } = this.foreign;
    let known = recorded.best(side);
    let next = grid.start(side);
    for (let row = line.from; row < line.to; row++) {
      const level = this.named(side, line, row, next);
      known = this.clear(side, known, level);
      if (known === level) known = recorded.next(side, level);
      this.set(side, level, line.shares[row]!);
      next = level + 1;
    }
    const isWhole = line.to - line.from < depth && line.isCut !== true;
    const end = isWhole ? grid.end(side) : next;
    this.clear(side, known, end);
    this.see(side, end);
  }

  /** @returns the level of a row, which must be the given one or worse */
  private named(side: BookSide, line: RecordedSide, row: number, best: number): number {
    const tick = line.ticks[row]!;
    const level = this.grid.level(side, tick);
    const fits = this.grid.has(tick) && level >= best && line.shares[row]! > 0;
    if (!fits)
      throw new InvariantError(`row ${row} of a recorded side is out of order or range: price ${tick}`);
    return level;
  }

  /** Clears the recorded levels from one on up to another. @returns the first that stays */
  private clear(side: BookSide, from: number, end: number): number {
    let level = from;
    while (level < end) {
      this.set(side, level, 0);
      level = this.foreign.recorded.next(side, level);
    }
    return level;
  }

  private set(side: BookSide, level: number, shares: number): void {
    if (this.foreign.sizes.agrees(level, shares)) return;
    this.changed[side] = true;
    this.foreign.record(side, level, shares);
    if (this.foreign.present(level) > 0) this.occupied.add(side, level);
    else this.vacate(side, level);
  }

  /** Notes how far a side is visible now. */
  private see(side: BookSide, end: number): void {
    const { occupied, foreign } = this;
    const seenEnd = foreign.seenEnd(side);
    foreign.setSeenEnd(side, end);
    if (end <= seenEnd) return;
    let level = occupied.has(seenEnd) ? seenEnd : occupied.next(side, seenEnd);
    for (; level < end; level = occupied.next(side, level)) foreign.queues.see(level);
  }

  /** Lets the recorded levels of a side fill orders of ours that they cross. */
  private cross(side: BookSide): void {
    const { grid, occupied, foreign } = this;
    const resting = opposite(side);
    const end = grid.end(side);
    for (let level = foreign.recorded.best(side); level < end; level = foreign.recorded.next(side, level)) {
      const limit = grid.level(resting, grid.tick(side, level));
      if (occupied.best(resting) > limit) return;
      const present = foreign.present(level);
      foreign.spend(level, present - this.pass(resting, limit, present));
      this.changed[side] = true;
      if (foreign.present(level) === 0) this.vacate(side, level);
    }
  }

  /** Fills orders of ours alone, best level first, up to a level. @returns the shares left */
  private pass(resting: BookSide, limit: number, shares: number): number {
    const { occupied, records } = this;
    let left = shares;
    let level = occupied.best(resting);
    for (; left > 0 && level <= limit; level = occupied.next(resting, level)) {
      if (records.isEmpty(records.anchor(level))) continue;
      left = this.matcher.matchLevel(resting, level, left, 'passing');
    }
    return left;
  }

  private vacate(side: BookSide, level: number): void {
    if (this.records.isEmpty(this.records.anchor(level))) this.occupied.remove(side, level);
  }
}

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
  /** Levels behind the last one may exist although the line states fewer than the depth. Default: no. */
  readonly isCut?: boolean;
}
