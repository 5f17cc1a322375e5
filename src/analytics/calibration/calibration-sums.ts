import type { Mergeable } from './time-blocks.js';

/** Moves of the mid are taken over so many seconds. */
export const VOLATILITY_SECONDS = [1, 5, 30] as const;

/** How a mid lies on the grid of its market. */
export interface Footing {
  /** Of the mids that lie alike. */
  readonly key: number;
  /** Price units of one step. */
  readonly tick: number;
  /** From the mid to the next price of the grid, price units: nothing, or half a step. */
  readonly offset: number;
}

/** Of a mid that is half way between two prices of the grid, as where the spread is an odd number of steps; or is one of them. */
export function footingOf(mid: number, tick: number): Footing {
  const isBetween = Math.round((mid / tick) * 2) % 2 !== 0;
  return { key: tick * 2 + (isBetween ? 1 : 0), tick, offset: isBetween ? tick / 2 : 0 };
}

/** Mids of one footing. */
interface Mids {
  readonly footing: Footing;
  /** How long there was one; a market each. */
  seconds: number;
  /** Takers by how far from it they reached, price units; those alone that went beyond it. */
  readonly reaches: Map<number, number>;
}

/** What a stretch of recordings shows; stretches add up. */
export class CalibrationSums implements Mergeable<CalibrationSums> {
  /** With a mid; a market each. */
  seconds = 0;
  trades = 0;
  /** Takers that came, whatever the number of their prints. */
  sweeps = 0;
  /** By the key of their footing. */
  readonly mids = new Map<number, Mids>();
  /** Per interval of {@link VOLATILITY_SECONDS}: moves of the mid, and their squares as prices. */
  readonly moves = VOLATILITY_SECONDS.map(() => ({ count: 0, squares: 0 }));

  /** So much longer there was a mid of that footing. */
  stood(footing: Footing, seconds: number): void {
    this.seconds += seconds;
    this.#mids(footing).seconds += seconds;
  }

  /** Takers reached so far from a mid of that footing. */
  reached(footing: Footing, reach: number, takers = 1): void {
    if (reach <= 0) return;
    const { reaches } = this.#mids(footing);
    reaches.set(reach, (reaches.get(reach) ?? 0) + takers);
  }

  add(other: CalibrationSums): void {
    this.seconds += other.seconds;
    this.trades += other.trades;
    this.sweeps += other.sweeps;
    for (const { footing, seconds, reaches } of other.mids.values()) {
      this.#mids(footing).seconds += seconds;
      for (const [reach, takers] of reaches) this.reached(footing, reach, takers);
    }
    this.moves.forEach((move, index) => {
      move.count += other.moves[index]!.count;
      move.squares += other.moves[index]!.squares;
    });
  }

  #mids(footing: Footing): Mids {
    const known = this.mids.get(footing.key) ?? { footing, seconds: 0, reaches: new Map<number, number>() };
    this.mids.set(footing.key, known);
    return known;
  }
}
