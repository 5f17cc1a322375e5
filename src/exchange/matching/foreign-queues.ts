import { type LevelChange, type QueueModel, aheadAfter } from '../../venues/simulated/models/queue.js';
import { InvariantError } from '../../domain/errors.js';
import type { OrderRecords } from './order-records.js';

/** Whether the recording shows a level at present. */
export type Visibility = 'seen' | 'unseen';

/**
 * Knows where others' shares stand in the queues of our book: in the gaps before, between and behind our orders. The gap
 * ahead of an order belongs to its record, the gap behind the last order to the level's anchor. An order that leaves
 * adds its gap to the next one.
 */
export class ForeignQueues {
  /** By number of the record. */
  declare private gaps: Float64Array;
  declare private unseen: Uint8Array;
  declare private readonly sums: Float64Array;
  declare private readonly records: OrderRecords;
  declare private readonly model: QueueModel;

  constructor(levels: number, records: OrderRecords, model: QueueModel) {
    this.records = records;
    this.model = model;
    this.sums = new Float64Array(levels);
    this.gaps = new Float64Array(records.length);
    this.unseen = new Uint8Array(records.length);
  }

  /** @returns others' shares at a level */
  sum(level: number): number {
    return this.sums[level]!;
  }

  /** @returns others' shares directly ahead of an order; of an anchor, those behind the last order */
  gap(record: number): number {
    return this.gaps[this.records.number(record)]!;
  }

  /** Whether an order joined its level out of sight of the recording, and the level was not seen since. */
  isUnseen(record: number): boolean {
    return this.unseen[this.records.number(record)] === 1;
  }

  /** Gives an order that was just appended to a level's queue its place among others' shares. */
  join(record: number, level: number, visibility: Visibility): void {
    const anchor = this.records.anchor(level);
    const sum = this.sums[level]!;
    const ahead = Math.min(sum, Math.ceil(this.model.join(sum)));
    const behindOurs = this.gap(anchor);
    const gap = Math.max(0, ahead - (sum - behindOurs));
    this.gaps[this.records.number(anchor)] = behindOurs - gap;
    this.gaps[this.records.number(record)] = gap;
    this.unseen[this.records.number(record)] = visibility === 'unseen' ? 1 : 0;
  }

  /** Closes the queue behind an order that is about to leave it. */
  leave(record: number): void {
    this.gaps[this.records.number(this.records.next(record))]! += this.gap(record);
  }

  /** Takes out others' shares directly ahead of a record, at most so many. @returns how many */
  trade(record: number, level: number, shares: number): number {
    const traded = Math.min(shares, this.gap(record));
    this.gaps[this.records.number(record)]! -= traded;
    this.sums[level]! -= traded;
    return traded;
  }

  /** Makes others' shares at a level, in which no order of ours stands, so many. */
  replace(level: number, shares: number): void {
    this.gaps[this.records.number(this.records.anchor(level))] = shares;
    this.sums[level] = shares;
  }

  /**
   * Sets others' shares at a level to `change.after`. The queue model decides how many stand ahead of each of our orders,
   * rounded up. An order never overtakes the one before it. The rest stands behind our last order. An increase goes ahead
   * of the first order that joined unseen, because it may have stood there already.
   */
  resize(level: number, change: LevelChange): void {
    const { records, gaps } = this;
    const anchor = records.anchor(level);
    let appeared = Math.max(0, change.after - this.sums[level]!);
    let before = 0;
    let ahead = 0;
    for (let record = records.next(anchor); record !== anchor; record = records.next(record)) {
      before += this.gap(record);
      if (this.isUnseen(record)) {
        before += this.model.join(appeared);
        appeared = 0;
      }
      const after = Math.max(ahead, Math.ceil(aheadAfter(this.model, before, change)));
      gaps[this.records.number(record)] = after - ahead;
      ahead = after;
    }
    gaps[this.records.number(anchor)] = change.after - ahead;
    this.sums[level] = change.after;
  }

  /** Puts shares of others behind `ahead` of their shares; at the end of the queue behind our last order, too. */
  joinOthers(level: number, ahead: number, shares: number): void {
    this.gaps[this.records.number(this.recordBehind(level, ahead))]! += shares;
    this.sums[level]! += shares;
  }

  /** Takes out shares of others that stand behind `ahead` of their shares. */
  leaveOthers(level: number, ahead: number, shares: number): void {
    let left = shares;
    while (left > 0) {
      const record = this.recordBehind(level, ahead);
      const before = this.othersBefore(level, record);
      const taken = Math.min(left, before + this.gap(record) - ahead);
      if (taken <= 0) throw new InvariantError(`others have no ${shares} shares behind ${ahead}`);
      this.gaps[this.records.number(record)]! -= taken;
      this.sums[level]! -= taken;
      left -= taken;
    }
  }

  /** @returns the record ahead of which the share of others stands that has so many of them before it */
  private recordBehind(level: number, ahead: number): number {
    const anchor = this.records.anchor(level);
    let before = 0;
    let record = this.records.next(anchor);
    while (record !== anchor) {
      before += this.gap(record);
      if (ahead < before) break;
      record = this.records.next(record);
    }
    return record;
  }

  /** @returns others' shares before those directly ahead of a record */
  private othersBefore(level: number, end: number): number {
    let before = 0;
    for (
      let record = this.records.next(this.records.anchor(level));
      record !== end;
      record = this.records.next(record)
    )
      before += this.gap(record);
    return before;
  }

  /** Notes that a book line shows a level, empty or not. */
  see(level: number): void {
    const anchor = this.records.anchor(level);
    for (let record = this.records.next(anchor); record !== anchor; record = this.records.next(record)) {
      this.unseen[this.records.number(record)] = 0;
    }
  }

  /** Restores the gap ahead of a record, or behind the last order when it is an anchor. */
  restore(record: number, level: number, gap: number, visibility: Visibility): void {
    this.gaps[this.records.number(record)] = gap;
    this.unseen[this.records.number(record)] = visibility === 'unseen' ? 1 : 0;
    this.sums[level]! += gap;
  }

  /** Follows the records, which have moved: by former place the new record, 0 where none stood. */
  move(moved: Int32Array): void {
    const { gaps, unseen, records, sums } = this;
    this.gaps = new Float64Array(records.length);
    this.unseen = new Uint8Array(records.length);
    this.gaps.set(gaps.subarray(0, sums.length));
    for (let place = 0; place < moved.length; place++) {
      if (moved[place] === 0) continue;
      const record = records.number(moved[place]!);
      this.gaps[record] = gaps[sums.length + place]!;
      this.unseen[record] = unseen[sums.length + place]!;
    }
  }
}
