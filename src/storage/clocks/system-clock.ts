/** Clocks of the machine, and waiting by them. */
import { uptime } from 'node:os';
// The global one is looked up through a getter, every time.
import { performance } from 'node:perf_hooks';
import type { Clock } from '../../core/ports/clock.js';
import type { Micros } from '../../domain/units.js';

/** What the operating system knows of time; handed in so that jumps of the clock can be tested. */
export interface TimeSource {
  /** Milliseconds since the epoch; jumps when somebody sets the clock. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start; never jumps, and may stand still while the machine sleeps. */
  monotonicMs(): number;
  /** Milliseconds since the machine booted, its sleep included, exact to a second. Read after jumps only. */
  sinceBootMs(): number;
  /** Calls back after about this long. @returns a function that cancels it */
  after(delayMs: number, callback: () => void): () => void;
}

const MICROS_PER_MS = 1_000;
/** Microseconds. A time service moves the clock by less at once, so a larger difference is a jump or a sleep. */
const JUMP = 1_000_000;
/** A timer looks again this often, so that a sleep of the machine is noticed. */
const LONGEST_WAIT_MS = 1_000;
/** Node.js runs a timer of more than this, 24 days and 20 hours, after one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back once, after any number of milliseconds.
 * @returns a function that cancels it
 */
export function afterDelay(delayMs: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number): void => {
    const next = leftMs > LONGEST_TIMER_MS ? () => wait(leftMs - LONGEST_TIMER_MS) : callback;
    timer = setTimeout(next, Math.min(leftMs, LONGEST_TIMER_MS));
  };
  wait(delayMs);
  return () => clearTimeout(timer);
}

const operatingSystem: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sinceBootMs: () => uptime() * 1_000,
  after: afterDelay,
};

/**
 * A source whose clock follows the wall clock forward. For a venue: its clients compare its time with the wall. When the
 * wall clock is set back, the venue's clock goes on.
 */
export const followingTheWall = (source: TimeSource = operatingSystem): TimeSource => ({
  ...source,
  sinceBootMs: () => source.wallMs(),
});

/**
 * Starts at the wall clock's time and then counts the time that passed, sleep of the machine included, in microseconds.
 * Setting the wall clock moves this clock neither forward nor back, so no deadline passes sooner or later for it. The
 * true time is learned from the venue's answers.
 */
export class SystemClock implements Clock {
  readonly #source: TimeSource;
  /** By how much it is ahead of monotonic time. */
  #ahead: number;
  /** The same of the wall clock, since its last jump. */
  #wallAhead: number;
  /** The same of a clock that began with this one and counts the machine's sleep. */
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
    if (Math.abs(wallAhead - this.#wallAhead) > JUMP) this.#jumped(wallAhead);
    return Math.floor(at + this.#ahead) as Micros;
  }

  monotonic(): number {
    return Math.floor(this.#source.monotonicMs() * MICROS_PER_MS);
  }

  get leaps(): number {
    return this.#leaps;
  }

  at(time: Micros, callback: () => void): () => void {
    const waitMs = (): number => {
      const remainingMs = Math.ceil((time - this.now()) / MICROS_PER_MS);
      return Math.min(Math.max(remainingMs, 0), LONGEST_WAIT_MS);
    };
    return waitUntil(
      () => this.now() >= time,
      callback,
      (look) => this.#source.after(waitMs(), look),
    );
  }

  /** Somebody set the wall clock, or the machine slept, or both. */
  #jumped(wallAhead: number): void {
    if (wallAhead > this.#wallAhead) this.#leaps += 1;
    this.#wallAhead = wallAhead;
    const passed = this.#bootAhead();
    if (passed - this.#ahead <= JUMP) return;
    // The two agree after a mere sleep; the wall clock is the more exact one.
    this.#ahead = Math.abs(passed - wallAhead) < JUMP ? wallAhead : passed;
  }
}

/** Pace of a resumed clock while it is ahead of the clock below it. */
const SLOW = 0.9;

/**
 * A clock for what has already lived until a time, when its clock was set back since. Time goes on from there at nine
 * tenths of the pace until the clock below has caught up: standing still, nothing could end or begin until then.
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
    const slowest = (): number => this.#clock.now() + Math.ceil((time - this.now()) / SLOW);
    const wait = (look: () => void): (() => void) =>
      this.#clock.at(Math.min(time, slowest()) as Micros, look);
    return waitUntil(() => this.now() >= time, callback, wait);
  }
}

/** Waits again and again until something is due. @returns a function that cancels it */
function waitUntil(
  isDue: () => boolean,
  callback: () => void,
  wait: (look: () => void) => () => void,
): () => void {
  const look = (): void => {
    if (isDue()) callback();
    else cancelWait = wait(look);
  };
  let cancelWait = wait(look);
  return () => cancelWait();
}
