import type { Micros } from '../../domain/units.js';

const MICROS_PER_MS = 1_000;

/** The point in time so many milliseconds later; negative is earlier. */
export const laterBy = (at: Micros, ms: number): Micros => (at + ms * MICROS_PER_MS) as Micros;

/** Milliseconds from the first to the second point in time. */
export const msBetween = (from: Micros, to: Micros): number => (to - from) / MICROS_PER_MS;

/** The earlier of two points in time, where null is never. */
export const earliest = (a: Micros | null, b: Micros | null): Micros | null =>
  a === null ? b : b === null || a <= b ? a : b;
