import type { BookSide, LevelGrid, OccupiedLevels } from './levels.js';
import { type ForeignVolume, FOREIGN_ORDER } from './foreign-volume.js';
import type { OrderIndex } from './order-index.js';
import type { OrderRecords } from './order-records.js';
import type { OrderId } from '../contract/ids.js';
import type { Shares, Ticks } from '../../domain/units.js';

/** What a book consists of. */
export interface BookParts {
  readonly grid: LevelGrid;
  readonly records: OrderRecords;
  readonly index: OrderIndex;
  readonly occupied: OccupiedLevels;
  readonly fills: Fills;
  /** Null in a book of our orders alone. */
  readonly foreign: ForeignVolume | null;
}

/** Numbers kept for each entry. */
const STRIDE = 4;
const MAKER_ID = 0;
const TICK = 1;
const SHARES = 2;
const MAKER_LEFT = 3;
const FIRST_CAPACITY = 64;

/**
 * What the last command traded, in order: one entry per resting order (maker). The buffer is reused, so an entry is valid
 * until the next command of a book that writes to it.
 */
export class Fills {
  private numbers = new Float64Array(FIRST_CAPACITY * STRIDE);
  private length = 0;

  /** Number of entries. */
  get count(): number {
    return this.length;
  }

  /** Id of the resting order, `FOREIGN_ORDER` when others' volume was met. */
  makerId(entry: number): OrderId {
    return this.numbers[entry * STRIDE + MAKER_ID] as OrderId;
  }

  /** Price of the trade, which is the resting order's. */
  tick(entry: number): Ticks {
    return this.numbers[entry * STRIDE + TICK] as Ticks;
  }

  /** Shares traded, more than zero. */
  shares(entry: number): Shares {
    return this.numbers[entry * STRIDE + SHARES] as Shares;
  }

  /** Shares the resting order has left; at zero it has left the book. For others: what still stands at that place. */
  makerLeft(entry: number): Shares {
    return this.numbers[entry * STRIDE + MAKER_LEFT] as Shares;
  }

  /** Forgets all entries. Called by the book at the start of each command. */
  clear(): void {
    this.length = 0;
  }

  /** Appends one entry. Called by the book. */
  push(makerId: number, tick: number, shares: number, makerLeft: number): void {
    const at = this.length * STRIDE;
    if (at === this.numbers.length) this.grow();
    const { numbers } = this;
    numbers[at + MAKER_ID] = makerId;
    numbers[at + TICK] = tick;
    numbers[at + SHARES] = shares;
    numbers[at + MAKER_LEFT] = makerLeft;
    this.length++;
  }

  private grow(): void {
    const { numbers } = this;
    this.numbers = new Float64Array(numbers.length * 2);
    this.numbers.set(numbers);
  }
}

/**
 * Who takes from a level, in a book with others' volume:
 * - `order`: our order. It meets everyone in the queue, and what it takes from others stays missing.
 * - `print`: a recorded trade at its price. It meets everyone too. The recording itself shows that others lost shares.
 * - `passing`: recorded volume that fills our orders at better prices on its way. It meets our orders alone.
 */
export type Taker = 'order' | 'print' | 'passing';

/**
 * Matches orders by price, then time, at the resting order's price, and moves them into and out of the queues. What trades
 * stands in the book's fills. Others' volume appears there only when one of our orders trades with it.
 */
export class Matcher {
  declare private readonly grid: LevelGrid;
  declare private readonly records: OrderRecords;
  declare private readonly index: OrderIndex;
  declare private readonly occupied: OccupiedLevels;
  declare private readonly fills: Fills;
  declare private readonly foreign: ForeignVolume | null;

  constructor(parts: BookParts) {
    this.grid = parts.grid;
    this.records = parts.records;
    this.index = parts.index;
    this.occupied = parts.occupied;
    this.fills = parts.fills;
    this.foreign = parts.foreign;
  }

  /**
   * Matches an incoming order of ours with everything that crosses its limit.
   * @returns the shares it has left
   */
  match(side: BookSide, limit: number, shares: number): number {
    const { occupied } = this;
    const resting = (1 - side) as BookSide;
    const last = this.grid.level(resting, limit);
    let left = shares;
    let level = occupied.best(resting);
    while (left > 0 && level <= last) {
      left = this.matchLevel(resting, level, left, 'order');
      level = occupied.best(resting);
    }
    return left;
  }

  /** Matches with one level. @returns the shares left */
  matchLevel(resting: BookSide, level: number, shares: number, taker: Taker): number {
    const { records, fills, foreign } = this;
    const anchor = records.anchor(level);
    const tick = this.grid.tick(resting, level);
    let left = shares;
    let matched = 0;
    let record = records.next(anchor);
    for (;;) {
      if (foreign !== null) left -= this.matchGap(foreign, record, level, left, taker);
      if (left === 0 || record === anchor) break;
      const rests = records.shares(record);
      const traded = rests < left ? rests : left;
      left -= traded;
      matched += traded;
      fills.push(records.id(record), tick, traded, rests - traded);
      if (traded < rests) {
        records.setShares(record, rests - traded);
        break;
      }
      record = this.finish(record);
    }
    records.advance(level, record, matched);
    if (record === anchor) this.vacate(resting, level);
    return left;
  }

  /** Puts an order, already in the index, at the end of the queue at its price. */
  rest(record: number, side: BookSide, tick: number, shares: number): void {
    const { records, occupied, foreign } = this;
    const level = this.grid.level(side, tick);
    if (records.append(record, level, shares)) occupied.add(side, level);
    if (foreign !== null) foreign.join(record, side, level);
  }

  /** Takes an order out of its queue; record and index entry stay. */
  withdraw(record: number): void {
    const { records, foreign } = this;
    if (foreign !== null) foreign.queues.leave(record);
    if (records.unlink(record)) {
      const level = records.level(record);
      this.vacate(this.grid.side(level), level);
    }
  }

  /** Forgets a filled order. @returns the record after it */
  private finish(record: number): number {
    const { records, foreign } = this;
    if (foreign !== null) foreign.queues.leave(record);
    const next = records.next(record);
    this.index.remove(record);
    return next;
  }

  /** Trades with others' shares directly ahead of a record. @returns the shares traded */
  private matchGap(
    foreign: ForeignVolume,
    record: number,
    level: number,
    shares: number,
    taker: Taker,
  ): number {
    if (taker === 'passing') return 0;
    const traded = foreign.queues.trade(record, level, shares);
    if (taker === 'order' && traded > 0) {
      const side = this.grid.side(level);
      foreign.take(level, traded);
      const tick = this.grid.tick(side, level);
      this.fills.push(FOREIGN_ORDER, tick, traded, foreign.queues.gap(record));
    }
    return traded;
  }

  /** Marks a level without orders as empty unless others stand there. */
  private vacate(side: BookSide, level: number): void {
    if (this.foreign === null || this.foreign.present(level) === 0) this.occupied.remove(side, level);
  }
}
