import { quantileOf } from '../statistics.js';
import { ThinnedList } from '../series.js';

/** How often quotes at one distance were, or would have been, filled. */
export interface IntensityCell {
  /** From the mid, as a price. */
  readonly distance: number;
  /** How long such a quote stood. */
  readonly seconds: number;
  readonly fills: number;
}

/** lambda(distance) = A exp(-k distance), fills per second. */
export interface Intensity {
  readonly lnA: number;
  /** Per unit of price. */
  readonly k: number;
  /** Of independent fills: from the information at the maximum. */
  readonly errorOfLnA: number;
  readonly errorOfK: number;
}

const MOST_STEPS = 100;
const SMALL_STEP = 1e-12;

/**
 * Maximum likelihood of fills that are Poisson with mean A exp(-k distance) seconds, by Newton's method on (ln A, k);
 * the likelihood is concave (market-making formulas, "Quoting practice").
 * @returns null when fewer than two distances have fills: nothing says how fast the intensity falls
 */
export function fitIntensity(cells: readonly IntensityCell[]): Intensity | null {
  const filled = new Set(cells.filter(({ fills }) => fills > 0).map(({ distance }) => distance));
  if (filled.size < 2) return null;
  let point = start(cells);
  for (let step = 0; step < MOST_STEPS; step++) {
    const [byLnA, byK] = newtonStep(cells, point);
    const next = climb(cells, point, byLnA, byK);
    const isThere =
      Math.abs(next.lnA - point.lnA) + Math.abs(next.k - point.k) < SMALL_STEP * (1 + Math.abs(next.k));
    point = next;
    if (isThere) break;
  }
  const { lnLnA, lnAK, kK } = information(cells, point);
  const determinant = lnLnA * kK - lnAK * lnAK;
  return {
    ...point,
    errorOfLnA: Math.sqrt(kK / determinant),
    errorOfK: Math.sqrt(lnLnA / determinant),
  };
}

interface Point {
  readonly lnA: number;
  readonly k: number;
}

/** A flat intensity with as many fills. */
function start(cells: readonly IntensityCell[]): Point {
  const fills = cells.reduce((sum, cell) => sum + cell.fills, 0);
  const seconds = cells.reduce((sum, cell) => sum + cell.seconds, 0);
  return { lnA: Math.log(fills / seconds), k: 0 };
}

const expected = ({ distance, seconds }: IntensityCell, { lnA, k }: Point): number =>
  seconds * Math.exp(lnA - k * distance);

const likelihood = (cells: readonly IntensityCell[], point: Point): number =>
  cells.reduce(
    (sum, cell) => sum + cell.fills * (point.lnA - point.k * cell.distance) - expected(cell, point),
    0,
  );

/** Second derivatives, negated. */
function information(cells: readonly IntensityCell[], point: Point) {
  let [lnLnA, lnAK, kK] = [0, 0, 0];
  for (const cell of cells) {
    const mean = expected(cell, point);
    lnLnA += mean;
    lnAK -= cell.distance * mean;
    kK += cell.distance ** 2 * mean;
  }
  return { lnLnA, lnAK, kK };
}

function newtonStep(cells: readonly IntensityCell[], point: Point): readonly [number, number] {
  let [slopeOfLnA, slopeOfK] = [0, 0];
  for (const cell of cells) {
    const surplus = cell.fills - expected(cell, point);
    slopeOfLnA += surplus;
    slopeOfK -= cell.distance * surplus;
  }
  const { lnLnA, lnAK, kK } = information(cells, point);
  const determinant = lnLnA * kK - lnAK * lnAK;
  return [
    (kK * slopeOfLnA - lnAK * slopeOfK) / determinant,
    (lnLnA * slopeOfK - lnAK * slopeOfLnA) / determinant,
  ];
}

/** Goes the whole step, or half of it until it leads upwards. */
function climb(cells: readonly IntensityCell[], from: Point, byLnA: number, byK: number): Point {
  const before = likelihood(cells, from);
  for (let part = 1; part > 1e-9; part /= 2) {
    const to = { lnA: from.lnA + part * byLnA, k: from.k + part * byK };
    if (likelihood(cells, to) >= before) return to;
  }
  return from;
}

const ROOM = 4_096;
/** Equally spaced, from the least to the greatest. */
const QUANTILES = 21;

/** How long something took. */
export interface DelayFigures {
  readonly count: number;
  /** Milliseconds, ascending, equally spaced quantiles from 0 to 1. */
  readonly quantiles: readonly number[];
  readonly median: number;
  /** Of the median, from the order statistics around it; null for few. */
  readonly errorOfMedian: number | null;
}

/**
 * Whether an event's own time says how long it was on its way. The venue tells that of `balance-changed` in whole seconds
 * (specification, section 6.3), so it would seem to have taken half a second more.
 * @param event the venue's name of it
 */
export const tellsItsWay = (event: string): boolean => event !== 'balance-changed';

/** Collects delays, thinned when they are many. */
export class Delays {
  #count = 0;
  readonly #kept = new ThinnedList<number>(ROOM);

  add(ms: number): void {
    this.#count += 1;
    this.#kept.add(ms);
  }

  /** @returns null when there are none */
  figures(): DelayFigures | null {
    if (this.#count === 0) return null;
    const sorted = this.#kept.items.toSorted((a, b) => a - b);
    const quantiles = Array.from({ length: QUANTILES }, (_, index) =>
      quantileOf(sorted, index / (QUANTILES - 1)),
    );
    return {
      count: this.#count,
      quantiles,
      median: quantileOf(sorted, 0.5),
      errorOfMedian: errorOfMedian(sorted),
    };
  }
}

/** A quarter of the distance between the order statistics that hold the median with 95 %: about one standard error. */
function errorOfMedian(sorted: readonly number[]): number | null {
  const half = 0.98 / Math.sqrt(sorted.length);
  if (half >= 0.5) return null;
  return (quantileOf(sorted, 0.5 + half) - quantileOf(sorted, 0.5 - half)) / (2 * 1.96);
}
