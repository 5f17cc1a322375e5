import { PRICE_ONE } from '../../domain/units.js';
import {
  type CalibrationSums,
  type Estimate,
  FEWEST_BLOCKS,
  jackknifeErrors,
  type Mergeable,
  MOVE_SECONDS,
  sumOf,
} from './calibration-sums.js';

/** The edge counts the move of the mid after so many seconds, and xi that after the longest. */
const EDGE_AT = MOVE_SECONDS.indexOf(10);
const XI_AT = MOVE_SECONDS.length - 1;

/** What a quote at a distance from the mid meets, as if it stood first in line. All figures are prices of one share. */
export interface EdgeRow {
  readonly distance: number;
  /** Takers that reached it, and their prints at this distance or beyond. */
  readonly takers: number;
  readonly prints: number;
  /** Moves of the mid against the quote, after each of {@link MOVE_SECONDS}; null where none was seen so long. */
  readonly moves: readonly (Estimate | null)[];
  /** The distance less the move after ten seconds. */
  readonly edge: Estimate | null;
  /** Edge times takers a second and side. */
  readonly earns: Estimate | null;
}

export interface EdgeFigures {
  readonly rows: readonly EdgeRow[];
  /** The row that earns most; null when none earns. */
  readonly best: EdgeRow | null;
  /** Permanent impact: the move after the longest time, of the takers that reached the nearest quote. */
  readonly xi: Estimate | null;
}

/** Of each distance, nearest first. */
class EdgeSums implements Mergeable<EdgeSums> {
  seconds = 0;
  readonly takers: number[];
  readonly prints: number[];
  /** Of each distance and time, one distance after the other. */
  readonly counts: number[];
  readonly moves: number[];

  constructor(private readonly distances: number) {
    this.takers = Array.from({ length: distances }, () => 0);
    this.prints = Array.from({ length: distances }, () => 0);
    this.counts = Array.from({ length: distances * MOVE_SECONDS.length }, () => 0);
    this.moves = Array.from({ length: distances * MOVE_SECONDS.length }, () => 0);
  }

  add(other: EdgeSums): void {
    this.seconds += other.seconds;
    for (let at = 0; at < this.distances; at++) {
      this.takers[at]! += other.takers[at]!;
      this.prints[at]! += other.prints[at]!;
    }
    for (let at = 0; at < this.counts.length; at++) {
      this.counts[at]! += other.counts[at]!;
      this.moves[at]! += other.moves[at]!;
    }
  }

  /** As a price; null when none was seen so long. */
  move(distance: number, time: number): number | null {
    const at = distance * MOVE_SECONDS.length + time;
    return this.counts[at] === 0 ? null : this.moves[at]! / this.counts[at]! / PRICE_ONE;
  }
}

/**
 * What quotes at each distance earn.
 * @param blocks stretches of time
 * @param step   between the distances, price units
 * @param quotes how many distances
 */
export function edgesOf(blocks: readonly CalibrationSums[], step: number, quotes: number): EdgeFigures {
  const empty = (): EdgeSums => new EdgeSums(quotes);
  const seen = blocks.map((block) => seenIn(block, step, empty()));
  const all = sumOf(seen, empty);
  // Of each distance: its moves, its edge, what it earns; in the end xi.
  const figuresOf = (sums: EdgeSums): readonly (number | null)[] => [
    ...sums.takers.flatMap((takers, at) => {
      const moves = MOVE_SECONDS.map((_, time) => sums.move(at, time));
      const move = moves[EDGE_AT]!;
      const edge = move === null ? null : ((at + 1) * step) / PRICE_ONE - move;
      const earns = edge === null || sums.seconds === 0 ? null : (edge * takers) / (2 * sums.seconds);
      return [...moves, edge, earns];
    }),
    sums.move(0, XI_AT),
  ];
  const values = figuresOf(all);
  const errors = blocks.length < FEWEST_BLOCKS ? null : jackknifeErrors(seen, empty, figuresOf);
  const estimates = values.map((value, at): Estimate | null =>
    value === null ? null : { value, error: errors?.[at] ?? null },
  );
  const figures = MOVE_SECONDS.length + 2;
  const rows = all.takers.map((takers, at): EdgeRow => {
    const mine = estimates.slice(at * figures, (at + 1) * figures);
    return {
      distance: ((at + 1) * step) / PRICE_ONE,
      takers,
      prints: all.prints[at]!,
      moves: mine.slice(0, MOVE_SECONDS.length),
      edge: mine[MOVE_SECONDS.length]!,
      earns: mine[MOVE_SECONDS.length + 1]!,
    };
  });
  const earning = rows.filter(({ earns }) => earns !== null && earns.value > 0);
  const best = earning.toSorted((one, other) => other.earns!.value - one.earns!.value)[0] ?? null;
  return { rows, best, xi: estimates.at(-1)! };
}

function seenIn({ seconds, after }: CalibrationSums, step: number, sums: EdgeSums): EdgeSums {
  sums.seconds = seconds;
  for (const [reach, { takers, prints, counts, moves }] of after)
    for (let at = 0; at < sums.takers.length && reach >= (at + 1) * step; at++) {
      sums.takers[at]! += takers;
      sums.prints[at]! += prints;
      MOVE_SECONDS.forEach((_, time) => {
        sums.counts[at * MOVE_SECONDS.length + time]! += counts[time]!;
        sums.moves[at * MOVE_SECONDS.length + time]! += moves[time]!;
      });
    }
  return sums;
}
