import type { Micros } from '../../domain/units.js';
import type { Random } from '../../core/ports/random.js';

const SECOND = 1_000_000;
/** Whoever is asked later than this after an arrival has slept: what would have come meanwhile never comes. */
const CATCHES_UP_MICROS = SECOND;

/** A Poisson process: independent exponential waiting times, each measured from the arrival before it. */
export class Arrivals {
  private at: Micros;

  /** @param ratePerS arrivals per second, positive */
  constructor(
    private readonly ratePerS: number,
    private readonly random: Random,
    start: Micros,
  ) {
    this.at = this.after(start);
  }

  /** The next arrival. */
  get next(): Micros {
    return this.at;
  }

  /** The next arrival has been taken care of. */
  pass(now: Micros): void {
    this.at = this.after(Math.max(this.at, now - CATCHES_UP_MICROS));
  }

  private after(time: number): Micros {
    const waitS = -Math.log(1 - this.random.uniform()) / this.ratePerS;
    return Math.ceil(time + waitS * SECOND) as Micros;
  }
}
