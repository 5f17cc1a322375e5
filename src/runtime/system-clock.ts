// The global one is looked up through a getter, every time.
import { performance } from 'node:perf_hooks';
import type { Micros } from '../domain/units.js';
import type { Clock } from '../ports/clock.js';
import { afterDelay } from './delay.js';

/** What the operating system knows of time; handed in so that jumps can be tested. */
export interface TimeSource {
  /** Milliseconds since the epoch; jumps when somebody sets the clock. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start; never jumps. */
  monotonicMs(): number;
  /** Calls back after about this long. @returns a function that cancels it */
  after(delayMs: number, callback: () => void): () => void;
}

const MICROS_PER_MS = 1_000;
/** Pace while the answer is ahead of a wall clock that was set back: time goes on, and the wall catches up. */
const SLEW = 0.9;
/** A timer looks again this often, so that a jump of the wall clock (a laptop that slept) is noticed. */
const LONGEST_WAIT_MS = 1_000;

const operatingSystem: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: afterDelay,
};

/**
 * The wall clock with microsecond steps. `now` never decreases: a wall clock that jumps forward is followed at
 * once, one that is set back is approached by going slower, because time that stands still would keep every book
 * fresh and every deadline open.
 */
export class SystemClock implements Clock {
  readonly #source: TimeSource;
  /** The last answer, with the fraction of a microsecond that slewing leaves. */
  #told: number;
  #toldAt: number;

  constructor(source: TimeSource = operatingSystem) {
    this.#source = source;
    this.#told = source.wallMs() * MICROS_PER_MS;
    this.#toldAt = source.monotonicMs() * MICROS_PER_MS;
  }

  now(): Micros {
    const at = this.#source.monotonicMs() * MICROS_PER_MS;
    this.#told = this.#next(at - this.#toldAt);
    this.#toldAt = at;
    return Math.floor(this.#told) as Micros;
  }

  monotonic(): number {
    return Math.floor(this.#source.monotonicMs() * MICROS_PER_MS);
  }

  at(time: Micros, callback: () => void): () => void {
    const wait = (): (() => void) => {
      const remainingMs = Math.ceil((time - this.now()) / MICROS_PER_MS);
      return this.#source.after(Math.min(Math.max(remainingMs, 0), LONGEST_WAIT_MS), look);
    };
    const look = (): void => {
      if (this.now() >= time) callback();
      else cancelWait = wait();
    };
    let cancelWait = wait();
    return () => cancelWait();
  }

  /** The wall clock states whole milliseconds, so anything within the one it states agrees with it. */
  #next(elapsed: number): number {
    const earliest = this.#source.wallMs() * MICROS_PER_MS;
    const latest = earliest + MICROS_PER_MS;
    const expected = this.#told + elapsed;
    if (expected < earliest) return earliest;
    return expected <= latest ? expected : Math.max(latest, this.#told + elapsed * SLEW);
  }
}
