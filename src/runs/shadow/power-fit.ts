import { deviationOf, quantileOf } from '../../analytics/statistics.js';
import { SHARE_ONE } from '../../domain/units.js';
import type { Random } from '../../core/ports/random.js';
import type { QueueEvidence } from './queue-watch.js';

/** Exponents of the power queue that are tried: an eighth to eight, even in their logarithms. */
export const POWERS: readonly number[] = Array.from({ length: 25 }, (_, at) => 2 ** (-3 + at / 4));

export interface PowerFigures {
  /** The exponent that lies nearest to what trades proved. */
  readonly power: number;
  /** Of its natural logarithm, when orders are drawn anew. */
  readonly errorOfLog: number;
  /** Between which 95 % of the draws lie. */
  readonly low: number;
  readonly high: number;
  /** Whether it is the least or the greatest that was tried. */
  readonly isEdge: boolean;
  /** Mean distance to what was proved, whole shares, at the best exponent. */
  readonly distance: number;
}

const RESAMPLES = 400;

/**
 * Fits the exponent by least distance; how sure it is, by drawing whole orders with replacement.
 * @param from where {@link POWERS} begin among the models of the evidence
 * @returns null below ten orders, or when no exponent is better than another
 */
export function fitPower(
  evidence: readonly QueueEvidence[],
  from: number,
  random: Random,
): PowerFigures | null {
  if (evidence.length < 10) return null;
  const sums = POWERS.map((_, at) => sumOf(evidence, from + at));
  if (Math.max(...sums) - Math.min(...sums) < 1e-9) return null;
  const draws = Array.from({ length: RESAMPLES }, () => {
    const drawn = evidence.map(() => evidence[random.below(evidence.length)]!);
    return Math.log(bestOf(POWERS.map((_, at) => sumOf(drawn, from + at))));
  }).sort((a, b) => a - b);
  const observations = evidence.reduce((sum, one) => sum + one.observations, 0);
  const best = bestOf(sums);
  return {
    power: best,
    isEdge: best === POWERS[0] || best === POWERS.at(-1),
    errorOfLog: deviationOf(draws) ?? 0,
    low: Math.exp(quantileOf(draws, 0.025)),
    high: Math.exp(quantileOf(draws, 0.975)),
    distance: Math.min(...sums) / observations / SHARE_ONE,
  };
}

const sumOf = (evidence: readonly QueueEvidence[], at: number): number =>
  evidence.reduce((sum, { distance }) => sum + distance[at]!, 0);

/** Of equally good ones the middle. */
function bestOf(sums: readonly number[]): number {
  const least = Math.min(...sums);
  const best = sums.flatMap((sum, at) => (sum <= least + 1e-9 ? [at] : []));
  return POWERS[best[Math.floor(best.length / 2)]!]!;
}
