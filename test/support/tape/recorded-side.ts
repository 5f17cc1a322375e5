import type { RecordedSide } from '../../../src/exchange/matching/index.js';

/** A side of a book line from rows of tick and shares, best first. */
export function recordedSide(rows: readonly (readonly [tick: number, shares: number])[]): RecordedSide {
  return {
    ticks: Int32Array.from(rows, ([tick]) => tick),
    shares: Float64Array.from(rows, ([, shares]) => shares),
    from: 0,
    to: rows.length,
  };
}
