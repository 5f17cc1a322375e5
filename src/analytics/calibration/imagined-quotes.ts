import { PRICE_ONE } from '../../domain/units.js';
import type { CalibrationSums, Footing, Mergeable } from './calibration-sums.js';
import type { IntensityCell } from './poisson-intensity.js';

/** Of the takers that went beyond the mid so many reach the furthest quote: further out there is little to count. */
const REACHING_ALL = 0.05;
/** Where nobody traded: the usual grid, price units. */
const USUAL_STEP = 100;

/** How long there was a mid of each footing, and how many takers reached each quote of each, one footing after the other. */
export class QuoteSums implements Mergeable<QuoteSums> {
  readonly seconds: number[];
  readonly fills: number[];

  constructor(footings: number, quotes: number) {
    this.seconds = Array.from({ length: footings }, () => 0);
    this.fills = Array.from({ length: footings * quotes }, () => 0);
  }

  add({ seconds, fills }: QuoteSums): void {
    for (let at = 0; at < seconds.length; at++) this.seconds[at]! += seconds[at]!;
    for (let at = 0; at < fills.length; at++) this.fills[at]! += fills[at]!;
  }
}

/**
 * Quotes that are imagined around every mid, each on the grid of its market: a mid between two prices of the grid has other
 * distances than one that is a price of it. Whoever takes them for the same finds k wrong where takers hardly reach beyond a few steps.
 */
export class ImaginedQuotes {
  readonly #footings: readonly Footing[];

  /**
   * @param step   about as far apart as they are, price units
   * @param quotes how many on each side
   * @param shown  mids of which footings there are
   */
  constructor(
    readonly step: number,
    private readonly quotes: number,
    shown: CalibrationSums,
  ) {
    this.#footings = [...shown.mids.values()].map(({ footing }) => footing);
  }

  readonly empty = (): QuoteSums => new QuoteSums(this.#footings.length, this.quotes);

  /** What a stretch of recordings shows of them. */
  seenIn({ mids }: CalibrationSums): QuoteSums {
    const sums = this.empty();
    this.#footings.forEach((footing, place) => {
      const mid = mids.get(footing.key);
      if (mid === undefined) return;
      sums.seconds[place] = mid.seconds;
      for (let quote = 0; quote < this.quotes; quote++) {
        const distance = this.#distance(footing, quote);
        for (const [reach, takers] of mid.reaches)
          if (reach >= distance) sums.fills[place * this.quotes + quote]! += takers;
      }
    });
    return sums;
  }

  /** Each distance of each footing. A quote stands on either side, so each second counts twice. */
  cells({ seconds, fills }: QuoteSums): readonly IntensityCell[] {
    return this.#footings.flatMap((footing, place) =>
      Array.from({ length: this.quotes }, (_, quote) => ({
        distance: this.#distance(footing, quote) / PRICE_ONE,
        seconds: 2 * seconds[place]!,
        fills: fills[place * this.quotes + quote]!,
      })).filter(({ distance }, quote, cells) => distance !== cells[quote - 1]?.distance),
    );
  }

  /** The price of the grid that is nearest to so many steps, and no nearer to the mid by more than half a price step. */
  #distance({ tick, offset }: Footing, quote: number): number {
    const least = (quote + 1) * this.step - tick / 2;
    const distance = Math.ceil((least - offset) / tick) * tick + offset;
    return distance > 0 ? distance : distance + tick;
  }
}

/** The widest step, in whole steps of the coarsest grid, with which one in twenty takers still reaches the furthest quote. */
export function stepFor({ mids }: CalibrationSums, quotes: number): number {
  const takers = new Map<number, number>();
  let [all, tick] = [0, 0];
  for (const { footing, reaches } of mids.values()) {
    tick = Math.max(tick, footing.tick);
    for (const [reach, count] of reaches) {
      takers.set(reach, (takers.get(reach) ?? 0) + count);
      all += count;
    }
  }
  if (tick === 0) return USUAL_STEP;
  let beyond = 0;
  for (const [reach, count] of [...takers].toSorted(([one], [other]) => other - one)) {
    beyond += count;
    if (beyond >= all * REACHING_ALL) return Math.max(tick, Math.floor(reach / quotes / tick) * tick);
  }
  return tick;
}
