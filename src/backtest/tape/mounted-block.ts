import type { MarketId } from '../../domain/ids.js';
import { RecordingError, type RecordingSource, ROW, type TapeBlock } from '../../tape/index.js';
import type { RunMarket } from './run-market.js';

/** A block in the terms of a run: its markets are slots, its prices ticks. */
export interface MountedBlock {
  readonly block: TapeBlock;
  /** Of each place of the recording the slot of the run. */
  readonly slots: Int32Array;
  /** Of each level, as `block.prices`. */
  readonly ticks: Int32Array;
}

/** Rows of one block that follow each other in the merged order. */
export interface RowRange {
  readonly mounted: MountedBlock;
  readonly from: number;
  readonly to: number;
}

/**
 * Puts a recording's places into the slots of a run.
 * @throws RecordingError when a line names a market that the run does not know, or knows under another event
 */
export function slotsOf(source: RecordingSource, markets: ReadonlyMap<MarketId, RunMarket>): Int32Array {
  return Int32Array.from(source.markets, ({ eventId, marketId, line }) => {
    const market = markets.get(marketId);
    if (market === undefined) {
      const known = [...markets.keys()].slice(0, 8).join(', ');
      throw new RecordingError(
        source.name,
        line,
        `market ${marketId} is not among the markets of the configuration (${known}${markets.size > 8 ? ', ...' : ''}); with backtest.markets: recorded those of the recordings are traded`,
      );
    }
    if (market.eventId !== eventId)
      throw new RecordingError(
        source.name,
        line,
        `market ${marketId} belongs to event ${eventId} here and to event ${market.eventId} in the configuration`,
      );
    return market.slot;
  });
}

/** @throws RecordingError for a price off its market's grid */
export function mountBlock(
  source: RecordingSource,
  block: TapeBlock,
  slots: Int32Array,
  markets: readonly RunMarket[],
): MountedBlock {
  const ticks = new Int32Array(block.prices.length);
  for (let row = 0; row < block.rows; row++) {
    if (block.kind[row] === ROW.status) continue;
    const { tickUnits } = markets[slots[block.market[row]!]!]!;
    // A multiplication is several times as fast as a division; the product is checked to be exact.
    const ticksPerUnit = 1 / tickUnits;
    const from = block.first[row]!;
    const to = from + (block.kind[row] === ROW.book ? block.bids[row]! + block.asks[row]! : 1);
    for (let level = from; level < to; level++) {
      const price = block.prices[level]!;
      const tick = (price * ticksPerUnit + 0.5) | 0;
      if (tick * tickUnits !== price) throw offGrid(source, block, row, level, tickUnits);
      ticks[level] = tick;
    }
  }
  return { block, slots, ticks };
}

const offGrid = (
  { name }: RecordingSource,
  { line, prices }: TapeBlock,
  row: number,
  level: number,
  tickUnits: number,
): RecordingError =>
  new RecordingError(
    name,
    line[row]!,
    `the price ${prices[level]! / 10_000} does not lie on the market's grid of ${tickUnits / 10_000}`,
  );
