import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';

/** Pace while it is ahead of its clock: time goes on, and the clock catches up. */
const SLOW = 0.9;

/**
 * A clock for what has lived until a time already, by a clock that was set back since: it goes on from there, at nine tenths of
 * the pace, until the clock has caught up. Time that stood still until then would end nothing and let nothing begin.
 */
export const resumedClock = (clock: Clock, from: Micros): Clock =>
  clock.now() >= from ? clock : new ResumedClock(clock, from);

class ResumedClock implements Clock {
  readonly #clock: Clock;
  readonly #from: Micros;
  readonly #begun: number;

  constructor(clock: Clock, from: Micros) {
    this.#clock = clock;
    this.#from = from;
    this.#begun = clock.monotonic();
  }

  now(): Micros {
    const slowly = this.#from + Math.floor((this.#clock.monotonic() - this.#begun) * SLOW);
    return Math.max(this.#clock.now(), slowly) as Micros;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  at(time: Micros, callback: () => void): () => void {
    const wait = (): (() => void) => {
      const slowest = this.#clock.now() + Math.ceil((time - this.now()) / SLOW);
      return this.#clock.at(Math.min(time, slowest) as Micros, look);
    };
    const look = (): void => {
      if (this.now() >= time) callback();
      else cancelWait = wait();
    };
    let cancelWait = wait();
    return () => cancelWait();
  }
}
