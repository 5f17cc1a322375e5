import { quantileOf } from '../statistics.js';
import { ThinnedList } from '../thinned-list.js';

const ROOM = 4_096;
/** Equally spaced, from the least to the greatest. */
const QUANTILES = 21;

/** How long something took. */
export interface DelayFigures {
  readonly count: number;
  /** Milliseconds, ascending, equally spaced quantiles from 0 to 1. */
  readonly quantiles: readonly number[];
  readonly median: number;
  /** Of the median, from the order statistics around it; null for few. */
  readonly errorOfMedian: number | null;
}

/**
 * Whether an event's own time says how long it was on its way. The venue tells that of `balance-changed` in whole seconds
 * (specification, section 6.3), so it would seem to have taken half a second more.
 * @param event the venue's name of it
 */
export const tellsItsWay = (event: string): boolean => event !== 'balance-changed';

/** Collects delays, thinned when they are many. */
export class Delays {
  #count = 0;
  readonly #kept = new ThinnedList<number>(ROOM);

  add(ms: number): void {
    this.#count += 1;
    this.#kept.add(ms);
  }

  /** @returns null when there are none */
  figures(): DelayFigures | null {
    if (this.#count === 0) return null;
    const sorted = this.#kept.items.toSorted((a, b) => a - b);
    const quantiles = Array.from({ length: QUANTILES }, (_, index) =>
      quantileOf(sorted, index / (QUANTILES - 1)),
    );
    return {
      count: this.#count,
      quantiles,
      median: quantileOf(sorted, 0.5),
      errorOfMedian: errorOfMedian(sorted),
    };
  }
}

/** A quarter of the distance between the order statistics that hold the median with 95 %: about one standard error. */
function errorOfMedian(sorted: readonly number[]): number | null {
  const half = 0.98 / Math.sqrt(sorted.length);
  if (half >= 0.5) return null;
  return (quantileOf(sorted, 0.5 + half) - quantileOf(sorted, 0.5 - half)) / (2 * 1.96);
}
