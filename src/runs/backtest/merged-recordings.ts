import { MICROS_PER_DAY } from '../../domain/days.js';
import type { EventId, MarketId } from '../../domain/ids.js';
import { PRICE_ONE } from '../../domain/units.js';
import { RecordingError } from '../../storage/tape/tape-files.js';
import type { RecordingSource } from '../../storage/recordings/recording.js';
import { refuseOverlaps } from '../../storage/recordings/survey.js';
import { ROW, type TapeBlock } from '../../storage/recordings/blocks.js';

/** A market of a backtest. Its slot is its place in the list of markets. */
export interface RunMarket {
  readonly slot: number;
  readonly eventId: EventId;
  readonly marketId: MarketId;
  /** Price units per tick. */
  readonly tickUnits: number;
  /** Levels per side that the recording shows, or that the configuration believes. */
  readonly depth: number;
}

/** A block of rows in the terms of a run. */
export interface RunBlock {
  readonly block: TapeBlock;
  /** The run's slot of each market of the recording. */
  readonly slots: Int32Array;
  /** `block.prices` in ticks. */
  readonly ticks: Int32Array;
}

/** Rows of one block that follow each other in time order. */
export interface RowRange {
  readonly rows: RunBlock;
  readonly from: number;
  readonly to: number;
}

/** Merges recordings in time order; rows of the same time come in the order in which the recordings are named. */
export class MergedRecordings {
  readonly rows: number;
  readonly books: number;
  private readonly slots: readonly Int32Array[];

  /** @throws RecordingError when a recording names unknown markets, or begins long after all others end */
  constructor(
    private readonly sources: readonly RecordingSource[],
    private readonly markets: readonly RunMarket[],
  ) {
    refuseOverlaps(sources);
    refuseFarApart(sources);
    const known = new Map<MarketId, RunMarket>(markets.map((market) => [market.marketId, market]));
    this.slots = sources.map((source) => slotsOf(source, known));
    this.rows = sources.reduce((total, { rows }) => total + rows, 0);
    this.books = sources.reduce((total, { books }) => total + books, 0);
  }

  /** @throws RecordingError for a price off the grid, or a silence of more than {@link MOST_DAYS} */
  async *ranges(): AsyncGenerator<RowRange> {
    const cursors = await Promise.all(this.sources.map((source, at) => this.open(source, this.slots[at]!)));
    let last: number | null = null;
    for (;;) {
      const [first, second] = twoEarliest(cursors);
      if (first === undefined) return;
      const isBefore = second === undefined || cursors.indexOf(first) < cursors.indexOf(second);
      const range = first.upTo(second?.at ?? Infinity, isBefore);
      refuseSilence(this.sources[cursors.indexOf(first)]!.name, range, last);
      last = range.rows.block.at[range.to - 1]!;
      yield range;
      if (first.isSpent) await first.advance();
    }
  }

  private async open(source: RecordingSource, slots: Int32Array): Promise<Cursor> {
    const cursor = new Cursor(source.blocks(), (block) => runBlock(source, block, slots, this.markets));
    await cursor.advance();
    return cursor;
  }
}

/** The position of the merge in one recording. */
class Cursor {
  private rows: RunBlock | null = null;
  private row = 0;
  private readonly blocks: AsyncIterator<TapeBlock> | Iterator<TapeBlock>;

  constructor(
    blocks: AsyncIterable<TapeBlock> | Iterable<TapeBlock>,
    private readonly convert: (block: TapeBlock) => RunBlock,
  ) {
    this.blocks = Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]();
  }

  /** Time of the next row; infinite behind the last. */
  get at(): number {
    return this.rows?.block.at[this.row] ?? Infinity;
  }

  get isSpent(): boolean {
    return this.rows === null || this.row >= this.rows.block.rows;
  }

  /** Goes on to the next block. */
  async advance(): Promise<void> {
    const next = await this.blocks.next();
    this.rows = next.done === true ? null : this.convert(next.value);
    this.row = 0;
  }

  /** Takes at least one row, and further rows up to a time. */
  upTo(time: number, inclusive: boolean): RowRange {
    const { block } = this.rows!;
    const from = this.row;
    let to = from + 1;
    if (time === Infinity) to = block.rows;
    while (to < block.rows && (inclusive ? block.at[to]! <= time : block.at[to]! < time)) to += 1;
    this.row = to;
    return { rows: this.rows!, from, to };
  }
}

/** Of equals the first. */
function twoEarliest(cursors: readonly Cursor[]): readonly (Cursor | undefined)[] {
  let first: Cursor | undefined;
  let second: Cursor | undefined;
  for (const cursor of cursors) {
    if (cursor.at === Infinity) continue;
    if (first === undefined || cursor.at < first.at) [first, second] = [cursor, first];
    else if (second === undefined || cursor.at < second.at) second = cursor;
  }
  return [first, second];
}

/** @throws RecordingError when the configuration does not know a market, or knows it under another event */
function slotsOf(source: RecordingSource, markets: ReadonlyMap<MarketId, RunMarket>): Int32Array {
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
function runBlock(
  { name }: RecordingSource,
  block: TapeBlock,
  slots: Int32Array,
  markets: readonly RunMarket[],
): RunBlock {
  const { prices } = block;
  const ticks = new Int32Array(prices.length);
  for (let row = 0; row < block.rows; row++) {
    if (block.kind[row] === ROW.status) continue;
    const { tickUnits } = markets[slots[block.market[row]!]!]!;
    const from = block.first[row]!;
    const levels = block.kind[row] === ROW.book ? block.bids[row]! + block.asks[row]! : 1;
    for (let level = from; level < from + levels; level++) {
      const tick = prices[level]! / tickUnits;
      if (!Number.isInteger(tick))
        throw new RecordingError(
          name,
          block.line[row]!,
          `the price ${prices[level]! / PRICE_ONE} does not lie on the market's grid of ${tickUnits / PRICE_ONE}`,
        );
      ticks[level] = tick;
    }
  }
  return { block, slots, ticks };
}

/** Longest time without a row. A backtest runs through silence timer by timer. */
const MOST_DAYS = 30;
const MOST = MOST_DAYS * MICROS_PER_DAY;
const WHY = `a backtest lives through the time between, at most ${MOST_DAYS} days without a row`;

/** @throws RecordingError when a recording begins long after all earlier ones have ended */
function refuseFarApart(sources: readonly RecordingSource[]): void {
  const [first, ...later] = sources.toSorted((one, other) => one.firstAt - other.firstAt);
  let last = first;
  for (const source of later) {
    if (last === undefined) return;
    const silence = source.firstAt - last.lastAt;
    if (silence > MOST)
      throw new RecordingError(
        source.name,
        0,
        `begins ${daysOf(silence)} after ${last.name} ends; ${WHY}; run them by themselves, with backtest --each or in a configuration each`,
      );
    if (source.lastAt > last.lastAt) last = source;
  }
}

/**
 * @param before time of the row before the range; null: there is none
 * @throws RecordingError at a row that comes long after the one before it
 */
function refuseSilence(name: string, { rows: { block }, from, to }: RowRange, before: number | null): void {
  let last = before ?? block.at[from]!;
  if (block.at[to - 1]! - last <= MOST) return;
  for (let row = from; row < to; last = block.at[row]!, row++) {
    const silence = block.at[row]! - last;
    if (silence <= MOST) continue;
    throw new RecordingError(
      name,
      block.line[row]!,
      `comes ${daysOf(silence)} after the row before it; ${WHY}; make two recordings of it (of a tape with tape cut, --from and --to)`,
    );
  }
}

const daysOf = (micros: number): string =>
  `${Math.floor(micros / MICROS_PER_DAY).toLocaleString('en-US')} days`;
