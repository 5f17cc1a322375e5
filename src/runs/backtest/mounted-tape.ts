import type { MarketId } from '../../domain/ids.js';
import { type RecordingSource, refuseOverlaps, type TapeBlock } from '../../storage/index.js';
import { mountBlock, type MountedBlock, type RowRange, slotsOf } from './mounted-block.js';
import type { RunMarket } from './run-market.js';
import { refuseFarApart, refuseSilence } from './silence.js';

/** Recordings in the terms of a run, merged in time order; of the same time, in the order in which they were named. */
export class MountedTape {
  readonly rows: number;
  readonly books: number;
  private readonly slots: readonly Int32Array[];

  /** @throws RecordingError when a recording names markets that the run does not know, or is of quite another time */
  constructor(
    private readonly sources: readonly RecordingSource[],
    private readonly markets: readonly RunMarket[],
  ) {
    refuseOverlaps(sources);
    refuseFarApart(sources);
    const known = new Map<MarketId, RunMarket>(markets.map((market) => [market.marketId, market]));
    this.slots = sources.map((source) => slotsOf(source, known));
    this.rows = sum(sources.map(({ rows }) => rows));
    this.books = sum(sources.map(({ books }) => books));
  }

  /** @throws RecordingError, from the iteration */
  async *ranges(): AsyncGenerator<RowRange> {
    const cursors = await Promise.all(this.sources.map((source, at) => this.open(source, this.slots[at]!)));
    let through: number | null = null;
    for (;;) {
      const [first, second] = twoEarliest(cursors);
      if (first === undefined) return;
      const until = second === undefined ? Infinity : second.at;
      const inclusive = second === undefined || cursors.indexOf(first) < cursors.indexOf(second);
      const range = first.upTo(until, inclusive);
      refuseSilence(this.sources[cursors.indexOf(first)]!.name, range, through);
      through = range.mounted.block.at[range.to - 1]!;
      yield range;
      if (first.isSpent) await first.advance();
    }
  }

  private async open(source: RecordingSource, slots: Int32Array): Promise<Cursor> {
    const cursor = new Cursor(source.blocks(), (block) => mountBlock(source, block, slots, this.markets));
    await cursor.advance();
    return cursor;
  }
}

/** Where the merge stands in one recording. */
class Cursor {
  private mounted: MountedBlock | null = null;
  private row = 0;
  private readonly blocks: AsyncIterator<TapeBlock> | Iterator<TapeBlock>;

  constructor(
    blocks: AsyncIterable<TapeBlock> | Iterable<TapeBlock>,
    private readonly mount: (block: TapeBlock) => MountedBlock,
  ) {
    this.blocks = Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]();
  }

  /** Time of the next row; infinite behind the last. */
  get at(): number {
    return this.mounted?.block.at[this.row] ?? Infinity;
  }

  get isSpent(): boolean {
    return this.mounted === null || this.row >= this.mounted.block.rows;
  }

  /** Goes on to the next block. */
  async advance(): Promise<void> {
    const next = await this.blocks.next();
    this.mounted = next.done === true ? null : this.mount(next.value);
    this.row = 0;
  }

  /** Takes the rows up to a time. */
  upTo(time: number, inclusive: boolean): RowRange {
    const mounted = this.mounted!;
    const { at, rows } = mounted.block;
    const from = this.row;
    let to = from + 1;
    if (time === Infinity) to = rows;
    while (to < rows && (inclusive ? at[to]! <= time : at[to]! < time)) to += 1;
    this.row = to;
    return { mounted, from, to };
  }
}

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

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
