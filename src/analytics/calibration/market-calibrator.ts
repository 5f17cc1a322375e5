import type { Micros, PriceUnits } from '../../domain/units.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import { type CalibrationSums, type Footing, footingOf, VOLATILITY_SECONDS } from './calibration-sums.js';

/** Prints of one time and one taker: a quote up to the furthest of them would have been filled. */
interface Sweep {
  readonly at: Micros;
  readonly taker: Side;
  readonly footing: Footing;
  reach: number;
}

/**
 * One market of a recording, as it goes by: how far from the mid takers reached, how long there was a mid, and how the
 * mid moved. While a side is empty or the market is closed nothing is counted.
 */
export class MarketCalibrator {
  #mid: number | null = null;
  #since: number = 0;
  #sweep: Sweep | null = null;
  /** Per interval when the next sample is due, and the last one. */
  readonly #samples = VOLATILITY_SECONDS.map(() => ({ due: Infinity, mid: Number.NaN }));

  /**
   * @param tick price units of one step of its grid
   * @param sumsAt where what happens at a time is counted
   */
  constructor(
    private readonly tick: number,
    private readonly sumsAt: (at: number) => CalibrationSums,
  ) {}

  /** Best prices of the long side. Prints of the same time come before it. */
  book(at: Micros, bid: PriceUnits | null, ask: PriceUnits | null): void {
    this.#endSweep();
    this.#pass(at);
    this.#mid = bid === null || ask === null ? null : (bid + ask) / 2;
    if (this.#mid === null) this.#stopSampling();
  }

  /** @param taker null: nearer to which side of the mid it is */
  trade(at: Micros, price: PriceUnits, taker: Side | null): void {
    this.#pass(at);
    if (this.#mid === null) return;
    const side = taker ?? (price >= this.#mid ? 'bid' : 'ask');
    if (this.#sweep === null || this.#sweep.at !== at || this.#sweep.taker !== side) {
      this.#endSweep();
      this.#sweep = { at, taker: side, footing: footingOf(this.#mid, this.tick), reach: -Infinity };
    }
    const reach = side === 'bid' ? price - this.#mid : this.#mid - price;
    this.#sweep.reach = Math.max(this.#sweep.reach, reach);
    this.sumsAt(at).trades += 1;
  }

  /** Nothing trades until the next book. */
  close(at: Micros): void {
    this.#endSweep();
    this.#pass(at);
    this.#mid = null;
    this.#stopSampling();
  }

  #endSweep(): void {
    if (this.#sweep === null) return;
    const { at, footing, reach } = this.#sweep;
    const sums = this.sumsAt(at);
    sums.sweeps += 1;
    sums.reached(footing, reach);
    this.#sweep = null;
  }

  /** Time goes by with the mid that there is. */
  #pass(at: Micros): void {
    if (this.#mid !== null && at > this.#since) {
      this.sumsAt(at).stood(footingOf(this.#mid, this.tick), (at - this.#since) / 1e6);
      this.#sample(at, this.#mid);
    }
    this.#since = at;
  }

  #sample(at: number, mid: number): void {
    this.#samples.forEach((sample, index) => {
      const interval = VOLATILITY_SECONDS[index]! * 1e6;
      if (sample.due === Infinity) {
        sample.mid = mid;
        sample.due = this.#since + interval;
      }
      for (; sample.due < at; sample.due += interval) {
        const sums = this.sumsAt(sample.due).moves[index]!;
        sums.count += 1;
        sums.squares += ((mid - sample.mid) / PRICE_ONE) ** 2;
        sample.mid = mid;
      }
    });
  }

  #stopSampling(): void {
    for (const sample of this.#samples) sample.due = Infinity;
  }
}
