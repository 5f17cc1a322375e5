import type { Micros } from '../../../domain/units.js';

const MICROS_PER_SECOND = 1_000_000;

/** A time in two small integers, for a larger number is an object of its own. */
export interface Moment {
  readonly second: number;
  readonly micros: number;
}

export function momentOf(at: Micros): Moment {
  const second = Math.floor(at / MICROS_PER_SECOND);
  return { second: small(second), micros: small(at - second * MICROS_PER_SECOND) };
}

/** The time so many microseconds after a {@link Moment}. */
export const timeOf = (second: number, micros: number, after: number): Micros =>
  (second * MICROS_PER_SECOND + micros + after) as Micros;

/** Up to 2^31 (35 minutes in microseconds) a small integer, which takes no room beside the place where it stands. */
export function small(number: number): number {
  const whole = number | 0;
  return whole === number ? whole : number;
}
