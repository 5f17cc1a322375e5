/** A stretch of a recording as a recording of its own. */
import { invariant } from '../../domain/errors.js';
import { decodedRecording, type RecordingSource, ROW, type TapeBlock } from '../../tape/index.js';

/** A row of some block. */
interface PlacedRow {
  readonly block: TapeBlock;
  readonly row: number;
}

/**
 * The rows of a time, with what was known at its beginning before them: of each market the last status and the last
 * book, in their order, at `from`. The rows themselves are not copied.
 * @param source one whose decoded blocks are kept
 * @param from microseconds
 * @param to not part of it
 * @returns null when nothing is known by then
 */
export function recordingWindow(source: RecordingSource, from: number, to: number): RecordingSource | null {
  const { kept, name, sha256, about } = source.shared;
  invariant(kept !== null, 'a recording that is not kept in memory cannot be cut into windows');
  const parts = kept.blocks.map((block) => partOf(block, rowAt(block, from), rowAt(block, to)));
  const known = lastKnown(kept.blocks, from);
  const blocks = [...(known.length === 0 ? [] : [blockOf(known, from)]), ...parts].filter(
    ({ rows }) => rows > 0,
  );
  return blocks.length === 0 ? null : decodedRecording(name, sha256, kept.markets, blocks, about);
}

/** The first row that is not before a time. */
function rowAt({ at, rows }: TapeBlock, time: number): number {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const partOf = (block: TapeBlock, from: number, to: number): TapeBlock => ({
  rows: to - from,
  at: block.at.subarray(from, to),
  kind: block.kind.subarray(from, to),
  market: block.market.subarray(from, to),
  first: block.first.subarray(from, to),
  bids: block.bids.subarray(from, to),
  asks: block.asks.subarray(from, to),
  word: block.word.subarray(from, to),
  line: block.line.subarray(from, to),
  prices: block.prices,
  shares: block.shares,
});

function lastKnown(blocks: readonly TapeBlock[], before: number): readonly PlacedRow[] {
  const last = new Map<string, PlacedRow>();
  for (const block of blocks) {
    const end = rowAt(block, before);
    for (let row = 0; row < end; row++) {
      if (block.kind[row] === ROW.trade) continue;
      const subject = `${block.kind[row]} ${block.market[row]}`;
      last.delete(subject);
      last.set(subject, { block, row });
    }
  }
  return [...last.values()];
}

/** Copies of rows, all at one time. */
function blockOf(placed: readonly PlacedRow[], time: number): TapeBlock {
  const levels = placed.map(({ block, row }) => block.bids[row]! + block.asks[row]!);
  const rows = placed.length;
  const total = levels.reduce((sum, count) => sum + count, 0);
  const block: TapeBlock = {
    rows,
    at: new Float64Array(shared(rows, 8)).fill(time),
    kind: new Uint8Array(shared(rows, 1)),
    market: new Uint16Array(shared(rows, 2)),
    first: new Int32Array(shared(rows, 4)),
    bids: new Uint8Array(shared(rows, 1)),
    asks: new Uint8Array(shared(rows, 1)),
    word: new Uint8Array(shared(rows, 1)),
    line: new Int32Array(shared(rows, 4)),
    prices: new Int32Array(shared(total, 4)),
    shares: new Float64Array(shared(total, 8)),
  };
  let level = 0;
  placed.forEach((from, place) => {
    copyRow(from, block, place, level);
    level += levels[place]!;
  });
  return block;
}

const COPIED = ['kind', 'market', 'bids', 'asks', 'word', 'line'] as const;

function copyRow({ block, row }: PlacedRow, to: TapeBlock, place: number, level: number): void {
  for (const column of COPIED) to[column][place] = block[column][row]!;
  to.first[place] = level;
  const first = block.first[row]!;
  const end = first + block.bids[row]! + block.asks[row]!;
  to.prices.set(block.prices.subarray(first, end), level);
  to.shares.set(block.shares.subarray(first, end), level);
}

const shared = (length: number, bytes: number): SharedArrayBuffer => new SharedArrayBuffer(length * bytes);
