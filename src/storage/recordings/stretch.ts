/** A stretch of time of decoded blocks. */
import type { TapeBlock } from './tape-block.js';

/** Microseconds; `to` is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A span with what was known when it began. */
export interface Stretch extends Span {
  /** Rows at `from`; null when nothing was known. */
  readonly known: TapeBlock | null;
}

/** The first row that is not before a time. */
export function rowAt({ at, rows }: TapeBlock, time: number): number {
  let [low, high] = [0, rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of a block within a span, not copied; maybe none. */
export function partOf(block: TapeBlock, span: Span): TapeBlock {
  const [from, to] = [rowAt(block, span.from), rowAt(block, span.to)];
  return {
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
  };
}

/** The blocks of a stretch, from those of the whole recording, which are not read beyond its end. */
export async function* blocksOf(
  { from, to, known }: Stretch,
  blocks: AsyncIterable<TapeBlock>,
): AsyncGenerator<TapeBlock> {
  if (known !== null) yield known;
  for await (const block of blocks) {
    const part = partOf(block, { from, to });
    if (part.rows > 0) yield part;
    if (rowAt(block, to) < block.rows) return;
  }
}
