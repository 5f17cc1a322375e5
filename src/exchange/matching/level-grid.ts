import type { Ticks } from '../../domain/units.js';
import type { BookSide } from './book-side.js';

/**
 * Numbers the levels of a book so that both sides read alike: first all bid levels, then all ask levels, each side
 * from its best possible price (highest bid, lowest ask) to its worst. Of two levels of one side the lower number is
 * the better price. A side takes a multiple of 32 numbers, which keeps the sides apart in words of a bitmap.
 *
 * Level and price are computed without branches: an order's side is a coin toss, which no processor predicts.
 */
export class LevelGrid {
  // `declare`, here and in the classes beside this one: a field that the constructor alone writes keeps its shape
  // known to the compiler, one that is first defined as undefined is checked at every read.
  declare readonly minTick: Ticks;
  declare readonly maxTick: Ticks;
  /** Numbers a side takes, those beyond its worst price included. */
  declare readonly sideLength: number;
  declare private readonly askOffset: number;

  constructor(minTick: Ticks, maxTick: Ticks) {
    this.minTick = minTick;
    this.maxTick = maxTick;
    this.sideLength = Math.ceil((maxTick - minTick + 1) / 32) * 32;
    this.askOffset = this.sideLength - minTick - maxTick;
  }

  /** Whether a price is a whole tick of this grid. */
  has(tick: number): boolean {
    return tick >= this.minTick && tick <= this.maxTick && (tick | 0) === tick;
  }

  /** @returns the number of a side's level at a price of the grid */
  level(side: BookSide, tick: number): number {
    return (this.maxTick + side * this.askOffset + (side * 2 - 1) * tick) | 0;
  }

  /** @returns the price of a side's level; at the side's end the price one tick beyond its worst */
  tick(side: BookSide, level: number): Ticks {
    return (((side * 2 - 1) * (level - this.maxTick - side * this.askOffset)) | 0) as Ticks;
  }

  /** @returns the side a level belongs to */
  side(level: number): BookSide {
    return level < this.sideLength ? 0 : 1;
  }

  /** @returns the level of a side's best possible price */
  start(side: BookSide): number {
    return side * this.sideLength;
  }

  /** @returns the number after a side's worst price, where its search ends */
  end(side: BookSide): number {
    return side * this.sideLength + this.maxTick - this.minTick + 1;
  }
}
