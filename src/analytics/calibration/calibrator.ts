import type { MarketId } from '../../domain/ids.js';
import type { RecordedLine } from '../../domain/recorded.js';
import { type Micros, type PriceUnits, PRICE_ONE } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import {
  CalibrationSums,
  type Estimate,
  FEWEST_BLOCKS,
  jackknifeErrors,
  MidMoves,
  MOVE_SECONDS,
  VOLATILITY_SECONDS,
  type Footing,
  footingOf,
  TimeBlocks,
  jackknifeError,
  sumOf,
} from './calibration-sums.js';
import { type DelayFigures, Delays, type IntensityCell, fitIntensity } from './poisson-intensity.js';
import { type EdgeFigures, edgesOf } from './edge.js';
import { ImaginedQuotes, type QuoteSums, stepFor } from './imagined-quotes.js';

const FIRST_BLOCK_MICROS = 10_000_000;
const MOST_BLOCKS = 256;

export interface IntensityFigures {
  readonly lnA: Estimate;
  readonly k: Estimate;
  /** As if fills came independently: too small where takers come in clusters. */
  readonly poissonErrorOfLnA: number;
  readonly poissonErrorOfK: number;
}

export interface CalibrationFigures {
  readonly markets: number;
  /** With a two-sided book, all markets together. */
  readonly seconds: number;
  readonly trades: number;
  readonly sweeps: number;
  /** About so far apart are the quotes that were imagined, price units. */
  readonly step: number;
  readonly cells: readonly IntensityCell[];
  /** Null when takers reached fewer than two distances. */
  readonly intensity: IntensityFigures | null;
  readonly edges: EdgeFigures;
  /** Per interval: price per square root of a second; null when nothing was long enough. */
  readonly volatility: readonly {
    readonly seconds: number;
    readonly moves: number;
    readonly sigma: Estimate | null;
  }[];
  /** From the venue to us, and there and back; null where a recording does not tell. */
  readonly feed: DelayFigures | null;
  readonly roundTrip: DelayFigures | null;
  /** Stretches that were left out in turn, and their length. */
  readonly blocks: number;
  readonly blockSeconds: number;
}

export interface CalibratorOptions {
  /** Distance between the quotes that are imagined, price units; null: as takers reach. */
  readonly step: number | null;
  /** How many of them on each side. */
  readonly distances: number;
  /** Price units of one step of a market's grid. */
  readonly tickOf: (market: MarketId) => number;
}

/** Learns the parameters of models from recordings as they go by; what it holds does not grow with them. */
export class Calibrator {
  readonly #markets = new Map<MarketId, MarketCalibrator>();
  readonly #blocks: TimeBlocks<CalibrationSums>;
  readonly #feed = new Delays();
  readonly #roundTrip = new Delays();

  constructor(private readonly options: CalibratorOptions) {
    this.#blocks = new TimeBlocks(FIRST_BLOCK_MICROS, MOST_BLOCKS, this.#empty);
  }

  /** A line of a recording; times do not decrease within a market. */
  line(line: RecordedLine): void {
    if (line.kind === 'trade') this.trade(line.marketId, line.at, line.price, line.takerSide);
    else if (line.kind === 'book')
      this.book(line.marketId, line.at, line.bids.prices[0], line.asks.prices[0]);
    else if (line.status !== 'open') this.close(line.marketId, line.at);
  }

  book(market: MarketId, at: Micros, bid: PriceUnits | undefined, ask: PriceUnits | undefined): void {
    this.#market(market).book(at, bid ?? null, ask ?? null);
  }

  trade(market: MarketId, at: Micros, price: PriceUnits, taker: Side | null): void {
    this.#market(market).trade(at, price, taker);
  }

  /** The market is suspended, closed or resolved. */
  close(market: MarketId, at: Micros): void {
    this.#market(market).close(at);
  }

  /** A frame came so long after the venue sent it. */
  heard(ms: number): void {
    this.#feed.add(ms);
  }

  /** A request was answered so long after it left. */
  answered(ms: number): void {
    this.#roundTrip.add(ms);
  }

  figures(): CalibrationFigures {
    const blocks = this.#blocks.all;
    const all = sumOf(blocks, this.#empty);
    const { step, distances } = this.options;
    const quotes = new ImaginedQuotes(step ?? stepFor(all, distances), distances, all);
    return {
      markets: this.#markets.size,
      seconds: all.seconds,
      trades: all.trades,
      sweeps: all.sweeps,
      step: quotes.step,
      cells: quotes.cells(quotes.seenIn(all)),
      intensity: this.#intensity(quotes, blocks),
      edges: edgesOf(blocks, quotes.step, distances),
      volatility: volatilityOf(blocks.map(({ moves }) => moves)),
      feed: this.#feed.figures(),
      roundTrip: this.#roundTrip.figures(),
      blocks: blocks.length,
      blockSeconds: this.#blocks.width / 1e6,
    };
  }

  readonly #empty = (): CalibrationSums => new CalibrationSums();

  #market(id: MarketId): MarketCalibrator {
    const known =
      this.#markets.get(id) ?? new MarketCalibrator(this.options.tickOf(id), (at) => this.#blocks.at(at));
    this.#markets.set(id, known);
    return known;
  }

  #intensity(quotes: ImaginedQuotes, blocks: readonly CalibrationSums[]): IntensityFigures | null {
    const seen = blocks.map((block) => quotes.seenIn(block));
    const fitOf = (sums: QuoteSums) => fitIntensity(quotes.cells(sums));
    const fit = fitOf(sumOf(seen, quotes.empty));
    if (fit === null) return null;
    const error = (of: 'lnA' | 'k'): number | null =>
      seen.length < FEWEST_BLOCKS
        ? null
        : jackknifeError(seen, quotes.empty, (sums) => fitOf(sums)?.[of] ?? null);
    return {
      lnA: { value: fit.lnA, error: error('lnA') },
      k: { value: fit.k, error: error('k') },
      poissonErrorOfLnA: fit.errorOfLnA,
      poissonErrorOfK: fit.errorOfK,
    };
  }
}

function volatilityOf(blocks: readonly MidMoves[]): CalibrationFigures['volatility'] {
  const empty = (): MidMoves => new MidMoves();
  const sigmas = ({ intervals }: MidMoves) => intervals.map(sigmaOf);
  const all = sumOf(blocks, empty);
  const errors = blocks.length < FEWEST_BLOCKS ? null : jackknifeErrors(blocks, empty, sigmas);
  return sigmas(all).map((value, index) => ({
    seconds: VOLATILITY_SECONDS[index]!,
    moves: all.intervals[index]!.count,
    sigma: value === null ? null : { value, error: errors?.[index] ?? null },
  }));
}

/** Root of the mean squared move over its time. */
function sigmaOf({ count, squares }: MidMoves['intervals'][number], index: number): number | null {
  return count === 0 ? null : Math.sqrt(squares / (count * VOLATILITY_SECONDS[index]!));
}

/** Prints of one time and one taker: a quote up to the furthest of them would have been filled. */
interface Sweep {
  readonly at: Micros;
  readonly taker: Side;
  readonly footing: Footing;
  readonly mid: number;
  reach: number;
  prints: number;
}

/**
 * One market of a recording, as it goes by: how far from the mid takers reached, how long there was a mid, and how the
 * mid moved. While a side is empty or the market is closed nothing is counted.
 */
export class MarketCalibrator {
  #mid: number | null = null;
  /** The mid; with one side empty, half way from the other to the end of the scale. What is picked off goes there. */
  #mark: number | null = null;
  #since: number = 0;
  #sweep: Sweep | null = null;
  /** Takers after whom the mid is still to be looked at, oldest first, for each time. */
  readonly #followed = MOVE_SECONDS.map((): Sweep[] => []);
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
    this.#mark = bid === null && ask === null ? null : ((bid ?? 0) + (ask ?? PRICE_ONE)) / 2;
    if (this.#mid === null) this.#stopSampling();
  }

  /** @param taker null: nearer to which side of the mid it is */
  trade(at: Micros, price: PriceUnits, taker: Side | null): void {
    this.#pass(at);
    if (this.#mid === null) return;
    const side = taker ?? (price >= this.#mid ? 'bid' : 'ask');
    if (this.#sweep === null || this.#sweep.at !== at || this.#sweep.taker !== side) {
      this.#endSweep();
      const [mid, footing] = [this.#mid, footingOf(this.#mid, this.tick)];
      this.#sweep = { at, taker: side, footing, mid, reach: -Infinity, prints: 0 };
    }
    this.#sweep.prints += 1;
    const reach = side === 'bid' ? price - this.#mid : this.#mid - price;
    this.#sweep.reach = Math.max(this.#sweep.reach, reach);
    this.sumsAt(at).trades += 1;
  }

  /** Nothing trades until the next book. */
  close(at: Micros): void {
    this.#endSweep();
    this.#pass(at);
    this.#mid = null;
    this.#mark = null;
    this.#stopSampling();
    for (const waiting of this.#followed) waiting.length = 0;
  }

  #endSweep(): void {
    if (this.#sweep === null) return;
    const { at, footing, reach, prints } = this.#sweep;
    const sums = this.sumsAt(at);
    sums.sweeps += 1;
    sums.reached(footing, reach);
    sums.taken(reach, prints);
    for (const waiting of this.#followed) waiting.push(this.#sweep);
    this.#sweep = null;
  }

  /** Time goes by with the mid that there is. */
  #pass(at: Micros): void {
    if (this.#mid !== null && at > this.#since) {
      this.sumsAt(at).stood(footingOf(this.#mid, this.tick), (at - this.#since) / 1e6);
      this.#sample(at, this.#mid);
    }
    this.#follow(at);
    this.#since = at;
  }

  /** The mid that stood when the time after a taker was over; nothing where there was none. */
  #follow(now: number): void {
    this.#followed.forEach((waiting, time) => {
      const after = MOVE_SECONDS[time]! * 1e6;
      let over = 0;
      for (const { at, taker, mid, reach } of waiting) {
        if (at + after > now) break;
        over += 1;
        if (this.#mark === null) continue;
        this.sumsAt(at).moved(reach, time, taker === 'bid' ? this.#mark - mid : mid - this.#mark);
      }
      if (over > 0) waiting.splice(0, over);
    });
  }

  #sample(at: number, mid: number): void {
    this.#samples.forEach((sample, index) => {
      const interval = VOLATILITY_SECONDS[index]! * 1e6;
      if (sample.due === Infinity) {
        sample.mid = mid;
        sample.due = this.#since + interval;
      }
      for (; sample.due < at; sample.due += interval) {
        const sums = this.sumsAt(sample.due).moves.intervals[index]!;
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
