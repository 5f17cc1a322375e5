import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordingWindow } from '../../../../src/backtest/index.js';
import {
  openRecording,
  type RecordingSource,
  ROW,
  statusOf,
  type TapeBlock,
} from '../../../../src/tape/index.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const MICROS = 1_000;
const book = (t: number, market: number, bid: number, ask: number) => ({
  t,
  type: 'book',
  event: 1,
  market,
  bid: [[bid, 10]],
  ask: [[ask, 20]],
});
const LINES = [
  { t: 1_000, type: 'status', event: 1, market: 11, status: 'open', resolution: null },
  book(1_000, 11, 0.4, 0.5),
  book(1_500, 12, 0.2, 0.3),
  { t: 2_000, type: 'trade', event: 1, market: 11, price: 0.5, shares: 3, taker_side: 'bid' },
  book(2_000, 11, 0.41, 0.51),
  book(3_000, 11, 0.42, 0.52),
];

async function recorded(): Promise<RecordingSource> {
  const file = join(scratchFolder(), 'one.ndjson');
  writeFileSync(file, LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return openRecording(file);
}

/** Time, market and best bid of every book; other rows by what they are. */
function rowsOf(source: RecordingSource): readonly string[] {
  const rows: string[] = [];
  for (const block of source.blocks() as Iterable<TapeBlock>)
    for (let row = 0; row < block.rows; row++) {
      const market = source.markets[block.market[row]!]!.marketId;
      const price = block.prices[block.first[row]!];
      const what =
        block.kind[row] === ROW.status
          ? statusOf(block.word[row]!).status
          : `${block.kind[row] === ROW.book ? 'book' : 'trade'} ${price}`;
      rows.push(`${block.at[row]! / MICROS} ${market} ${what}`);
    }
  return rows;
}

describe('a window of a recording', () => {
  it('begins with what was known, and ends before its end', async () => {
    const window = recordingWindow(await recorded(), 2_000 * MICROS, 3_000 * MICROS)!;
    expect(rowsOf(window)).toEqual([
      '2000 11 open',
      '2000 11 book 4000',
      '2000 12 book 2000',
      '2000 11 trade 5000',
      '2000 11 book 4100',
    ]);
    expect(window).toMatchObject({ rows: 5, firstAt: 2_000 * MICROS, lastAt: 2_000 * MICROS });
  });

  it('has what was known alone where nothing happened', async () => {
    const window = recordingWindow(await recorded(), 2_500 * MICROS, 2_600 * MICROS)!;
    expect(rowsOf(window)).toEqual(['2500 11 open', '2500 12 book 2000', '2500 11 book 4100']);
  });

  it('is the whole recording when it spans all of it, and nothing before it', async () => {
    const whole = await recorded();
    expect(rowsOf(recordingWindow(whole, 0, 10_000 * MICROS)!)).toEqual(rowsOf(whole));
    expect(recordingWindow(whole, 0, 500 * MICROS)).toBeNull();
  });
});
