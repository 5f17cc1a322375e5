import type { Mergeable } from './time-blocks.js';

/** Moves of the mid are taken over so many seconds. */
export const VOLATILITY_SECONDS = [1, 5, 30] as const;

/** What a stretch of recordings shows; stretches add up. */
export class CalibrationSums implements Mergeable<CalibrationSums> {
  /** With a mid; a market each. */
  seconds = 0;
  trades = 0;
  /** Takers that came, whatever the number of their prints. */
  sweeps = 0;
  /** Per distance, one grid step apart: takers that reached it or beyond, of either side. */
  readonly fills: number[];
  /** Per interval of {@link VOLATILITY_SECONDS}: moves of the mid, and their squares as prices. */
  readonly moves = VOLATILITY_SECONDS.map(() => ({ count: 0, squares: 0 }));

  constructor(private readonly distances: number) {
    this.fills = Array.from({ length: distances }, () => 0);
  }

  add(other: CalibrationSums): void {
    this.seconds += other.seconds;
    this.trades += other.trades;
    this.sweeps += other.sweeps;
    for (let distance = 0; distance < this.distances; distance++)
      this.fills[distance]! += other.fills[distance]!;
    this.moves.forEach((move, index) => {
      move.count += other.moves[index]!.count;
      move.squares += other.moves[index]!.squares;
    });
  }
}
