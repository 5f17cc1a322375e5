/** Decoded blocks as the lines they were read from. */
import type { RecordedLine } from '../../../src/domain/recorded.js';
import { ROW, statusOf, takerOf, type TapeBlock } from '../../../src/storage/index.js';
import type { TapeMarket } from '../../../src/storage/recordings/tape-block.js';

export const linesOf = (block: TapeBlock, markets: readonly TapeMarket[]): readonly RecordedLine[] =>
  Array.from({ length: block.rows }, (_, row) => lineOf(block, row, markets));

function lineOf(block: TapeBlock, row: number, markets: readonly TapeMarket[]): RecordedLine {
  const head = { at: block.at[row]!, ...markets[block.market[row]!]! };
  const from = block.first[row]!;
  const word = block.word[row]!;
  const line = {
    [ROW.book]: () => ({ kind: 'book', ...sides(block, row, from) }),
    [ROW.trade]: () => ({
      kind: 'trade',
      price: block.prices[from],
      shares: block.shares[from],
      takerSide: takerOf(word),
    }),
    [ROW.status]: () => ({ kind: 'status', ...statusOf(word) }),
  }[block.kind[row] as 0 | 1 | 2]();
  return { ...head, ...line } as RecordedLine;
}

function sides(block: TapeBlock, row: number, from: number) {
  const between = from + block.bids[row]!;
  const to = between + block.asks[row]!;
  const levels = (start: number, end: number) => ({
    prices: [...block.prices.subarray(start, end)],
    shares: [...block.shares.subarray(start, end)],
  });
  return { bids: levels(from, between), asks: levels(between, to) };
}
