import { type Micros, PRICE_ONE, SHARE_ONE, type Money, type Shares } from '../domain/units.js';
import type { SeriesColumns } from './analysis.js';
import type { Levels } from '../domain/levels.js';

/** Where the time of a run begins and how finely it is kept. All series of a run share it, so their buckets line up. */
export interface SeriesGrid {
  readonly startedAt: Micros;
  /** Width of a bucket at first, microseconds; doubled whenever the run outgrows the buckets. */
  readonly widthMicros: number;
  /** Most buckets; even. */
  readonly buckets: number;
}

/**
 * A step function of time in a fixed number of buckets, each with the least, greatest and last value: memory does not
 * grow with the run, and what is kept depends on nothing but the values and their times. A value that is replaced at
 * the time at which it came never held.
 */
export class Series {
  readonly #grid: SeriesGrid;
  #width: number;
  #count = 0;
  /** As of the last time before the latest. */
  #value = Number.NaN;
  #latestAt: Micros | null = null;
  #latest = Number.NaN;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #last: Float64Array;
  readonly #isSet: Uint8Array;

  constructor(grid: SeriesGrid) {
    this.#grid = grid;
    this.#width = grid.widthMicros;
    this.#min = new Float64Array(grid.buckets);
    this.#max = new Float64Array(grid.buckets);
    this.#last = new Float64Array(grid.buckets);
    this.#isSet = new Uint8Array(grid.buckets);
  }

  /** The value changed. Times do not decrease. @param value NaN: there is none from now on */
  record(at: Micros, value: number): void {
    if (at !== this.#latestAt) this.#keep();
    this.#latestAt = at;
    this.#latest = value;
  }

  /** Of a bucket, microseconds. */
  get width(): number {
    return this.#width;
  }

  /** @param scale what a value is divided by */
  columns(scale: number): SeriesColumns {
    this.#keep();
    const bucket: number[] = [];
    for (let index = 0; index < this.#count; index++) if (this.#isSet[index] === 1) bucket.push(index);
    const column = (values: Float64Array): (number | null)[] =>
      bucket.map((index) => (Number.isNaN(values[index]!) ? null : values[index]! / scale));
    return {
      startedAt: this.#grid.startedAt,
      widthMicros: this.#width,
      bucket,
      min: column(this.#min),
      max: column(this.#max),
      last: column(this.#last),
    };
  }

  /** What came at the latest time stands from then on. */
  #keep(): void {
    const at = this.#latestAt;
    const value = this.#latest;
    if (at === null || (Object.is(value, this.#value) && this.#count > 0)) return;
    const bucket = this.#bucketOf(at);
    if (this.#isSet[bucket] === 0) this.#open(bucket);
    this.#min[bucket] = least(this.#min[bucket]!, value);
    this.#max[bucket] = greatest(this.#max[bucket]!, value);
    this.#last[bucket] = value;
    this.#value = value;
  }

  #bucketOf(at: Micros): number {
    const since = Math.max(0, at - this.#grid.startedAt);
    while (since >= this.#width * this.#grid.buckets) this.#fold();
    // Merged buckets reach past the last change; an older time cannot follow a younger one.
    const bucket = Math.max(Math.floor(since / this.#width), this.#count - 1);
    this.#count = bucket + 1;
    return bucket;
  }

  /** What held so far holds at the beginning of the bucket. */
  #open(bucket: number): void {
    this.#isSet[bucket] = 1;
    this.#min[bucket] = this.#value;
    this.#max[bucket] = this.#value;
  }

  /** Two neighbours become one, and there is room for as much time again. */
  #fold(): void {
    const half = this.#grid.buckets / 2;
    for (let index = 0; index < half; index++) this.#merge(index, 2 * index, 2 * index + 1);
    this.#isSet.fill(0, half);
    this.#count = Math.ceil(this.#count / 2);
    this.#width *= 2;
  }

  #merge(into: number, a: number, b: number): void {
    const hasA = this.#isSet[a] === 1;
    const hasB = this.#isSet[b] === 1;
    this.#isSet[into] = hasA || hasB ? 1 : 0;
    if (!hasA && !hasB) return;
    const [from, last] = [hasA ? a : b, hasB ? b : a];
    this.#min[into] = least(this.#min[from]!, this.#min[last]!);
    this.#max[into] = greatest(this.#max[from]!, this.#max[last]!);
    this.#last[into] = this.#last[last]!;
  }
}

/** No value is neither less nor greater. */
const least = (a: number, b: number): number => (Number.isNaN(a) || b < a ? b : a);
const greatest = (a: number, b: number): number => (Number.isNaN(a) || b > a ? b : a);

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

/** Keeps every n-th of a growing list, n doubling whenever the room is full: bounded, and the same for the same list. */
export class ThinnedList<Item> {
  #items: Item[] = [];
  #seen = 0;
  #every = 1;

  /** @param room most items kept; even */
  constructor(private readonly room: number) {}

  add(item: Item): void {
    if (this.#seen % this.#every === 0) this.#items.push(item);
    this.#seen += 1;
    if (this.#items.length < this.room) return;
    this.#items = this.#items.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }

  /** One in how many is kept. */
  get every(): number {
    return this.#every;
  }

  get items(): readonly Item[] {
    return this.#items;
  }
}

/** A book as deep as it is known, long-side prices, without our own shares. */
export interface Depth {
  readonly bids: Levels;
  readonly asks: Levels;
}

const NOTHING: Levels = { prices: [], shares: [] };
/** A book that nobody would buy from or sell into. */
export const NO_DEPTH: Depth = { bids: NOTHING, asks: NOTHING };

export interface Held {
  readonly long: Shares;
  readonly short: Shares;
}

/**
 * What holdings are worth if they had to go at once: pairs of long and short are worth one, the rest is sold into the
 * book level by level, less the taker's fee; what the book does not take is worth nothing.
 * @param takerFee money units per whole share
 * @returns money units, whole ones
 */
export function executableValue({ long, short }: Held, depth: Depth, takerFee: Money): number {
  const pairs = Math.min(long, short);
  const open = long - short;
  const sale =
    open >= 0
      ? sell(open, depth.bids, (price) => price)
      : sell(-open, depth.asks, (price) => PRICE_ONE - price);
  return Math.floor(pairs * PRICE_ONE + sale.value - (sale.shares * takerFee) / SHARE_ONE);
}

function sell(shares: number, { prices, shares: offered }: Levels, worth: (price: number) => number) {
  let left = shares;
  let value = 0;
  prices.forEach((price, level) => {
    const taken = Math.min(left, offered[level]!);
    left -= taken;
    value += taken * worth(price);
  });
  return { value, shares: shares - left };
}
