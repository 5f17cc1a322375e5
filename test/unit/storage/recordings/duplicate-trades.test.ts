/** Recordings of real markets, where there are any, and the one that ships with the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../support/project/small-house.js';
import { marketId } from '../../../../src/domain/ids.js';
import { NeutralDecoder } from '../../../../src/storage/recordings/neutral.js';
import { Survey } from '../../../../src/storage/recordings/survey.js';
import { openRecording } from '../../../../src/storage/index.js';
import { linesOfMarket, recordingOf } from '../../../support/tape/neutral-lines.js';

const DATA = process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data');
const FOLDERS = ['kalshi-gold15m', 'betfair-tick001', 'polymarket-parallax'].map((name) => join(DATA, name));

/** Paths of files in the neutral form; the one that ships is the first, and the only one where there is no market data. */
const MARKET_FILES: readonly string[] = [join(ROOT, 'config', 'recordings'), ...FOLDERS].flatMap((folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.ndjson.gz'))
        .map((name) => join(folder, name))
    : [],
);

/** What becomes of the lines of one time. */
type MomentsInto = (lines: readonly string[]) => readonly string[];

/** @returns all lines of a recording, those of each time changed */
function momentsOf(file: string, into: MomentsInto): readonly string[] {
  const moments = new Map<string, string[]>();
  for (const line of gunzipSync(readFileSync(file)).toString().trim().split('\n')) {
    const time = /"t":(\d+)/.exec(line)![1]!;
    if (!moments.has(time)) moments.set(time, []);
    moments.get(time)!.push(line);
  }
  return [...moments.values()].flatMap(into);
}

const { book, trade } = linesOfMarket(3001);
const other = linesOfMarket(3002);
const BOOK = book(5, [[0.5, 10]], [[0.6, 10]]);
const NEXT = book(9, [[0.5, 9]], [[0.6, 10]]);
const [A, B, C] = [trade(5, 0.5, 1, 'ask'), trade(5, 0.5, 2, 'ask'), trade(5, 0.5, 3, 'ask')];
const [A9, B9] = [trade(9, 0.5, 1, 'ask'), trade(9, 0.5, 2, 'ask')];

/** How often trades count as told again at their time, and as repeating the line before. */
async function counted(lines: readonly string[], name?: string): Promise<readonly [number, number]> {
  const notes = (await openRecording(recordingOf(lines, name))).notes.join('\n');
  const count = (text: RegExp): number => Number(text.exec(notes)?.[1] ?? 0);
  return [count(/(\d+) trades appear again at their time/), count(/(\d+) trades equal the line before/)];
}

describe('trades that are told again at their time', () => {
  it.each<[string, readonly string[], readonly [number, number]]>([
    ['a moment that stands there twice', [A, BOOK, A, BOOK], [1, 0]],
    ['one of several trades', [A, B, A, BOOK, A, B, A, BOOK], [3, 0]],
    ['one that stands there three times', [A, BOOK, A, BOOK, A, BOOK], [2, 0]],
    ['one whose second telling has no book', [A, B, BOOK, A, B], [2, 0]],
    ['two tellings that have one trade in common', [A, B, BOOK, B, C, BOOK], [1, 0]],
    ['trades in two lists that are alike, before their books', [A, B, A, B, BOOK, BOOK], [2, 0]],
    ['the same without any book', [A, B, A, B, NEXT], [2, 0]],
    ['the last moment of all', [NEXT, A9, B9, NEXT, A9, B9], [2, 0]],
    ['a repeat within each of two tellings', [A, A, BOOK, A, A, BOOK], [2, 1]],
    [
      'two markets, one line of each at a time',
      [BOOK, other.book(5, [], []), A, other.trade(5, 0.5, 1, 'ask'), A, other.trade(5, 0.5, 1, 'ask')],
      [2, 0],
    ],
  ])('are counted: %s', async (_, lines, expected) => {
    expect(await counted([...lines, ...(lines.includes(NEXT) ? [] : [NEXT])])).toEqual(expected);
  });

  it.each<[string, readonly string[], readonly [number, number]]>([
    ['one that says what the line before says', [A, A, BOOK], [0, 1]],
    ['one that takes from several orders of a size', [A, B, A, BOOK], [0, 0]],
    ['three in a row', [A, A, A, BOOK], [0, 2]],
    ['another one behind the book', [A, BOOK, B, BOOK], [0, 0]],
    ['the same at another time', [A, BOOK, A9, NEXT], [0, 0]],
    ['the same of another market', [A, BOOK, other.trade(5, 0.5, 1, 'ask'), other.book(5, [], [])], [0, 0]],
    ['the same of the other side', [A, BOOK, trade(5, 0.5, 1, 'bid'), BOOK], [0, 0]],
  ])('are not: %s', async (_, lines, expected) => {
    expect(await counted(lines)).toEqual(expected);
  });

  it('are counted wherever a block of rows ends', async () => {
    for (const before of [4_092, 4_093, 4_094, 4_095, 4_096]) {
      const books = Array.from({ length: before }, () => book(1, [[0.5, 10]], [[0.6, 10]]));
      expect(await counted([...books, A, BOOK, A, BOOK])).toEqual([1, 0]);
    }
  });

  it('are counted in a moment without an end', async () => {
    const trades = Array.from({ length: 20_000 }, (_, at) => trade(5, 0.5, 1 + (at % 7), 'ask'));
    const [again] = await counted([...trades, BOOK, ...trades, BOOK]);
    expect(again).toBeGreaterThan(0);
  });

  it('are none where trades are inferred: turnover tells nothing twice', () => {
    const decoder = new NeutralDecoder('recording.ndjson');
    const survey = new Survey(decoder.markets);
    decoder.push(Buffer.from([A, BOOK, A, BOOK].join('\n')));
    decoder.end().forEach((block) => survey.take(block));
    const about = { named: [], notes: [] };
    expect(survey.figures(about).notes).toHaveLength(1);
    expect(survey.figures({ ...about, inferred: [marketId(3001)] }).notes).toEqual([]);
  });
});

/** How two recorders' lines of one moment may come to stand in one file. */
const WAYS: readonly [string, MomentsInto][] = [
  ['one after the other', (lines) => [...lines, ...lines]],
  ['trades first', (lines) => [...lines, ...lines].toSorted((one, two) => rank(one) - rank(two))],
];
const rank = (line: string): number =>
  ['status', 'trade', 'book'].findIndex((type) => line.includes(`"${type}"`));

/** The one that ships, and of each venue with trades one whose trades stand in moments of all kinds. */
const DOUBLED = MARKET_FILES.filter((file) => /rain|greyhounds-win|nba|101900-00/.test(file));

describe('in recordings of markets', () => {
  it.each(MARKET_FILES)('no trade counts as told again: %s', async (file) => {
    expect((await openRecording(file)).notes.join('\n')).not.toContain('appear again');
  });

  it.each(WAYS)('every trade does once each moment is told twice, %s', async (_, into) => {
    for (const file of DOUBLED) {
      const trades = (await openRecording(file)).markets.reduce((sum, market) => sum + market.trades, 0);
      const [again, directly] = await counted(momentsOf(file, into), 'twice.ndjson');
      expect([file, again + directly >= trades]).toEqual([file, true]);
    }
  });
});
