import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BlockBudget,
  openRecording,
  openShared,
  type RecordingSource,
  recordingWindows,
  ROW,
  statusOf,
} from '../../../src/tape/index.js';
import { scratchFolder } from '../../support/scratch-folder.js';

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

/** @param lines of the file @param kept bytes of decoded blocks that may be held */
async function recorded(kept: number, lines: readonly object[] = LINES): Promise<RecordingSource> {
  const file = join(scratchFolder(), 'one.ndjson');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return openRecording(file, { budget: new BlockBudget(kept) });
}

/** Time, market and best bid of every book; other rows by what they are. */
async function rowsOf(source: RecordingSource | null | undefined): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const block of source!.blocks())
    for (let row = 0; row < block.rows; row++) {
      const market = source!.markets[block.market[row]!]!.marketId;
      const price = block.prices[block.first[row]!];
      const what =
        block.kind[row] === ROW.status
          ? statusOf(block.word[row]!).status
          : `${block.kind[row] === ROW.book ? 'book' : 'trade'} ${price}`;
      rows.push(`${block.at[row]! / MICROS} ${market} ${what}`);
    }
  return rows;
}

const millis = (from: number, to: number) => ({ from: from * MICROS, to: to * MICROS });

describe.each([
  ['that is kept', 1e9],
  ['that is too large to be kept', 0],
])('a window of a recording %s', (_, kept) => {
  it('begins with what was known, and ends before its end', async () => {
    const [window] = await recordingWindows(await recorded(kept), [millis(2_000, 3_000)]);
    expect(await rowsOf(window)).toEqual([
      '2000 11 open',
      '2000 11 book 4000',
      '2000 12 book 2000',
      '2000 11 trade 5000',
      '2000 11 book 4100',
    ]);
    expect(window).toMatchObject({ rows: 5, firstAt: 2_000 * MICROS, lastAt: 2_000 * MICROS });
  });

  it('has what was known alone where nothing happened', async () => {
    const [window, behind] = await recordingWindows(await recorded(kept), [
      millis(2_500, 2_600),
      millis(5_000, 6_000),
    ]);
    expect(await rowsOf(window)).toEqual(['2500 11 open', '2500 12 book 2000', '2500 11 book 4100']);
    expect(await rowsOf(behind)).toEqual(['5000 11 open', '5000 12 book 2000', '5000 11 book 4200']);
  });

  it('is the whole recording when it spans all of it, and nothing before it', async () => {
    const whole = await recorded(kept);
    const [nothing, all] = await recordingWindows(whole, [millis(0, 500), millis(500, 10_000)]);
    expect(nothing).toBeNull();
    expect(await rowsOf(all)).toEqual(await rowsOf(whole));
  });

  it('is the same for whoever it is sent to', async () => {
    const [window] = await recordingWindows(await recorded(kept), [millis(2_000, 3_000)]);
    const { shared } = window!;
    expect(shared.kept === null).toBe(kept === 0);
    const sent = openShared(structuredClone(shared));
    expect(sent.rows).toBe(5);
    expect(await rowsOf(sent)).toEqual(await rowsOf(window));
  });
});

describe('windows of a recording of many blocks', () => {
  it('follow each other without a gap, each from what was known, kept or not', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => book(1_000 + n, 11 + (n % 7), 0.4, 0.5));
    const spans = [millis(1_000, 3_500), millis(3_500, 9_000), millis(9_000, 12_000)];
    const rows = async (kept: number) => {
      const windows = await recordingWindows(await recorded(kept, lines), spans);
      return Promise.all(windows.map(rowsOf));
    };
    const kept = await rows(1e9);
    expect(kept.map(({ length }) => length)).toEqual([2_500, 5_507, 2_007]);
    expect(kept[2]!.slice(0, 7).every((row) => row.startsWith('9000 '))).toBe(true);
    expect(await rows(0)).toEqual(kept);
  });
});
