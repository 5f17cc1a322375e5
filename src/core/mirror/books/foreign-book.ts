import type { Shares, Ticks } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { BookLevels } from './book-levels.js';
import { FRESHNESS, type Freshness } from './freshness.js';
import type { OwnLevels, OwnSide } from './own-levels.js';
import type { SignedBook, SignedSide } from './signed-books.js';

/** One side without our own orders, best first. Made once and filled again and again: keep nothing of it. */
export class ForeignSide {
  readonly #ticks: Int32Array;
  readonly #shares: Float64Array;
  #count = 0;
  /** Levels of the mirror's book, before anything is subtracted. */
  #shown = 0;
  #hidden = false;

  constructor(depth: number) {
    this.#ticks = new Int32Array(depth);
    this.#shares = new Float64Array(depth);
  }

  get count(): number {
    return this.#count;
  }

  /** Nothing foreign is visible although the side has levels: what lies behind is unseen, not absent. */
  get hidden(): boolean {
    return this.#hidden;
  }

  /** Best price; null when no foreign level is known. */
  get best(): Ticks | null {
    return this.#count === 0 ? null : (this.#ticks[0]! as Ticks);
  }

  /** @param level 0 is the best; below `count` */
  tick(level: number): Ticks {
    return this.#ticks[level]! as Ticks;
  }

  /** @param level 0 is the best; below `count` */
  shares(level: number): Shares {
    return this.#shares[level]! as Shares;
  }

  /** Leaves the side empty. */
  clear(): void {
    this.#count = 0;
    this.#hidden = false;
  }

  /** Takes one side of the mirror's book, which is sorted, and takes our own shares off it. */
  fill(levels: BookLevels, market: number, side: Side, own: OwnSide): void {
    this.#shown = levels.copy(market, side, this.#ticks, this.#shares);
    this.#count = this.#shown;
    this.#hidden = false;
    if (this.#shown === 0) return;
    const worse = side === 'bid' ? -1 : 1;
    const worst = this.#ticks[this.#shown - 1]!;
    let isEmptied = false;
    for (let mine = 0; mine < own.count; mine++)
      // Of a deep ladder most orders stand behind what the book shows.
      if ((own.price(mine) - worst) * worse <= 0 && this.#subtract(own, mine)) isEmptied = true;
    if (isEmptied) this.#settle();
  }

  /** Subtracts what one own order shows, down to what is spared. @returns whether nothing is left of its level */
  #subtract(own: OwnSide, mine: number): boolean {
    const ticks = this.#ticks;
    const price = own.price(mine);
    for (let level = 0; level < this.#shown; level++) {
      if (ticks[level] !== price) continue;
      const there = this.#shares[level]!;
      const left = Math.max(there - own.shares(mine), Math.min(there, own.spared(mine)));
      this.#shares[level] = left;
      return left === 0;
    }
    return false;
  }

  /** Leaves out the levels of which nothing is left. */
  #settle(): void {
    const ticks = this.#ticks;
    const shares = this.#shares;
    let kept = 0;
    for (let level = 0; level < this.#shown; level++) {
      if (shares[level] === 0) continue;
      if (kept < level) {
        ticks[kept] = ticks[level]!;
        shares[kept] = shares[level]!;
      }
      kept += 1;
    }
    this.#count = kept;
    this.#hidden = kept === 0 && this.#shown > 0;
  }

  /**
   * Shows what the last signed read saw behind a hidden side. A level better than the worst visible one contradicts
   * the newer book and is left out.
   * @param worst the worst level that the book shows
   */
  showBehind(said: SignedSide, side: Side, worst: Ticks): void {
    const sign = side === 'bid' ? -1 : 1;
    let count = 0;
    for (let level = 0; level < said.ticks.length && count < this.#ticks.length; level++) {
      const tick = said.ticks[level]!;
      if (said.foreign[level]! <= 0 || (tick - worst) * sign <= 0) continue;
      this.#ticks[count] = tick;
      this.#shares[count] = said.foreign[level]!;
      count += 1;
    }
    this.#count = count;
  }
}

/** A market's book without our own orders. Valid until the same object is filled again. */
export class ForeignBook {
  readonly bids: ForeignSide;
  readonly asks: ForeignSide;
  freshness: Freshness = FRESHNESS.bookNotRead;
  /** Since the last update or agreeing witness; infinite before the first. */
  ageMs = Infinity;

  constructor(depth: number) {
    this.bids = new ForeignSide(depth);
    this.asks = new ForeignSide(depth);
  }

  /** Half way between the best foreign prices, in ticks (a multiple of one half); null on a one-sided book. */
  get mid(): number | null {
    const bid = this.bids.best;
    const ask = this.asks.best;
    return bid === null || ask === null ? null : (bid + ask) / 2;
  }

  get isHidden(): boolean {
    return this.bids.hidden || this.asks.hidden;
  }

  clear(): void {
    this.bids.clear();
    this.asks.clear();
  }

  /** Takes the mirror's book of a market, less our own shares. */
  fill(levels: BookLevels, market: number, own: OwnLevels): void {
    this.bids.fill(levels, market, 'bid', own.bids);
    this.asks.fill(levels, market, 'ask', own.asks);
  }

  /**
   * Fills hidden sides with what the last signed read saw behind. A side that shows fewer levels than it could has
   * nothing behind it.
   */
  showBehind(levels: BookLevels, market: number, said: SignedBook): void {
    const covered = levels.covered(market);
    if (this.bids.hidden && levels.count(market, 'bid') === covered)
      this.bids.showBehind(said.bids, 'bid', levels.tick(market, 'bid', covered - 1));
    if (this.asks.hidden && levels.count(market, 'ask') === covered)
      this.asks.showBehind(said.asks, 'ask', levels.tick(market, 'ask', covered - 1));
  }
}
