import type { Random } from '../core/ports/random.js';
import { quantileOf } from './statistics.js';
import { studentQuantile } from './student-t.js';

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
  const count = clusters.reduce((sum, values) => sum + values.length, 0);
  const sums = clusters.map((values) => values.reduce((sum, value) => sum + value, 0));
  const mean = sums.reduce((sum, one) => sum + one, 0) / count;
  const squares = sums.reduce((sum, one, at) => sum + (one - mean * clusters[at]!.length) ** 2, 0);
  const freedom = clusters.length - 1;
  const error = Math.sqrt((squares * clusters.length) / freedom) / count;
  const half = studentQuantile(level, freedom) * error;
  return { low: mean - half, high: mean + half };
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
