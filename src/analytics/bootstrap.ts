import type { Random } from '../ports/random.js';
import { quantileOf } from './statistics.js';

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
): { readonly low: number; readonly high: number } {
  const sums = clusters.map((values) => values.reduce((sum, value) => sum + value, 0));
  const means = Array.from({ length: resamples }, () => drawMean(clusters, sums, random));
  means.sort((a, b) => a - b);
  return { low: quantileOf(means, (1 - level) / 2), high: quantileOf(means, (1 + level) / 2) };
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
