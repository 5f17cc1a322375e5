/** Recordings through the calibrator. */
import { Calibrator, type CalibrationFigures } from '../analytics/calibration/calibrator.js';
import type { Micros, PriceUnits } from '../domain/units.js';
import {
  openRecording,
  type RecordingSource,
  ROW,
  statusOf,
  takerOf,
  type TapeBlock,
} from '../tape/index.js';

export interface CalibrateOptions {
  /** Distance between the quotes that are imagined, price units; null: the coarsest grid of the markets. */
  readonly step: number | null;
  readonly distances: number;
}

export interface Calibrated {
  readonly figures: CalibrationFigures;
  readonly recordings: number;
  /** Price units. */
  readonly step: number;
}

/**
 * Goes through all recordings once, in the order of their times.
 * @throws RecordingError naming file and line
 */
export async function calibrate(files: readonly string[], options: CalibrateOptions): Promise<Calibrated> {
  const opened = await Promise.all(files.map((file) => openRecording(file)));
  const recordings = opened.toSorted((a, b) => a.firstAt - b.firstAt);
  const ticks = recordings.flatMap(({ markets }) => markets.map(({ tickUnits }) => tickUnits));
  const step = options.step ?? Math.max(...ticks);
  const calibrator = new Calibrator({ grid: step, distances: options.distances });
  for (const recording of recordings)
    for await (const block of recording.blocks()) take(calibrator, recording, block);
  return { figures: calibrator.figures(), recordings: recordings.length, step };
}

function take(calibrator: Calibrator, { markets }: RecordingSource, block: TapeBlock): void {
  const { at, kind, market, first, bids, asks, word, prices } = block;
  for (let row = 0; row < block.rows; row++) {
    const { marketId } = markets[market[row]!]!;
    const time = at[row]! as Micros;
    const level = first[row]!;
    const priceAt = (place: number): PriceUnits => prices[place]! as PriceUnits;
    if (kind[row] === ROW.trade) calibrator.trade(marketId, time, priceAt(level), takerOf(word[row]!));
    else if (kind[row] === ROW.status) {
      if (statusOf(word[row]!).status !== 'open') calibrator.close(marketId, time);
    } else {
      const bid = bids[row] === 0 ? undefined : priceAt(level);
      const ask = asks[row] === 0 ? undefined : priceAt(level + bids[row]!);
      calibrator.book(marketId, time, bid, ask);
    }
  }
}
