import type { Random } from '../core/ports/random.js';

/** @returns null for no values */
export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** With n - 1. @returns null below two values */
export function deviationOf(values: readonly number[]): number | null {
  const mean = meanOf(values);
  if (mean === null || values.length < 2) return null;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Pearson's correlation of pairs. @returns null below three pairs, or where one side does not vary */
export function correlationOf(ones: readonly number[], others: readonly number[]): number | null {
  if (ones.length < 3) return null;
  const [mean, otherMean] = [meanOf(ones)!, meanOf(others)!];
  let [both, square, otherSquare] = [0, 0, 0];
  for (const [at, one] of ones.entries()) {
    both += (one - mean) * (others[at]! - otherMean);
    square += (one - mean) ** 2;
    otherSquare += (others[at]! - otherMean) ** 2;
  }
  return square === 0 || otherSquare === 0 ? null : both / Math.sqrt(square * otherSquare);
}

/** The rank of each value from 1, least first; equal values share the mean of their ranks. */
export const ranksOf = (values: readonly number[]): readonly number[] =>
  values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });

/** Mean over standard deviation, per period and not annualised. @returns null below two values or without variation */
export function sharpeRatio(profits: readonly number[]): number | null {
  const deviation = deviationOf(profits);
  return deviation === null || deviation === 0 ? null : meanOf(profits)! / deviation;
}

/** Mean over the root mean square of the losses, gains counted as zero. @returns null below two values or without a loss */
export function sortinoRatio(profits: readonly number[]): number | null {
  if (profits.length < 2) return null;
  const squares = profits.reduce((sum, profit) => sum + Math.min(0, profit) ** 2, 0);
  return squares === 0 ? null : meanOf(profits)! / Math.sqrt(squares / profits.length);
}

/** The value below which a share `q` of the values lies, interpolated between neighbours. @param sorted ascending, not empty */
export function quantileOf(sorted: readonly number[], q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}

/** Halvings of where the quantile may lie: doubles tell no more apart. */
const HALVINGS = 100;

/**
 * How many standard errors around a mean hold this share of Student's distribution.
 * @param level   between 0 and 1
 * @param freedom whole degrees of freedom, at least 1
 */
export function studentQuantile(level: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (shareWithin(high, freedom) < level) high *= 2;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (shareWithin(middle, freedom) < level) low = middle;
    else high = middle;
  }
  return high;
}

/** The share between -t and t, in closed form for whole degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4). */
function shareWithin(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const square = Math.cos(angle) ** 2;
  const isOdd = freedom % 2 === 1;
  let [sum, term] = [0, isOdd ? Math.cos(angle) : 1];
  for (let at = isOdd ? 1 : 0; at <= freedom - 2; at += 2) {
    sum += term;
    term *= (square * (at + 1)) / (at + 2);
  }
  const tail = Math.sin(angle) * sum;
  return isOdd ? ((angle + tail) * 2) / Math.PI : tail;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  readonly random: Random;
  /** Of the interval, between 0 and 1. */
  readonly level: number;
  readonly resamples: number;
}

/**
 * Percentile interval of the mean over all values when whole clusters are drawn with replacement: what is in one
 * cluster may depend on each other (Cameron, Gelbach and Miller 2008, pairs cluster bootstrap).
 * @param clusters at least one, none empty
 */
export function clusterBootstrap(
  clusters: readonly (readonly number[])[],
  { random, level, resamples }: BootstrapOptions,
): Interval {
  const sums = clusters.map((values) => values.reduce((sum, value) => sum + value, 0));
  const means = Array.from({ length: resamples }, () => drawMean(clusters, sums, random));
  means.sort((a, b) => a - b);
  return { low: quantileOf(means, (1 - level) / 2), high: quantileOf(means, (1 + level) / 2) };
}

/**
 * Interval of the mean over all values by Student's distribution, with an error that counts clusters, not values. It has the tails
 * that resamples of few clusters lack, and any level is resolved.
 * @param clusters at least two, none empty
 */
export function clusterStudent(clusters: readonly (readonly number[])[], level: number): Interval {
  const { mean, error } = clusterMean(clusters);
  const half = studentQuantile(level, clusters.length - 1) * error!;
  return { low: mean - half, high: mean + half };
}

/**
 * Mean over all values, with a standard error that counts clusters, not values.
 * @param clusters at least one, none empty
 */
export function clusterMean(clusters: readonly (readonly number[])[]): {
  readonly mean: number;
  /** null for one cluster. */
  readonly error: number | null;
} {
  const count = clusters.reduce((sum, values) => sum + values.length, 0);
  const sums = clusters.map((values) => values.reduce((sum, value) => sum + value, 0));
  const mean = sums.reduce((sum, one) => sum + one, 0) / count;
  const squares = sums.reduce((sum, one, at) => sum + (one - mean * clusters[at]!.length) ** 2, 0);
  const freedom = clusters.length - 1;
  const error = freedom === 0 ? null : Math.sqrt((squares * clusters.length) / freedom) / count;
  return { mean, error };
}

function drawMean(clusters: readonly (readonly number[])[], sums: readonly number[], random: Random): number {
  let [sum, count] = [0, 0];
  for (let drawn = 0; drawn < clusters.length; drawn++) {
    const index = random.below(clusters.length);
    sum += sums[index]!;
    count += clusters[index]!.length;
  }
  return sum / count;
}

/** Integral, extremes and time of a step function, without its history. A value that was replaced at once never held. */
export class StepMean {
  #value: number;
  #since: number;
  #startedAt: number;
  #integral = 0;
  #highest: number;
  #lowest: number;

  constructor(at: number, value = 0) {
    this.#startedAt = at;
    this.#since = at;
    this.#value = value;
    this.#highest = value;
    this.#lowest = value;
  }

  /** The value changed. Times do not decrease. */
  set(at: number, value: number): void {
    if (at > this.#since) this.#held();
    this.#integral += this.#value * (at - this.#since);
    this.#since = at;
    this.#value = value;
  }

  get value(): number {
    return this.#value;
  }

  get highest(): number {
    return Math.max(this.#highest, this.#value);
  }

  get lowest(): number {
    return Math.min(this.#lowest, this.#value);
  }

  /** Integral of the value over time, up to `at`. */
  integral(at: number): number {
    return this.#integral + this.#value * (at - this.#since);
  }

  /** Mean over time up to `at`; the value itself when no time has passed. */
  mean(at: number): number {
    return at > this.#startedAt ? this.integral(at) / (at - this.#startedAt) : this.#value;
  }

  #held(): void {
    if (this.#value > this.#highest) this.#highest = this.#value;
    if (this.#value < this.#lowest) this.#lowest = this.#value;
  }
}

/** Adds up how long things held in a market that may resolve, and whose resolution may be taken back. */
export abstract class TimedMeter {
  protected since: number;
  private isOver = false;

  constructor(at: number) {
    this.since = at;
  }

  /** The market has resolved: time counts no more. */
  close(at: number): void {
    this.pass(at);
    this.isOver = true;
  }

  /** The resolution was taken back. */
  reopen(at: number): void {
    this.since = at;
    this.isOver = false;
  }

  /** Counts the time up to `at`. */
  protected pass(at: number): void {
    const passed = at - this.since;
    this.since = at;
    if (!this.isOver && passed > 0) this.held(passed);
  }

  /** What holds has held for so long, microseconds. */
  protected abstract held(passed: number): void;
}
