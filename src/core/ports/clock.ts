import type { Micros } from '../../domain/units.js';

/** Time as an object handed in: the system's in live runs, virtual in tests and backtests. */
export interface Clock {
  /**
   * The wall time of its start and what passed since; never decreasing from one call to the next. One that is moved when
   * somebody sets the wall clock ends what is to last for a while too soon, or too late.
   */
  now(): Micros;
  /** Microseconds since an arbitrary start, unaffected by wall-clock changes; for deadlines and latency. */
  monotonic(): number;
  /** Calls back once at or after the given time. @returns a function that cancels it */
  at(time: Micros, callback: () => void): () => void;
  /**
   * How often the wall clock has been seen to leap ahead, as of the last {@link now}. The machine may have slept, or have
   * stood still and known nothing of it: how far other clocks are ahead nobody knows then. Left out: never.
   */
  readonly leaps?: number;
}
