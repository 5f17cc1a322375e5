import type { Micros } from '../../domain/units.js';

const MICROS_PER_MS = 1_000;

/** The point in time so many milliseconds later; negative is earlier. */
export const laterBy = (at: Micros, ms: number): Micros => (at + ms * MICROS_PER_MS) as Micros;

/** Milliseconds from the first to the second point in time. */
export const msBetween = (from: Micros, to: Micros): number => (to - from) / MICROS_PER_MS;

/** The earliest of points in time, where null is never. */
export function earliest(...dates: readonly (Micros | null)[]): Micros | null {
  let first: Micros | null = null;
  for (const date of dates) if (date !== null && (first === null || date < first)) first = date;
  return first;
}

/**
 * The venue's clock by ours, as far as answers have told how wrong ours is. A date that the venue states, or that is
 * stated to it, is compared with its clock; a date of our own making with ours.
 */
export class VenueClock {
  /** Microseconds that it is ahead of ours. */
  #ahead = 0;

  get ahead(): number {
    return this.#ahead;
  }

  /** What it shows when ours shows this. */
  at(ours: Micros): Micros {
    return (ours + this.#ahead) as Micros;
  }

  /** What ours shows when it shows this. */
  ours(venueTime: Micros): Micros {
    return (venueTime - this.#ahead) as Micros;
  }

  /** @returns whether the difference is another one than before */
  differsBy(ahead: number): boolean {
    if (ahead === this.#ahead) return false;
    this.#ahead = ahead;
    return true;
  }
}
