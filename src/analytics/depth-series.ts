import type { Levels } from '../domain/levels.js';
import type { Micros } from '../domain/units.js';
import { Series, type SeriesGrid } from './series.js';

/** A quarter as fine as other series: shades need no more. */
const COARSER = 4;

/** How far the book reaches behind its best prices: the first book of each bucket is kept. */
export class DepthSeries {
  /** Price at which half of the shares shown are reached, from the best on, and the last price shown. */
  readonly bidHalf: Series;
  readonly bidFar: Series;
  readonly askHalf: Series;
  readonly askFar: Series;
  #due = -Infinity;
  readonly #grid: SeriesGrid;

  constructor(grid: SeriesGrid) {
    this.#grid = { ...grid, buckets: grid.buckets / COARSER };
    this.bidHalf = new Series(this.#grid);
    this.bidFar = new Series(this.#grid);
    this.askHalf = new Series(this.#grid);
    this.askFar = new Series(this.#grid);
  }

  /** Best first. */
  book(at: Micros, bids: Levels, asks: Levels): void {
    if (at < this.#due) return;
    this.bidHalf.record(at, priceOfHalf(bids));
    this.bidFar.record(at, bids.prices.at(-1) ?? Number.NaN);
    this.askHalf.record(at, priceOfHalf(asks));
    this.askFar.record(at, asks.prices.at(-1) ?? Number.NaN);
    const { width } = this.bidFar;
    const { startedAt } = this.#grid;
    this.#due = startedAt + (Math.floor((at - startedAt) / width) + 1) * width;
  }
}

function priceOfHalf({ prices, shares }: Levels): number {
  let left = shares.reduce((sum, one) => sum + one, 0) / 2;
  for (let level = 0; level < prices.length; level++) {
    left -= shares[level]!;
    if (left <= 0) return prices[level]!;
  }
  return Number.NaN;
}
