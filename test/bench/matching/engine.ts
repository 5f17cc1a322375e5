import type { Ofw1Totals } from '../../support/matching/ofw1.js';
import type { Flow } from './flow-file.js';

/** What a timed pass counts, cheap enough for both engines: it proves that they did the work. */
export interface PassTotals {
  readonly trades: number;
  readonly volume: number;
}

/** A book under measurement. An instance is one run of a flow from an empty book. */
export interface EngineRun {
  /** Runs the operations [from, to). */
  operations(from: number, to: number): void;
  totals(): PassTotals;
}

export interface Engine {
  start(flow: Flow): EngineRun;
  /** Runs a flow untimed. @returns everything there is to check about it */
  check(flow: Flow): Ofw1Totals;
}
