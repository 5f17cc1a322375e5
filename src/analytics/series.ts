import type { Micros } from '../domain/units.js';
import type { SeriesColumns } from './analysis.js';

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
