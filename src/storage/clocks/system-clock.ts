import { uptime } from 'node:os';
// The global one is looked up through a getter, every time.
import { performance } from 'node:perf_hooks';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import { afterDelay } from './delay.js';

/** What the operating system knows of time; handed in so that leaps can be tested. */
export interface TimeSource {
  /** Milliseconds since the epoch; leaps when somebody sets the clock. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start; never leaps, and may stand still while the machine sleeps. */
  monotonicMs(): number;
  /** Milliseconds since the machine was started, its sleep included, to within a second; asked for after leaps alone. */
  sinceBootMs(): number;
  /** Calls back after about this long. @returns a function that cancels it */
  after(delayMs: number, callback: () => void): () => void;
}

const MICROS_PER_MS = 1_000;
/**
 * Microseconds: no clock that is kept right is moved by more at once. Two that differ by less after a sleep tell the same,
 * the wall clock more exactly.
 */
const LEAP = 1_000_000;
/** A timer looks again this often, so that it is noticed when the machine slept. */
const LONGEST_WAIT_MS = 1_000;

const operatingSystem: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sinceBootMs: () => uptime() * 1_000,
  after: afterDelay,
};

/**
 * Whoever sets the wall clock forward sets such a clock, too; set back, it goes on. For a venue: its clients look at the
 * wall, and whether its machine stood still, as those do that run in another one, it cannot know.
 */
export const followingTheWall = (source: TimeSource = operatingSystem): TimeSource => ({
  ...source,
  sinceBootMs: () => source.wallMs(),
});

/**
 * What the wall clock said at first, and since then the time that passed, the machine's sleep included, in steps of a
 * microsecond. Setting the wall clock moves it neither forward nor back: nothing that is to last for a while is over
 * sooner for it, or later. What the true time is a venue's answers tell.
 */
export class SystemClock implements Clock {
  readonly #source: TimeSource;
  /** By how much it is ahead of monotonic time. */
  #ahead: number;
  /** The same of the wall clock, as it was when it leapt last. */
  #wallAhead: number;
  /** And of a clock that counts the machine's sleep and began with this one. */
  readonly #bootAhead: () => number;
  #leaps = 0;

  constructor(source: TimeSource = operatingSystem) {
    const at = source.monotonicMs();
    const begunMs = source.wallMs() - source.sinceBootMs();
    this.#source = source;
    this.#ahead = (source.wallMs() - at) * MICROS_PER_MS;
    this.#wallAhead = this.#ahead;
    this.#bootAhead = () => (begunMs + source.sinceBootMs() - source.monotonicMs()) * MICROS_PER_MS;
  }

  now(): Micros {
    const at = this.#source.monotonicMs() * MICROS_PER_MS;
    const wallAhead = this.#source.wallMs() * MICROS_PER_MS - at;
    if (Math.abs(wallAhead - this.#wallAhead) > LEAP) this.#leapt(wallAhead);
    return Math.floor(at + this.#ahead) as Micros;
  }

  monotonic(): number {
    return Math.floor(this.#source.monotonicMs() * MICROS_PER_MS);
  }

  get leaps(): number {
    return this.#leaps;
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

  /** Either somebody set the wall clock, or the machine slept, or both. */
  #leapt(wallAhead: number): void {
    if (wallAhead > this.#wallAhead) this.#leaps += 1;
    this.#wallAhead = wallAhead;
    const passed = this.#bootAhead();
    if (passed - this.#ahead <= LEAP) return;
    this.#ahead = Math.abs(passed - wallAhead) < LEAP ? wallAhead : passed;
  }
}
