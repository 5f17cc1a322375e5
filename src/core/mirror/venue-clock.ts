import type { Micros } from '../../domain/units.js';

/**
 * The venue's clock by ours, as far as answers have told how wrong that is. A date that the venue states, or that is
 * stated to it, is compared with its clock; one of our own making with ours.
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

  /** @returns whether that is another difference than before */
  differsBy(ahead: number): boolean {
    if (ahead === this.#ahead) return false;
    this.#ahead = ahead;
    return true;
  }
}
