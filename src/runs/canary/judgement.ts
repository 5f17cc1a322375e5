/** Whether new parameters earn more than the present ones, from profits of both at the same times. */
import { deviationOf, meanOf, studentQuantile } from '../../analytics/statistics.js';

/** Both at one moment. */
export interface CanarySample {
  /** In currency units, open shares at the mid. */
  readonly now: number;
  readonly next: number;
}

export interface CanaryVerdict {
  readonly outcome: 'better' | 'worse' | 'undecided';
  /** Profit of the new parameters less that of the present ones. */
  readonly difference: number;
  /** Where the mean difference of a slice of time lies, with 95 % confidence; null with too few slices. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly slices: number;
  readonly text: string;
}

/** Fewer slices tell nothing. */
const LEAST_SLICES = 10;
const LEVEL = 0.95;

/**
 * Compares slice by slice: what moved the market moved both.
 * @param samples at equal intervals, the first at the beginning
 * @param stopped why the new parameters cannot go on; null: they can
 */
export function judgeCanary(samples: readonly CanarySample[], stopped: string | null): CanaryVerdict {
  const lead = samples.map(({ now, next }) => next - now);
  const gains = lead.slice(1).map((value, at) => value - lead[at]!);
  const difference = (lead.at(-1) ?? 0) - (lead[0] ?? 0);
  const told = { difference, slices: gains.length };
  if (stopped !== null) return { ...told, outcome: 'worse', interval: null, text: stopped };
  if (gains.length < LEAST_SLICES) {
    const text = `${gains.length} slices of time tell nothing: at least ${LEAST_SLICES} are needed`;
    return { ...told, outcome: 'undecided', interval: null, text };
  }
  const mean = meanOf(gains)!;
  const error = deviationOf(gains)! / Math.sqrt(gains.length);
  const reach = studentQuantile(LEVEL, gains.length - 1) * error;
  const interval = { low: mean - reach, high: mean + reach };
  const outcome = interval.low > 0 ? 'better' : interval.high < 0 ? 'worse' : 'undecided';
  return { ...told, outcome, interval, text: TEXTS[outcome] };
}

const TEXTS = {
  better: 'the new parameters earned more',
  worse: 'the new parameters earned less',
  undecided: 'the difference may be chance',
} as const;
