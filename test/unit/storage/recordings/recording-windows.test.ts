import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../../src/storage/recordings/blocks.js';
import {
  BlockBudget,
  openRecording,
  openShared,
  type RecordingSource,
  recordingWindows,
  ROW,
  statusOf,
} from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

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
          ? statusOf(block, row).status
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

describe('a window of a recording that tells each order', () => {
  const HEAD = 'seq,t_ns,action,order_id,side,price,size';
  const ORDERS = [
    '0,1000000,A,1,S,5000,5',
    '1,2000000,A,2,S,5000,4',
    '2,2000000,A,3,B,4990,7',
    '3,2500000,A,4,B,4980,2',
    '4,3000000,C,2,S,5000,1',
    '5,3000000,E,1,S,5000,3',
    '6,3500000,D,4,B,4980,2',
    '7,4000000,A,5,S,5010,6',
    '8,4500000,D,2,S,5000,3',
  ];

  async function orders(kept: number): Promise<RecordingSource> {
    const file = join(scratchFolder(), 'orders.csv');
    writeFileSync(file, [HEAD, ...ORDERS].join('\n'));
    return openRecording(file, { budget: new BlockBudget(kept) });
  }

  /** Shares that stand at each price at the end. */
  async function standing(
    source: RecordingSource | null | undefined,
  ): Promise<Readonly<Record<string, number>>> {
    const levels: Record<string, number> = {};
    for await (const block of source!.blocks())
      for (let row = 0; row < block.rows; row++) {
        if (block.kind[row] !== ROW.order) continue;
        const first = block.first[row]!;
        const key = `${block.bids[row] === 1 ? 'bid' : 'ask'} ${block.prices[first]}`;
        const change = changeOf(block.word[row]!);
        const before = change === 'restate' ? 0 : (levels[key] ?? 0);
        levels[key] = before + (change === 'leave' ? -1 : 1) * block.shares[first]!;
      }
    return Object.fromEntries(Object.entries(levels).filter(([, shares]) => shares > 0));
  }

  it.each([
    ['kept', 1e9],
    ['too large to be kept', 0],
  ])('begins with what stood at every price, when it is %s', async (_, kept) => {
    const whole = await orders(kept);
    const spans = [
      { from: 0, to: 3_100 },
      { from: 3_100, to: 5_000 },
      { from: 9_000, to: 9_001 },
    ];
    const [first, second, behind] = await recordingWindows(whole, spans);
    expect(await standing(first)).toEqual({ 'ask 5000': 500, 'bid 4990': 700, 'bid 4980': 200 });
    expect(second!.rows).toBe(4 + 3);
    expect(await standing(second)).toEqual(await standing(whole));
    expect(await standing(behind)).toEqual({ 'ask 5000': 200, 'ask 5010': 600, 'bid 4990': 700 });
  });
});
