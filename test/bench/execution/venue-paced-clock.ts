import type { Micros } from '../../../src/domain/units.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';

/**
 * A clock that can be set forward: when frames are handed over back to back, their times are as far apart as the
 * venue's allowance of requests has it, and so is what the bot remembers of the last seconds.
 */
export class VenuePacedClock implements Clock {
  readonly #clock = new SystemClock();
  #ahead = 0;

  setForward(ms: number): void {
    this.#ahead += ms * 1_000;
  }

  now(): Micros {
    return (this.#clock.now() + this.#ahead) as Micros;
  }

  monotonic(): number {
    return this.#clock.monotonic() + this.#ahead;
  }

  at(time: Micros, callback: () => void): () => void {
    return this.#clock.at((time - this.#ahead) as Micros, callback);
  }
}
