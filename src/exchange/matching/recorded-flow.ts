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
  declare private readonly last: readonly [LastSide, LastSide];
  /** By side, whether the last line changed what others have there. */
  readonly changed: [boolean, boolean] = [false, false];

  constructor(parts: BookParts, foreign: ForeignVolume, matcher: Matcher) {
    this.grid = parts.grid;
    this.records = parts.records;
    this.occupied = parts.occupied;
    this.foreign = foreign;
    this.matcher = matcher;
    const rows = Math.min(foreign.depth, parts.grid.sideLength);
    this.last = [new LastSide(rows), new LastSide(rows)];
  }

  /** Applies a book line, both sides at once. */
  line(bids: RecordedSide, asks: RecordedSide): void {
    const { changed } = this;
    changed[BID] = false;
    changed[ASK] = false;
    this.renew(BID, bids);
    this.renew(ASK, asks);
    if (this.foreign.crossing === 'ignore') return;
    this.cross(BID);
    this.cross(ASK);
  }

  /** Applies a print that hit the resting side at a price. */
  print(resting: BookSide, tick: number, shares: number): void {
    const level = this.grid.level(resting, tick);
    const left = this.pass(resting, level - 1, shares);
    this.matcher.matchLevel(resting, level, left, 'print');
    this.last[resting].forget();
    this.foreign.sizes.print(level, shares);
  }

  /** Applies what happened to one order. */
  order(side: BookSide, { change, tick, shares, ahead }: QueuedOrder): void {
    const level = this.grid.level(side, tick);
    this.last[side].forget();
    if (change === 'restate') return this.set(side, level, shares);
    if (change === 'join') this.foreign.joinOthers(side, level, ahead, shares);
    else this.foreign.leaveOthers(side, level, ahead, shares);
    if (this.foreign.present(level) > 0) this.occupied.add(side, level);
    else this.vacate(side, level);
    if (this.foreign.crossing === 'fill' && change === 'join') this.cross(side);
  }

  /** If a side names the same levels as before, only changed sizes have to be set. */
  private renew(side: BookSide, line: RecordedSide): void {
    const last = this.last[side];
    const { owed } = this.foreign;
    if (!owed[side] && last.isOfLevels(line)) return this.resize(side, line, last);
    last.forget();
    owed[side] = false;
    this.side(side, line);
    last.take(line);
  }

  /** Sets the sizes that differ from the last line, which named the same levels. */
  private resize(side: BookSide, line: RecordedSide, last: LastSide): void {
    for (let row = line.from; row < line.to; row++) {
      const shares = line.shares[row]!;
      if (last.resize(row - line.from, shares))
        this.set(side, this.named(side, line, row, this.grid.start(side)), shares);
    }
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
    if (!this.foreign.sizes.agrees(level, shares)) this.foreign.owed[side] = true;
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

/** One side of the latest book line, to find what the next line repeats. */
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

  /** Call when something else changed the side: then no line repeats this one. */
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

  take(line: RecordedSide): void {
    const { ticks, shares, from, to, isCut = false } = line;
    this.isCut = isCut;
    this.count = to - from > this.ticks.length ? -1 : to - from;
    for (let row = 0; row < this.count; row++) {
      this.ticks[row] = ticks[from + row]!;
      this.shares[row] = shares[from + row]!;
    }
  }
}
