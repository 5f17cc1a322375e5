import type { Shares, Ticks } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';

/** Numbers that a level takes: its price in ticks, its shares, and how many of those at that price are not ours. */
const ROW = 3;

/**
 * What our own orders show, or may show, on one side of the venue's book, in long-side terms: orders working, updating
 * (both the old and the new one), cancelling, unknown, and for a grace period the just finished ones. A level an order, in
 * one row of numbers that is filled again and again.
 */
export class OwnSide {
  readonly #rows: number[] = [];
  #end = 0;

  get count(): number {
    return this.#end / ROW;
  }

  price(level: number): Ticks {
    return this.#rows[ROW * level]! as Ticks;
  }

  shares(level: number): Shares {
    return this.#rows[ROW * level + 1]! as Shares;
  }

  /**
   * So many shares of the level are not ours to take off: 0 where the book surely shows ours; otherwise what others had
   * there when the book was last seen. Of what may be ours or theirs it is likelier that nobody has moved.
   */
  spared(level: number): Shares {
    return this.#rows[ROW * level + 2]! as Shares;
  }

  clear(): void {
    this.#end = 0;
  }

  add(price: Ticks, shares: Shares, spared: Shares): void {
    const rows = this.#rows;
    const at = this.#end;
    rows[at] = price;
    rows[at + 1] = shares;
    rows[at + 2] = spared;
    this.#end = at + ROW;
  }
}

/** Both sides. Read what it holds before it is filled again. */
export class OwnLevels {
  readonly bids = new OwnSide();
  readonly asks = new OwnSide();

  clear(): void {
    this.bids.clear();
    this.asks.clear();
  }

  add(side: Side, price: Ticks, shares: Shares, spared: Shares): void {
    if (side === 'bid') this.bids.add(price, shares, spared);
    else this.asks.add(price, shares, spared);
  }
}

/** For markets in which nothing of ours stands; never added to. */
export const NO_OWN_LEVELS: Readonly<OwnLevels> = new OwnLevels();
