import { invariant, InvariantError } from '../../domain/errors.js';
import type { AccountId, OrderId } from '../../domain/ids.js';
import type { Money, Shares, Ticks } from '../../domain/units.js';
import type { BookSide } from './book-side.js';
import { BID, opposite } from './book-side.js';
import { Fills } from './fills.js';
import { OccupiedRanks } from './occupied-ranks.js';
import { OrderIndex } from './order-index.js';
import { ACCOUNT, ID, LEVEL, NEXT, OrderRecords, PREVIOUS } from './order-records.js';

/** Integers of one level: the storage of its volume as a float, first and last order. */
const LEVEL_STRIDE = 4;
const HEAD = 2;
const TAIL = 3;

export interface MatchingBookOptions {
  /** Lowest and highest price of the book, both usable. */
  readonly minTick: Ticks;
  readonly maxTick: Ticks;
  /** Resting orders to make room for at once; the book grows beyond it by itself. Default 1,024. */
  readonly capacity?: number;
  /** Buffer for what commands trade; several books may share one. Default: an own one. */
  readonly fills?: Fills;
}

/** A resting order as one reads it. */
export interface RestingOrder {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly side: BookSide;
  readonly tick: Ticks;
  readonly shares: Shares;
}

/** A level as one reads it. */
export interface BookLevel {
  readonly tick: Ticks;
  readonly shares: Shares;
}

/** An order that stops at an amount of currency instead of a number of shares. */
export interface AmountOrder {
  readonly side: BookSide;
  /** Worst price it may trade at. */
  readonly limit: Ticks;
  /** What it may cost (or bring in) at most. */
  readonly amount: Money;
  /** What it may trade at most, for instance the shares held. */
  readonly maxShares: Shares;
  /**
   * Money for one share unit at tick t is `base + perTick * t`, more than zero wherever it trades: fees go into
   * `base`, a buyer of the short position pays `base = 1 + fee, perTick = -tick`.
   */
  readonly base: number;
  readonly perTick: number;
}

/**
 * One book, that is one market in one currency mode, matched by price, then time, at the resting order's price.
 *
 * Prices are long-side integer ticks, shares integer share units, ids any 32-bit signed integers, accounts 32-bit
 * tags. The book knows neither money nor conflicts between orders of one account: whoever sends a command has
 * checked it. What a command traded stands in {@link fills} until the next one.
 */
export class MatchingBook {
  readonly fills: Fills;
  readonly minTick: Ticks;
  readonly maxTick: Ticks;
  private readonly span: number;
  private readonly ranks: readonly [OccupiedRanks, OccupiedRanks];
  private readonly levels: Int32Array;
  private readonly volumes: Float64Array;
  private readonly orders: OrderRecords;
  private readonly index: OrderIndex;

  constructor(options: MatchingBookOptions) {
    const { minTick, maxTick, capacity = 1024 } = options;
    invariant(minTick <= maxTick, `a book needs at least one tick, not ${minTick} to ${maxTick}`);
    this.minTick = minTick;
    this.maxTick = maxTick;
    this.span = maxTick - minTick + 1;
    this.ranks = [new OccupiedRanks(this.span), new OccupiedRanks(this.span)];
    this.levels = new Int32Array(2 * this.span * LEVEL_STRIDE);
    this.volumes = new Float64Array(this.levels.buffer);
    this.orders = new OrderRecords(capacity);
    this.index = new OrderIndex(capacity);
    this.fills = options.fills ?? new Fills();
  }

  /**
   * A limit order: trades with what crosses its price, best first, and rests with what is left.
   * @returns the shares that rest
   * @throws InvariantError when an order of this id rests already, or price or shares are out of range
   */
  add(id: OrderId, account: AccountId, side: BookSide, tick: Ticks, shares: Shares): Shares {
    this.check(tick, shares);
    if (this.index.find(id) !== 0) throw new InvariantError(`order ${id} rests already`);
    this.fills.clear();
    const left = this.match(side, tick, shares);
    if (left > 0) this.rest(id, account, side, tick, left);
    return left as Shares;
  }

  /**
   * Immediate or cancel: trades with what crosses the limit, best first, and never rests.
   * @returns the shares traded
   * @throws InvariantError when price or shares are out of range
   */
  take(side: BookSide, limit: Ticks, shares: Shares): Shares {
    this.check(limit, shares);
    this.fills.clear();
    return (shares - this.match(side, limit, shares)) as Shares;
  }

  /** A market order by shares: {@link take} without a limit. */
  market(side: BookSide, shares: Shares): Shares {
    return this.take(side, side === BID ? this.maxTick : this.minTick, shares);
  }

  /**
   * Immediate or cancel by amount: at each level at most the shares that the rest of the amount pays for, rounded
   * down; ends where it pays for none.
   * @returns the shares traded
   * @throws InvariantError when the limit or the shares are out of range
   */
  takeAmount(order: AmountOrder): Shares {
    const { side, limit, base, perTick } = order;
    this.check(limit, order.maxShares);
    this.fills.clear();
    let { amount, maxShares: left } = order as { amount: number; maxShares: number };
    const ranks = this.ranks[opposite(side)];
    const limitRank = this.rank(opposite(side), limit);
    while (ranks.best <= limitRank && left > 0) {
      const cost = base + perTick * this.tickOf(opposite(side), ranks.best);
      const payable = Math.min(left, Math.floor(amount / cost));
      if (payable <= 0) break;
      const traded = payable - this.matchLevel(opposite(side), ranks.best, payable);
      left -= traded;
      amount -= traded * cost;
    }
    return (order.maxShares - left) as Shares;
  }

  /** Takes an order out of the book. @returns the shares it had left, 0 when it does not rest */
  cancel(id: OrderId): Shares {
    this.fills.clear();
    const record = this.index.remove(id);
    if (record === 0) return 0 as Shares;
    const shares = this.orders.shares[record >> 1]!;
    this.unlink(record, shares);
    this.orders.release(record);
    return shares as Shares;
  }

  /**
   * Takes shares off an order, which keeps its place in the queue; one that has none left leaves the book.
   * @returns the shares taken off, 0 when it does not rest
   */
  reduce(id: OrderId, by: Shares): Shares {
    const record = this.index.find(id);
    if (record === 0) return 0 as Shares;
    const shares = this.orders.shares[record >> 1]!;
    if (by >= shares) return this.cancel(id);
    invariant(by > 0, `shares to take off are out of range: ${by}`);
    this.fills.clear();
    this.orders.shares[record >> 1] = shares - by;
    this.volumes[this.orders.ints[record + LEVEL]! * 2]! -= by;
    return by;
  }

  /**
   * Takes an order out and enters it again, last in time, with the same id, account and side: it may trade.
   * @param shares the whole size of the replacement
   * @returns the shares that rest
   * @throws InvariantError when the order does not rest, or price or shares are out of range
   */
  replace(id: OrderId, tick: Ticks, shares: Shares): Shares {
    this.check(tick, shares);
    const record = this.index.find(id);
    if (record === 0) throw new InvariantError(`order ${id} does not rest`);
    const { account, side } = this.read(record);
    this.cancel(id);
    return this.add(id, account, side, tick, shares);
  }

  /** @returns the resting order of an id, null when there is none. Allocates */
  order(id: OrderId): RestingOrder | null {
    const record = this.index.find(id);
    return record === 0 ? null : this.read(record);
  }

  /** Whether an order of this id rests. */
  has(id: OrderId): boolean {
    return this.index.find(id) !== 0;
  }

  /** Number of resting orders. */
  get size(): number {
    return this.index.size;
  }

  /**
   * @returns the best price of a side; of an empty side the tick outside the book that nothing crosses, that is
   * `minTick - 1` for bids and `maxTick + 1` for asks
   */
  best(side: BookSide): Ticks {
    return this.tickOf(side, this.ranks[side].best);
  }

  /** Whether an order of this side and price would trade at once. */
  wouldMatch(side: BookSide, tick: Ticks): boolean {
    return this.ranks[opposite(side)].best <= this.rank(opposite(side), tick);
  }

  /** @returns the shares resting at one price of one side */
  volumeAt(side: BookSide, tick: Ticks): Shares {
    return this.volumes[(side * this.span + this.rank(side, tick)) * 2] as Shares;
  }

  /** @returns the shares of a side at a price or better, which is what an order of the other side could take */
  depth(side: BookSide, limit: Ticks): Shares {
    const limitRank = this.rank(side, limit);
    const ranks = this.ranks[side];
    let shares = 0;
    for (let rank = ranks.best; rank <= limitRank; rank = ranks.next(rank)) {
      shares += this.volumes[(side * this.span + rank) * 2]!;
    }
    return shares as Shares;
  }

  /** @returns the best levels of a side, best first, at most `count` of them */
  top(side: BookSide, count: number): BookLevel[] {
    const ranks = this.ranks[side];
    const levels: BookLevel[] = [];
    for (let rank = ranks.best; rank < this.span && levels.length < count; rank = ranks.next(rank)) {
      const tick = this.tickOf(side, rank);
      levels.push({ tick, shares: this.volumeAt(side, tick) });
    }
    return levels;
  }

  /** The orders resting at one price of one side, first in time first. The book must not change meanwhile. */
  *queue(side: BookSide, tick: Ticks): Generator<RestingOrder> {
    const level = (side * this.span + this.rank(side, tick)) * LEVEL_STRIDE;
    for (let record = this.levels[level + HEAD]!; record !== 0; record = this.orders.ints[record + NEXT]!) {
      yield this.read(record);
    }
  }

  private read(record: number): RestingOrder {
    const { ints, shares } = this.orders;
    const level = ints[record + LEVEL]!;
    const side: BookSide = level < this.span ? 0 : 1;
    return {
      id: ints[record + ID] as OrderId,
      account: ints[record + ACCOUNT] as AccountId,
      side,
      tick: this.tickOf(side, level - side * this.span),
      shares: shares[record >> 1] as Shares,
    };
  }

  private check(tick: number, shares: number): void {
    if (!(tick >= this.minTick && tick <= this.maxTick))
      throw new InvariantError(`tick ${tick} is not in the book`);
    if (!(shares > 0)) throw new InvariantError(`shares are out of range: ${shares}`);
  }

  private rank(side: BookSide, tick: number): number {
    return side === BID ? this.maxTick - tick : tick - this.minTick;
  }

  private tickOf(side: BookSide, rank: number): Ticks {
    return (side === BID ? this.maxTick - rank : this.minTick + rank) as Ticks;
  }

  /** Trades an incoming order. @returns the shares it has left */
  private match(side: BookSide, limit: number, shares: number): number {
    const resting = opposite(side);
    const ranks = this.ranks[resting];
    const limitRank = this.rank(resting, limit);
    let left = shares;
    while (left > 0 && ranks.best <= limitRank) left = this.matchLevel(resting, ranks.best, left);
    return left;
  }

  /** Trades with one level, first in time first. @returns the shares left of those given */
  private matchLevel(side: BookSide, rank: number, shares: number): number {
    const { orders, fills } = this;
    const { ints } = orders;
    const level = side * this.span + rank;
    const tick = this.tickOf(side, rank);
    let left = shares;
    let record = this.levels[level * LEVEL_STRIDE + HEAD]!;
    while (record !== 0 && left > 0) {
      const resting = orders.shares[record >> 1]!;
      const traded = resting < left ? resting : left;
      left -= traded;
      fills.push(ints[record + ID]!, ints[record + ACCOUNT]!, tick, traded, resting - traded);
      if (traded < resting) {
        orders.shares[record >> 1] = resting - traded;
        break;
      }
      const next = ints[record + NEXT]!;
      this.index.remove(ints[record + ID]!);
      orders.release(record);
      record = next;
    }
    this.volumes[level * 2]! -= shares - left;
    this.levels[level * LEVEL_STRIDE + HEAD] = record;
    if (record !== 0) {
      ints[record + PREVIOUS] = 0;
    } else {
      this.levels[level * LEVEL_STRIDE + TAIL] = 0;
      this.ranks[side].remove(rank);
    }
    return left;
  }

  private rest(id: number, account: number, side: BookSide, tick: number, shares: number): void {
    const { orders, levels } = this;
    const rank = this.rank(side, tick);
    const level = side * this.span + rank;
    const record = orders.take();
    const { ints } = orders;
    orders.shares[record >> 1] = shares;
    ints[record + ID] = id;
    ints[record + ACCOUNT] = account;
    ints[record + LEVEL] = level;
    ints[record + NEXT] = 0;
    const last = levels[level * LEVEL_STRIDE + TAIL]!;
    ints[record + PREVIOUS] = last;
    levels[level * LEVEL_STRIDE + TAIL] = record;
    if (last !== 0) {
      ints[last + NEXT] = record;
    } else {
      levels[level * LEVEL_STRIDE + HEAD] = record;
      this.ranks[side].add(rank);
    }
    this.volumes[level * 2]! += shares;
    this.index.insert(id, record);
  }

  private unlink(record: number, shares: number): void {
    const { levels } = this;
    const { ints } = this.orders;
    const level = ints[record + LEVEL]!;
    const next = ints[record + NEXT]!;
    const previous = ints[record + PREVIOUS]!;
    if (previous !== 0) ints[previous + NEXT] = next;
    else levels[level * LEVEL_STRIDE + HEAD] = next;
    if (next !== 0) ints[next + PREVIOUS] = previous;
    else levels[level * LEVEL_STRIDE + TAIL] = previous;
    this.volumes[level * 2]! -= shares;
    if ((previous | next) === 0) {
      const side = level < this.span ? 0 : 1;
      this.ranks[side].remove(level - side * this.span);
    }
  }
}
