import type { OrderId } from '../contract/ids.js';
import type { Shares, Ticks } from '../../domain/units.js';
import type { BookParts, Fills } from './matcher.js';
import { type BookSide, type LevelGrid, type OccupiedLevels, ASK, BID } from './levels.js';
import type { ForeignVolume, LevelSizes } from './foreign-volume.js';
import type { OrderIndex } from './order-index.js';
import type { OrderRecords } from './order-records.js';
import { invariant } from '../../domain/errors.js';

/** A resting order. */
export interface RestingOrder {
  readonly id: OrderId;
  readonly side: BookSide;
  readonly tick: Ticks;
  readonly shares: Shares;
}

/** A level. `shares` is more than zero; `foreign` is the part of the shares that belongs to others. */
export interface BookLevel {
  readonly tick: Ticks;
  readonly shares: Shares;
  readonly foreign: Shares;
}

/**
 * Reads of a book. Prices are long-side ticks and must lie in the book. Only reads that return objects allocate.
 */
export class ReadableBook {
  /** What the last command traded. */
  declare readonly fills: Fills;
  declare protected readonly grid: LevelGrid;
  declare protected readonly records: OrderRecords;
  declare protected readonly index: OrderIndex;
  declare protected readonly occupied: OccupiedLevels;
  declare protected readonly foreign: ForeignVolume | null;

  constructor(protected readonly parts: BookParts) {
    this.fills = parts.fills;
    this.grid = parts.grid;
    this.records = parts.records;
    this.index = parts.index;
    this.occupied = parts.occupied;
    this.foreign = parts.foreign;
  }

  /** Lowest price of the book. */
  get minTick(): Ticks {
    return this.grid.minTick;
  }

  /** Highest price of the book. */
  get maxTick(): Ticks {
    return this.grid.maxTick;
  }

  /** Number of our resting orders. */
  get size(): number {
    return this.index.size;
  }

  /** Whether an order of this id rests. */
  has(id: OrderId): boolean {
    return this.index.find(id) !== 0;
  }

  /** @returns the resting order of an id, null when there is none */
  order(id: OrderId): RestingOrder | null {
    const record = this.index.find(id);
    return record === 0 ? null : this.read(record);
  }

  /** @returns the shares a resting order has left, 0 when there is none of this id */
  sharesOf(id: OrderId): Shares {
    const record = this.index.find(id);
    return (record === 0 ? 0 : this.records.shares(record)) as Shares;
  }

  /**
   * @returns the best price of a side; of an empty side the price one tick outside the book that nothing crosses,
   * `minTick - 1` for bids and `maxTick + 1` for asks
   */
  best(side: BookSide): Ticks {
    return this.grid.tick(side, this.occupied.best(side));
  }

  /** Whether an order of this side and price would trade at once. */
  wouldMatch(side: BookSide, tick: Ticks): boolean {
    const resting = (1 - side) as BookSide;
    return this.occupied.best(resting) <= this.grid.level(resting, tick);
  }

  /** @returns all shares at one price of one side */
  volumeAt(side: BookSide, tick: Ticks): Shares {
    return this.volume(this.grid.level(side, tick)) as Shares;
  }

  /** @returns all shares of a side at a price or better: what an order of the other side could take there at most */
  depth(side: BookSide, limit: Ticks): Shares {
    const worst = this.grid.level(side, limit);
    let shares = 0;
    for (let level = this.occupied.best(side); level <= worst; level = this.occupied.next(side, level)) {
      shares += this.volume(level);
    }
    return shares as Shares;
  }

  /** @returns at most `count` levels of a side, best first */
  top(side: BookSide, count: number): BookLevel[] {
    return this.readLevels(side, count, this.grid.end(side));
  }

  /** Writes the best levels of a side into two columns, best first, without making objects. @returns how many, at most `count` */
  readTop(side: BookSide, count: number, ticks: Ticks[], shares: Shares[]): number {
    const { grid, occupied } = this;
    const end = grid.end(side);
    let row = 0;
    for (let level = occupied.best(side); level < end && row < count; level = occupied.next(side, level)) {
      ticks[row] = grid.tick(side, level);
      shares[row] = this.volume(level) as Shares;
      row += 1;
    }
    return row;
  }

  /**
   * @returns of the best `count` levels of a side those that the latest recorded line shows, best first. Deeper levels are
   * as they were seen last and may be gone
   */
  seen(side: BookSide, count: number): BookLevel[] {
    const { grid, foreign } = this;
    return this.readLevels(side, count, foreign === null ? grid.end(side) : foreign.seenEnd(side));
  }

  /** @returns of a side the best `count` levels on which others stand, best first */
  others(side: BookSide, count: number): BookLevel[] {
    const { grid, occupied } = this;
    const end = grid.end(side);
    const levels: BookLevel[] = [];
    for (
      let level = occupied.best(side);
      level < end && levels.length < count;
      level = occupied.next(side, level)
    )
      if (this.present(level) > 0) levels.push(this.readLevel(side, level));
    return levels;
  }

  /** @returns prices of a side where others have less than recorded, because our orders took it */
  missing(side: BookSide): Ticks[] {
    const { grid, foreign } = this;
    const ticks: Ticks[] = [];
    if (foreign === null) return ticks;
    for (let level = grid.start(side); level < grid.end(side); level += 1)
      if (foreign.sizes.missing(level) > 0) ticks.push(grid.tick(side, level));
    return ticks;
  }

  /** The levels of a side, best first. The book must not change meanwhile. */
  *levels(side: BookSide): Generator<BookLevel> {
    const end = this.grid.end(side);
    for (let level = this.occupied.best(side); level < end; level = this.occupied.next(side, level))
      yield this.readLevel(side, level);
  }

  /** Our orders at one price of one side, first in time first. The book must not change meanwhile. */
  *queue(side: BookSide, tick: Ticks): Generator<RestingOrder> {
    const anchor = this.records.anchor(this.grid.level(side, tick));
    for (let record = this.records.next(anchor); record !== anchor; record = this.records.next(record)) {
      yield this.read(record);
    }
  }

  /** @returns the shares, ours and others', that stand ahead of an order on its level; 0 when it does not rest */
  ahead(id: OrderId): Shares {
    const { records } = this;
    let record = this.index.find(id);
    if (record === 0) return 0 as Shares;
    let shares = 0;
    const anchor = records.anchor(records.level(record));
    while (record !== anchor) {
      shares += this.foreign === null ? 0 : this.foreign.queues.gap(record);
      record = records.previous(record);
      if (record !== anchor) shares += records.shares(record);
    }
    return shares as Shares;
  }

  /** @returns the whole book as plain JSON, for {@link MatchingBook.restore} */
  snapshot(): BookSnapshot {
    return takeSnapshot(this.parts);
  }

  protected read(record: number): RestingOrder {
    const level = this.records.level(record);
    const side = this.grid.side(level);
    return {
      id: this.records.id(record) as OrderId,
      side,
      tick: this.grid.tick(side, level),
      shares: this.records.shares(record) as Shares,
    };
  }

  /** @returns at most `count` levels of a side before `end`, best first */
  private readLevels(side: BookSide, count: number, end: number): BookLevel[] {
    const { occupied } = this;
    const levels: BookLevel[] = [];
    let level = occupied.best(side);
    for (; level < end && levels.length < count; level = occupied.next(side, level))
      levels.push(this.readLevel(side, level));
    return levels;
  }

  private readLevel(side: BookSide, level: number): BookLevel {
    const tick = this.grid.tick(side, level);
    return { tick, shares: this.volume(level) as Shares, foreign: this.present(level) as Shares };
  }

  private volume(level: number): number {
    return this.records.sum(this.records.anchor(level)) + this.present(level);
  }

  private present(level: number): number {
    return this.foreign === null ? 0 : this.foreign.present(level);
  }
}

/** A whole book as plain JSON. Restored, it answers every further command as the original would have. */
export interface BookSnapshot {
  readonly minTick: Ticks;
  readonly maxTick: Ticks;
  /** Bids, then asks, best first; empty levels are left out. */
  readonly levels: readonly SavedLevel[];
  /** First price behind what the last book line showed, per side; null without foreign volume. */
  readonly unseenFrom: readonly [bid: Ticks, ask: Ticks] | null;
}

export interface SavedLevel {
  readonly side: BookSide;
  readonly tick: Ticks;
  /** First in time first. */
  readonly orders: readonly SavedOrder[];
  /** Others' shares behind our last order. */
  readonly behind: Shares;
  readonly sizes: LevelSizes;
}

export interface SavedOrder {
  readonly id: OrderId;
  readonly shares: Shares;
  /** Others' shares between the order before this one and this one. */
  readonly gap: Shares;
  /** Whether it joined its level out of sight of the recording, and the level was not seen since. */
  readonly unseen: boolean;
}

const NO_SIZES: LevelSizes = { recorded: 0, printed: 0, taken: 0, spent: 0 };

/** @returns the book as it stands */
function takeSnapshot(parts: BookParts): BookSnapshot {
  const { grid, foreign } = parts;
  return {
    minTick: grid.minTick,
    maxTick: grid.maxTick,
    levels: [...savedLevels(parts, BID), ...savedLevels(parts, ASK)],
    unseenFrom: foreign && [grid.tick(BID, foreign.seenEnd(BID)), grid.tick(ASK, foreign.seenEnd(ASK))],
  };
}

function* savedLevels(parts: BookParts, side: BookSide): Generator<SavedLevel> {
  const { grid, records, foreign } = parts;
  for (let level = grid.start(side); level < grid.end(side); level++) {
    const anchor = records.anchor(level);
    const sizes = foreign?.sizes.read(level) ?? NO_SIZES;
    if (records.isEmpty(anchor) && sizes.recorded === 0) continue;
    const behind = (foreign?.queues.gap(anchor) ?? 0) as Shares;
    yield { side, tick: grid.tick(side, level), orders: [...savedOrders(parts, anchor)], behind, sizes };
  }
}

function* savedOrders({ records, foreign }: BookParts, anchor: number): Generator<SavedOrder> {
  for (let record = records.next(anchor); record !== anchor; record = records.next(record)) {
    yield {
      id: records.id(record) as OrderId,
      shares: records.shares(record) as Shares,
      gap: (foreign?.queues.gap(record) ?? 0) as Shares,
      unseen: foreign?.queues.isUnseen(record) ?? false,
    };
  }
}

/**
 * Puts others' volume back into a book that holds the snapshot's orders already.
 * @throws InvariantError when the snapshot is of a book without foreign volume
 */
export function restoreForeign(parts: BookParts, foreign: ForeignVolume, snapshot: BookSnapshot): void {
  const { grid, occupied } = parts;
  const { unseenFrom } = snapshot;
  invariant(unseenFrom !== null, 'the snapshot is of a book without foreign volume');
  for (const saved of snapshot.levels) {
    const level = grid.level(saved.side, saved.tick);
    restoreLevel(parts, foreign, saved, level);
    if (foreign.present(level) > 0) occupied.add(saved.side, level);
  }
  for (const side of [BID, ASK] as const) foreign.setSeenEnd(side, grid.level(side, unseenFrom[side]));
}

function restoreLevel(parts: BookParts, foreign: ForeignVolume, saved: SavedLevel, level: number): void {
  const { records, index } = parts;
  const { queues } = foreign;
  foreign.restore(saved.side, level, saved.sizes);
  queues.restore(records.anchor(level), level, saved.behind, 'seen');
  for (const { id, gap, unseen } of saved.orders) {
    queues.restore(index.find(id), level, gap, unseen ? 'unseen' : 'seen');
  }
}
