import { appendFileSync, copyFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BlockBudget, openRecording, type RecordingSource } from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

const book = (t: number, market = 2, event = 1): string =>
  `{"t":${t},"type":"book","event":${event},"market":${market},"bid":[[0.52,150]],"ask":[[0.54,1]]}`;
const LINES = Array.from({ length: 3_000 }, (_, index) => book(1_000 + index));

function opened(bytes: Uint8Array | string) {
  const file = join(scratchFolder(), 'x.ndjson.gz');
  writeFileSync(file, bytes);
  return openRecording(file);
}

/** @param onFirst called between the first block and the others @returns how many rows were read */
async function drained(source: RecordingSource, onFirst = (): void => undefined): Promise<number> {
  let rows = 0;
  for await (const block of source.blocks()) {
    if (rows === 0) onFirst();
    rows += block.rows;
  }
  return rows;
}

function copyOf(file: string): string {
  copyFileSync(file, `${file}.copy`);
  return `${file}.copy`;
}

const packed = (...lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);

describe('opening a recording', () => {
  it('counts what is in it', async () => {
    const source = await opened(packed(...LINES));
    expect(source).toMatchObject({ rows: 3_000, books: 3_000, firstAt: 1_000_000, lastAt: 3_999_000 });
    expect(source.markets).toMatchObject([
      { eventId: '1', marketId: '2', books: 3_000, depth: 1, tickUnits: 100 },
    ]);
  });

  it('counts a trade that repeats the line before, wherever a block of rows ends', async () => {
    const trade = `{"t":9000,"type":"trade","event":1,"market":2,"price":0.53,"shares":1,"taker_side":"bid"}`;
    for (const before of [4_094, 4_095, 4_096]) {
      const books = Array.from({ length: before }, (_, index) => book(1_000 + index));
      const { notes } = await opened(packed(...books, trade, trade, book(9_001)));
      expect(notes.join('\n')).toContain('1 trades equal the line before');
    }
  });

  it('reads what is too large to be kept anew each time, to the same rows', async () => {
    const file = join(scratchFolder(), 'x.ndjson.gz');
    writeFileSync(file, packed(...LINES));
    const [kept, streamed] = [
      await openRecording(file),
      await openRecording(file, { budget: new BlockBudget(0) }),
    ];
    const rows = async (source: typeof kept) => {
      const times: number[] = [];
      for await (const block of source.blocks()) times.push(...block.at);
      return times;
    };
    expect(streamed.shared.kept).toBeNull();
    expect(await rows(streamed)).toEqual(await rows(kept));
    expect(await rows(streamed)).toEqual(await rows(streamed));
  });

  it.each<[string, (file: string) => void]>([
    ['longer', (file) => appendFileSync(file, packed(book(9_000)))],
    ['another of the same length', (file) => renameSync(copyOf(file), file)],
    ['gone', (file) => rmSync(file)],
  ])('refuses what is not kept once its file is %s', async (_, change) => {
    const file = join(scratchFolder(), 'x.ndjson.gz');
    writeFileSync(file, packed(...LINES));
    const source = await openRecording(file, { budget: new BlockBudget(0) });
    change(file);
    await expect(drained(source)).rejects.toThrow(
      /x\.ndjson\.gz: (it changed while it was being read|cannot be read \(ENOENT\)|.*no such file)/,
    );
  });

  it('refuses what changes while it is read again', async () => {
    const file = join(scratchFolder(), 'x.ndjson.gz');
    const many = Array.from({ length: 60_000 }, (_, index) => book(1_000 + index));
    writeFileSync(file, packed(...many));
    const source = await openRecording(file, { budget: new BlockBudget(0) });
    await expect(drained(source, () => utimesSync(file, 1, 1))).rejects.toThrow(/it changed while/);
  });

  it('trades on what is kept whatever becomes of its file', async () => {
    const file = join(scratchFolder(), 'x.ndjson.gz');
    writeFileSync(file, packed(...LINES));
    const source = await openRecording(file);
    rmSync(file);
    expect(await drained(source)).toBe(LINES.length);
  });

  it.each([
    [
      'a file that is cut off',
      packed(...LINES).subarray(0, 2_000),
      /:\d+: behind this line the gzip data are cut off/,
    ],
    ['an empty file', '', /: the recording is empty/],
    ['a file of empty lines', '\n\n', /: the recording is empty/],
    [
      'times that go backwards',
      packed(book(2), book(1)),
      /:2: its time is before that of the line above \(at byte 79\)/,
    ],
    [
      'a corrupted line',
      packed(book(1), book(2).replace('0.52', '0.5x')),
      /:2: expected one JSON object \(at byte 79\)/,
    ],
    [
      'a market under two events',
      packed(book(1), book(2, 2, 9)),
      /:2: market 2 belonged to another event before/,
    ],
  ])('says of %s which line is meant', async (_, bytes, message) => {
    await expect(opened(bytes)).rejects.toThrow(message);
  });
});
