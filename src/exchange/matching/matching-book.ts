import { invariant, InvariantError } from '../../domain/errors.js';
import type { OrderId } from '../contract/ids.js';
import type { Money, Shares, Ticks } from '../../domain/units.js';
import { type BookParts, Fills, Matcher } from './matcher.js';
import { type BookSide, BID, opposite, LevelGrid, OccupiedLevels } from './levels.js';
import { type BookSnapshot, restoreForeign, ReadableBook } from './readable-book.js';
import type { ForeignOptions } from './foreign-volume.js';
import { FOREIGN_ORDER, ForeignVolume } from './foreign-volume.js';
import { OrderIndex } from './order-index.js';
import { OrderRecords } from './order-records.js';
import { type RecordedSide, type QueuedOrder, RecordedFlow } from './recorded-flow.js';

const DEFAULT_CAPACITY = 128;

export interface MatchingBookOptions {
  /** Lowest and highest price of the book, both usable. */
  readonly minTick: Ticks;
  readonly maxTick: Ticks;
  /** Resting orders to make room for at once, default 128. The book grows beyond it by itself. */
  readonly capacity?: number;
  /** Buffer for what commands trade; several books may share one. Default: one of its own. */
  readonly fills?: Fills;
  /** Lets others' liquidity into the book. Default: our orders alone. */
  readonly foreign?: ForeignOptions;
}

/** An order that ends at an amount of money instead of a number of shares. */
export interface AmountOrder {
  readonly side: BookSide;
  /** Worst price it may trade at. */
  readonly limit: Ticks;
  /** What it may cost, or bring in, at most. */
  readonly amount: Money;
  /** What it may trade at most, for instance the shares held. */
  readonly maxShares: Shares;
  /**
   * Money of one share unit at tick t is `base + perTick * t`, integers, more than zero wherever it trades. A buyer
   * of long at ticks of 100 price units who pays a fee of 10: `base: 10, perTick: 100`; a buyer of short, whose price
   * is one minus the long one: `base: 10_010, perTick: -100`.
   */
  readonly base: number;
  readonly perTick: number;
}

/**
 * One book, that is one market in one currency mode, matched by price, then time, at the resting order's price.
 *
 * Prices are long-side integer ticks. Shares are positive integers; an order that may rest has less than 2^31. Ids are
 * 32-bit signed integers, 0 is reserved. The book knows no owners, money or conflicts: the caller has checked a command.
 * Arguments are positional because a command takes a few dozen nanoseconds. What a command traded stands in `fills` until
 * the next command. A steady flow allocates nothing.
 */
export class MatchingBook extends ReadableBook {
  declare private readonly matcher: Matcher;
  declare private readonly flow: RecordedFlow | null;

  /** @throws InvariantError when there is no tick between the lowest and the highest price */
  constructor(options: MatchingBookOptions) {
    const parts = partsOf(options);
    super(parts);
    this.matcher = new Matcher(parts);
    this.flow = parts.foreign === null ? null : new RecordedFlow(parts, parts.foreign, this.matcher);
  }

  /**
   * A book that goes on where another stood. Foreign options are not part of a snapshot: give those of the original.
   * @throws InvariantError when snapshot and options disagree about foreign volume, or the snapshot is inconsistent
   */
  static restore(
    snapshot: BookSnapshot,
    options: Omit<MatchingBookOptions, 'minTick' | 'maxTick'> = {},
  ): MatchingBook {
    const { minTick, maxTick, levels } = snapshot;
    const book = new MatchingBook({ ...options, minTick, maxTick });
    for (const { side, tick, orders } of levels) {
      for (const { id, shares } of orders) {
        book.checkOrder(tick, shares);
        book.enter(id, side, tick, shares);
      }
    }
    if (book.foreign !== null) restoreForeign(book.parts, book.foreign, snapshot);
    else
      invariant(snapshot.unseenFrom === null, 'the snapshot holds foreign volume, the options leave it out');
    return book;
  }

  /**
   * A limit order: trades with what crosses its price, best first, and rests with what is left.
   * @returns the shares that rest
   * @throws InvariantError, before anything changes, when an order of this id rests, an argument is out of range or
   *   the book is as large as it can be
   */
  add(id: OrderId, side: BookSide, tick: Ticks, shares: Shares): Shares {
    this.checkOrder(tick, shares);
    if ((id | 0) !== id || id === FOREIGN_ORDER) refuseId(id);
    this.fills.clear();
    if (this.wouldMatch(side, tick)) return this.cross(id, side, tick, shares);
    this.enter(id, side, tick, shares);
    return shares;
  }

  /**
   * Immediate or cancel: trades with what crosses the limit, best first, and never rests.
   * @returns the shares traded
   * @throws InvariantError when an argument is out of range
   */
  take(side: BookSide, limit: Ticks, shares: Shares): Shares {
    this.check(limit, shares);
    this.fills.clear();
    return (shares - this.matcher.match(side, limit, shares)) as Shares;
  }

  /** A market order by shares: {@link take} without a limit. */
  market(side: BookSide, shares: Shares): Shares {
    return this.take(side, side === BID ? this.maxTick : this.minTick, shares);
  }

  /**
   * Immediate or cancel by amount: on each level at most the shares that the rest of the amount pays for, rounded
   * down. Ends at the first level where it pays for none.
   * @returns the shares traded
   * @throws InvariantError when limit or shares are out of range
   */
  takeAmount(order: AmountOrder): Shares {
    const { grid, occupied, matcher } = this;
    this.check(order.limit, order.maxShares);
    this.fills.clear();
    const resting = opposite(order.side);
    const limit = grid.level(resting, order.limit);
    let amount: number = order.amount;
    let left: number = order.maxShares;
    for (let level = occupied.best(resting); left > 0 && level <= limit; level = occupied.best(resting)) {
      const cost = order.base + order.perTick * grid.tick(resting, level);
      const payable = Math.min(left, Math.floor(amount / cost));
      if (payable <= 0) break;
      const traded = payable - matcher.matchLevel(resting, level, payable, 'order');
      left -= traded;
      amount -= traded * cost;
    }
    return (order.maxShares - left) as Shares;
  }

  /** Takes an order out of the book. @returns the shares it had left, 0 when none of this id rests */
  cancel(id: OrderId): Shares {
    this.fills.clear();
    const record = this.index.find(id);
    if (record === 0) return 0 as Shares;
    const shares = this.records.shares(record);
    this.matcher.withdraw(record);
    this.index.remove(record);
    return shares as Shares;
  }

  /**
   * Takes shares off an order, which keeps its place in the queue; without any left it leaves the book.
   * @returns the shares taken off, 0 when none of this id rests
   * @throws InvariantError when the shares are out of range
   */
  reduce(id: OrderId, by: Shares): Shares {
    if (!(by > 0 && Number.isSafeInteger(by))) refuseShares(by);
    const { records } = this;
    const record = this.index.find(id);
    const shares = record === 0 ? 0 : records.shares(record);
    if (by >= shares) return this.cancel(id);
    this.fills.clear();
    records.reduce(record, by);
    return by;
  }

  /**
   * Takes an order out and enters it again, last in time, with the same id and side: it may trade.
   * @param shares the whole size of the replacement
   * @returns the shares that rest
   * @throws InvariantError, before anything changes, when none of this id rests or an argument is out of range
   */
  replace(id: OrderId, tick: Ticks, shares: Shares): Shares {
    const { grid, records, matcher } = this;
    this.checkOrder(tick, shares);
    const record = this.index.find(id);
    if (record === 0) refuseAbsent(id);
    this.fills.clear();
    const side = grid.side(records.level(record));
    matcher.withdraw(record);
    const left = matcher.match(side, tick, shares);
    if (left > 0) matcher.rest(record, side, tick, left);
    else this.index.remove(record);
    return left as Shares;
  }

  /**
   * A recorded book line: sets others' absolute volume on both sides.
   *
   * - A level that the line names gets the recorded size. One it does not name is gone, unless it is worse than the
   *   worst level of a side with `depth` levels: then nobody saw it, and it stays frozen as it is.
   * - A decrease that prints since the last line explain has happened already. The rest of it is split between what
   *   stands ahead of each of our orders and behind by the queue model, rounded against the order.
   * - An increase stands behind our orders. When a level comes into sight, it stands ahead of those that joined it
   *   out of sight, since nobody knows which was first.
   * - What our orders took from a level stays missing until its recorded size rises or it vanishes.
   * - A level that crosses our orders fills them at their price, best first, up to its size, and what it used up
   *   stays missing until it vanishes (`crossing: 'fill'`); or it stands there crossed (`'ignore'`).
   *
   * Fills of our orders stand in `fills`; others are the taker.
   * @throws InvariantError when the book has no foreign volume, or a side is not best first and inside the book
   */
  recordBook(bids: RecordedSide, asks: RecordedSide): void {
    const flow = this.recordedFlow();
    this.fills.clear();
    flow.line(bids, asks);
  }

  /** Whether the last recorded book line changed others' volume on a side. */
  othersChanged(side: BookSide): boolean {
    return this.recordedFlow().changed[side];
  }

  /**
   * A recorded print: an immediate-or-cancel order at its price that fills our orders at better prices first, then
   * meets everyone at its own price in queue order. What it takes from others is remembered, so that the next book
   * line does not count it again; others' volume at better prices it leaves alone, the recording having passed it.
   *
   * Fills of our orders stand in `fills`; others are the taker.
   * @param taker side of the recorded aggressor: a bid bought from the asks
   * @throws InvariantError when the book has no foreign volume or an argument is out of range
   */
  recordPrint(taker: BookSide, tick: Ticks, shares: Shares): void {
    const flow = this.recordedFlow();
    this.check(tick, shares);
    this.fills.clear();
    flow.print(opposite(taker), tick, shares);
  }

  /**
   * One order of others in a recording that tells each joins its level's queue, leaves it, or the level's size after
   * prints is stated. Queue positions stay exact; a level that comes to cross our orders does what book lines do.
   * @throws InvariantError when the book has no foreign volume
   */
  recordOrder(side: BookSide, order: QueuedOrder): void {
    const flow = this.recordedFlow();
    this.fills.clear();
    flow.order(side, order);
  }

  private recordedFlow(): RecordedFlow {
    if (this.flow === null) throw new InvariantError('this book was made without foreign volume');
    return this.flow;
  }

  private cross(id: OrderId, side: BookSide, tick: Ticks, shares: Shares): Shares {
    if (this.has(id)) refuseResting(id);
    // Before it trades: a book that cannot hold what may be left refuses the order whole.
    if (this.index.isFull) this.grow();
    const left = this.matcher.match(side, tick, shares);
    if (left > 0) this.enter(id, side, tick, left);
    return left as Shares;
  }

  private enter(id: OrderId, side: BookSide, tick: Ticks, shares: number): void {
    if (this.index.isFull) this.grow();
    const record = this.index.insert(id);
    if (record === 0) refuseResting(id);
    this.records.give(record, id);
    this.matcher.rest(record, side, tick, shares);
  }

  private grow(): void {
    const moved = this.index.grow();
    this.foreign?.queues.move(moved);
  }

  private check(tick: number, shares: number): void {
    if (!this.grid.has(tick)) refusePrice(tick);
    if (!(shares > 0 && Number.isSafeInteger(shares))) refuseShares(shares);
  }

  /** The same for an order that may rest. */
  private checkOrder(tick: number, shares: number): void {
    if (!this.grid.has(tick)) refusePrice(tick);
    if (!(shares > 0 && (shares | 0) === shares)) refuseShares(shares);
  }
}

// Functions that throw stand apart, because the compiler inlines commands only up to a certain size.
function refusePrice(tick: number): never {
  throw new InvariantError(`price ${tick} is not a tick of this book`);
}

function refuseShares(shares: number): never {
  throw new InvariantError(`shares are out of range: ${shares}`);
}

function refuseResting(id: number): never {
  throw new InvariantError(`order ${id} rests already`);
}

function refuseAbsent(id: number): never {
  throw new InvariantError(`order ${id} does not rest`);
}

function refuseId(id: number): never {
  throw new InvariantError(`order id ${id} is 0 or does not have 32 bits`);
}

function partsOf(options: MatchingBookOptions): BookParts {
  const { minTick, maxTick, capacity = DEFAULT_CAPACITY } = options;
  invariant(
    minTick <= maxTick,
    `a book needs a tick between its lowest and highest price, ${minTick} and ${maxTick}`,
  );
  const grid = new LevelGrid(minTick, maxTick);
  const records = new OrderRecords(2 * grid.sideLength);
  return {
    grid,
    records,
    index: new OrderIndex(records, capacity),
    occupied: new OccupiedLevels(grid),
    fills: options.fills ?? new Fills(),
    foreign: options.foreign === undefined ? null : new ForeignVolume(options.foreign, grid, records),
  };
}
