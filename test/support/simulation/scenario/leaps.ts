/** Somebody sets the clock of the machine by minutes: by more than the venue's window. */
import type { Draws } from './draws.js';
import type { TimedHappening } from './happening.js';

const LEAST_MS = 20_000;
const MOST_MS = 900_000;

/** @returns in order of time; in most houses none */
export function leapsOf(draws: Draws, forMs: number): readonly TimedHappening[] {
  if (draws.chance(0.75)) return [];
  const times = Array.from({ length: draws.whole(1, 3) }, () => draws.whole(0, forMs));
  return times
    .toSorted((one, other) => one - other)
    .map((atMs) => ({ atMs, happening: { kind: 'clock-set', byMs: leapOf(draws) } }));
}

/** Forward mostly. */
const leapOf = (draws: Draws): number => draws.oneOf([1, 1, -1]) * draws.whole(LEAST_MS, MOST_MS);
