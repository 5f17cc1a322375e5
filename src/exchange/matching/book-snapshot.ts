import { invariant } from '../../domain/errors.js';
import type { OrderId } from '../../domain/ids.js';
import type { Shares, Ticks } from '../../domain/units.js';
import type { BookParts } from './book-parts.js';
import type { BookSide } from './book-side.js';
import { ASK, BID } from './book-side.js';
import type { ForeignVolume } from './foreign-volume.js';
import type { LevelSizes } from './recorded-sizes.js';

/** A whole book as plain JSON. Restored, it answers every further command as the original would have. */
export interface BookSnapshot {
  readonly minTick: Ticks;
  readonly maxTick: Ticks;
  /** Bids, then asks, best first; levels about which nothing is to say are left out. */
  readonly levels: readonly SavedLevel[];
  /** First price of the bids and of the asks beyond what the last book line showed; null without foreign volume. */
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
  /** Whether it joined its level out of sight of the recording, and still is. */
  readonly unseen: boolean;
}

const NO_SIZES: LevelSizes = { recorded: 0, printed: 0, taken: 0, spent: 0 };

/** @returns the book as it stands */
export function takeSnapshot(parts: BookParts): BookSnapshot {
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
