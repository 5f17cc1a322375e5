/** A market drawn with known A, k and impact, for the calibration to find them again. */
import type { Random } from '../../core/ports/random.js';
import { marketId } from '../../domain/ids.js';
import { type Micros, PRICE_ONE, type PriceUnits } from '../../domain/units.js';
import type { Estimate } from './calibration-sums.js';
import { Calibrator } from './calibrator.js';

export interface PlantedMarket {
  /** Takers a second and side that reach beyond the mid. */
  readonly A: number;
  /** Decay of their number with the distance, per price. */
  readonly k: number;
  /** A taker moves the mid by so much, for good. */
  readonly xi: number;
  /** Move of the mid per square root of a second besides. */
  readonly sigma: number;
  readonly seconds: number;
}

/** One planted figure, and what the calibration made of it. */
export interface FoundFigure {
  readonly figure: 'A' | 'k' | 'xi' | 'edge';
  /** Of an edge: from the mid. */
  readonly distance: number | null;
  readonly planted: number;
  readonly found: number;
  /** Standard error; of A that of ln A times A. */
  readonly error: number | null;
}

/** The mid begins at one half again and again: left alone, it would wander to 0 or 1. */
const WINDOW_SECONDS = 300;
const STEP = 100;
const DISTANCES = 4;
const MICROS = 1e6;
const HALF = PRICE_ONE / 2;

export function findPlanted(planted: PlantedMarket, random: Random): readonly FoundFigure[] {
  const calibrator = new Calibrator({ step: STEP, distances: DISTANCES, tickOf: () => 1 });
  const windows = Math.ceil(planted.seconds / WINDOW_SECONDS);
  for (let window = 0; window < windows; window++)
    draw(planted, calibrator, window, random.fork(`window ${window}`));
  const { intensity, edges } = calibrator.figures();
  const found = (
    figure: FoundFigure['figure'],
    truth: number,
    estimate: Estimate | null | undefined,
    distance: number | null = null,
  ): FoundFigure => ({
    figure,
    distance,
    planted: truth,
    found: estimate?.value ?? Number.NaN,
    error: estimate?.error ?? null,
  });
  const lnA = intensity?.lnA;
  const A = lnA === undefined ? null : Math.exp(lnA.value);
  const ofA = A === null ? null : { value: A, error: lnA!.error === null ? null : lnA!.error * A };
  return [
    found('A', planted.A, ofA),
    found('k', planted.k, intensity?.k),
    found('xi', planted.xi, edges.xi),
    ...edges.rows.map(({ distance, edge }) => found('edge', distance - planted.xi, edge, distance)),
  ];
}

/** One window: takers come as a Poisson process, reach exponentially far, and move the mid. */
function draw(
  { A, k, xi, sigma }: PlantedMarket,
  calibrator: Calibrator,
  window: number,
  random: Random,
): void {
  const market = marketId(1);
  const start = window * WINDOW_SECONDS;
  let mid: number = HALF;
  const show = (at: number): void => {
    const units = Math.min(PRICE_ONE - 2, Math.max(2, Math.round(mid)));
    calibrator.book(market, time(at), (units - 1) as PriceUnits, (units + 1) as PriceUnits);
  };
  show(start);
  let next = start;
  for (;;) {
    const waited = -Math.log1p(-random.uniform()) / (2 * A);
    next += waited;
    if (next >= start + WINDOW_SECONDS) break;
    mid += (random.uniform() < 0.5 ? -1 : 1) * sigma * Math.sqrt(waited) * PRICE_ONE;
    show(next);
    const side = random.uniform() < 0.5 ? 'bid' : 'ask';
    const sign = side === 'bid' ? 1 : -1;
    const reach = Math.floor((-Math.log1p(-random.uniform()) / k) * PRICE_ONE);
    const price = Math.round(mid) + sign * reach;
    if (price > 0 && price < PRICE_ONE) calibrator.trade(market, time(next), price as PriceUnits, side);
    mid += sign * xi * PRICE_ONE;
    show(next);
  }
  calibrator.close(market, time(start + WINDOW_SECONDS));
}

const time = (seconds: number): Micros => Math.round(seconds * MICROS) as Micros;
