import type { MarketId } from '../../domain/ids.js';
import { RecordingError, type RecordingSource, ROW, type TapeBlock } from '../../storage/index.js';
import type { RunMarket } from './run-market.js';

/** A block in the terms of a run: its markets are slots, its prices ticks. */
export interface MountedBlock {
  readonly block: TapeBlock;
  /** Of each place of the recording the slot of the run. */
  readonly slots: Int32Array;
  /** Of each level, as `block.prices`. */
  readonly ticks: Int32Array;
  /** Of each book row what it repeats, so that a run, and each scenario of it, need not compare the same levels again. */
  readonly bids: Repetitions;
  readonly asks: Repetitions;
}

/** One side of the book rows of a block, as far as a run sees it: each row beside the one of its market before it. */
export interface Repetitions {
  /** Where the levels of the row before begin, if they are the same but for their sizes; {@link NO_REPETITION}. */
  readonly since: Int32Array;
  /** Then the levels whose size is another one: a bit each, the lowest of the best. */
  readonly resized: Int32Array;
}

export const NO_REPETITION = -1;
/** So many levels of a side have a bit that no sign is made of. */
const LEVELS_MOST = 31;

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
  const { rows, kind, market, first } = block;
  const ticks = new Int32Array(block.prices.length);
  const mounted = { block, slots, ticks, bids: repetitionsOf(rows), asks: repetitionsOf(rows) };
  const lastBooks = new Int32Array(slots.length).fill(NO_REPETITION);
  for (let row = 0; row < rows; row++) {
    if (kind[row] === ROW.status) continue;
    const place = market[row]!;
    const { tickUnits, depth } = markets[slots[place]!]!;
    const from = first[row]!;
    if (kind[row] !== ROW.book) {
      const refused = fillTicks(block.prices, ticks, { from, to: from + 1, tickUnits });
      if (refused >= 0) throw offGrid(source, block, row, refused, tickUnits);
      continue;
    }
    const to = from + block.bids[row]! + block.asks[row]!;
    const refused = fillTicks(block.prices, ticks, { from, to, tickUnits });
    if (refused >= 0) throw offGrid(source, block, row, refused, tickUnits);
    noteRepetitions(mounted, { row, before: lastBooks[place]!, depth });
    lastBooks[place] = row;
  }
  return mounted;
}

const repetitionsOf = (rows: number): Repetitions => ({
  since: new Int32Array(rows).fill(NO_REPETITION),
  resized: new Int32Array(rows),
});

/** Puts prices into ticks. @returns the first level whose price is off the grid, -1 when there is none */
function fillTicks(
  prices: Int32Array,
  ticks: Int32Array,
  { from, to, tickUnits }: { readonly from: number; readonly to: number; readonly tickUnits: number },
): number {
  // A multiplication is several times as fast as a division; the product is checked to be exact.
  const ticksPerUnit = 1 / tickUnits;
  for (let level = from; level < to; level++) {
    const price = prices[level]!;
    const tick = (price * ticksPerUnit + 0.5) | 0;
    if (tick * tickUnits !== price) return level;
    ticks[level] = tick;
  }
  return -1;
}

/** Compares a book row with the one of its market before it. */
function noteRepetitions(
  { block, bids, asks }: Pick<MountedBlock, 'block' | 'bids' | 'asks'>,
  { row, before, depth }: { readonly row: number; readonly before: number; readonly depth: number },
): void {
  if (before === NO_REPETITION || depth > LEVELS_MOST || block.word[row] !== block.word[before]) return;
  const at = block.first[row]!;
  const since = block.first[before]!;
  const count = block.bids[row]!;
  const countBefore = block.bids[before]!;
  const shownBids = Math.min(count, depth);
  if (shownBids === Math.min(countBefore, depth)) note(block, bids, { row, at, since, count: shownBids });
  const shownAsks = Math.min(block.asks[row]!, depth);
  if (shownAsks === Math.min(block.asks[before]!, depth))
    note(block, asks, { row, at: at + count, since: since + countBefore, count: shownAsks });
}

function note(
  { prices, shares }: TapeBlock,
  repetitions: Repetitions,
  {
    row,
    at,
    since,
    count,
  }: { readonly row: number; readonly at: number; readonly since: number; readonly count: number },
): void {
  let resized = 0;
  for (let level = 0; level < count; level++) {
    if (prices[at + level] !== prices[since + level]) return;
    if (shares[at + level] !== shares[since + level]) resized |= 1 << level;
  }
  repetitions.since[row] = since;
  repetitions.resized[row] = resized;
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
