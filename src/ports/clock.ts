import type { Micros } from '../domain/units.js';

/** Time as an object handed in: the wall in live runs, virtual in tests and backtests. */
export interface Clock {
  /** Wall time; never decreasing from one call to the next. */
  now(): Micros;
  /** Microseconds since an arbitrary start, unaffected by wall-clock changes; for deadlines and latency. */
  monotonic(): number;
  /** Calls back once at or after the given wall time. @returns a function that cancels it */
  at(time: Micros, callback: () => void): () => void;
}
