/** Recordings in the neutral form with something wrong, through the commands that read them. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { calibrateRecordings } from '../../../src/cli/commands/calibrate.js';
import { importRecordings, verifyTape } from '../../../src/cli/commands/tape.js';
import { EXIT } from '../../../src/domain/errors.js';
import { BEGIN, linesOfMarket, recordingOf } from '../../support/tape/neutral-lines.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import {
  backtest,
  BOOKS,
  expectRefusal,
  fileOf,
  flipped,
  packed,
  ran,
} from '../../support/screen/told-command.js';

const { book, trade, status, resolved } = linesOfMarket(3001);
const moved = (line: string, t: number): string => line.replace(/"t":\d+/, `"t":${t}`);

describe('a recording in the neutral form', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'cut off in its packing',
      () => fileOf(packed(BOOKS).subarray(0, 90)),
      /\d+: behind this line the gzip data .*\(at byte \d+\)$|gz: the gzip data are cut off/,
    ],
    [
      'cut off in a line',
      () => fileOf(BOOKS.join('\n').slice(0, -20)),
      /gz:60: expected one JSON object \(at byte \d+\)/,
    ],
    [
      'damaged in its packing',
      () => fileOf(flipped(packed(BOOKS))),
      /the gzip data are cut off or damaged; fetch the file again/,
    ],
    [
      'with another file behind it',
      () => fileOf(Buffer.concat([packed(BOOKS), Buffer.from('x')])),
      /gz:60: behind this line the gzip data are .*\(at byte \d+\)/,
    ],
    [
      'with a corrupted line',
      () => recordingOf(BOOKS.with(7, BOOKS[7]!.replace('0.', '0.x'))),
      /:8: expected one JSON object \(at byte \d+\)/,
    ],
    [
      'with a corrupted number',
      () => recordingOf(BOOKS.with(7, BOOKS[7]!.replace('[0.6,', '[1.6,'))),
      /:8: ask: expected a price inside \(0, 1\).*\(at byte \d+\)/,
    ],
    [
      'with lines that changed places',
      () => recordingOf([...BOOKS.slice(0, 9), BOOKS[10]!, BOOKS[9]!]),
      /:11: its time is before that of the line above \(at byte \d+\)/,
    ],
    [
      'with a stretch that stands there twice',
      () => recordingOf([...BOOKS, ...BOOKS.slice(40)]),
      /:61: its time is before .*\(at byte \d+\)/,
    ],
    [
      'with a time in microseconds',
      () => recordingOf([...BOOKS, moved(BOOKS[59]!, BEGIN * 1_000)]),
      /:61: t: expected Unix milliseconds before the year 2100/,
    ],
    [
      'with a time years later',
      () => recordingOf([...BOOKS, moved(BOOKS[59]!, BEGIN + 1e11)]),
      /:61: its time is more than a year after .*\(at byte \d+\)/,
    ],
    [
      'with a crossed book',
      () => recordingOf([...BOOKS, book(9_000, [[0.6, 1]], [[0.6, 1]])]),
      /:61: ask: expected a best ask above the best bid of 0.6/,
    ],
    [
      'that resolves to nothing',
      () => recordingOf([...BOOKS, resolved(9_000, null as never)]),
      /:61: resolution: expected long, short or void/,
    ],
    [
      'with a market of another recording',
      () => recordingOf([...BOOKS, linesOfMarket(3002).book(9_000, [], [])]),
      /:61: market 3002 is not among the markets of the configuration \(3001\); with backtest\.markets: recorded /,
    ],
    [
      'with its market under another event',
      () => recordingOf([...BOOKS, linesOfMarket(3001, 301).book(9_000, [], [])]),
      /:61: market 3001 belonged to another event/,
    ],
    [
      'under another event than the configuration has',
      () => recordingOf([linesOfMarket(3001, 301).book(0, [], [])]),
      /:1: market 3001 belongs to event 301 here and to event 300/,
    ],
    [
      'mixed up with one order by order',
      () => recordingOf([...BOOKS, '0,1000,A,1,S,5000,5']),
      /:61: expected one JSON object \(at byte \d+\)/,
    ],
    [
      'with trades alone',
      () => recordingOf([trade(0, 0.5, 1, 'bid')]),
      /recording\.ndjson: the recording shows no book/,
    ],
    ['that is empty', () => fileOf(''), /gz: the recording is empty/],
    ['that is packed emptiness', () => fileOf(packed([''])), /gz: the recording is empty/],
    [
      'in another encoding',
      () => fileOf(Buffer.from(BOOKS.join('\n'), 'utf16le')),
      /:1: expected one JSON object \(at byte 0\)/,
    ],
    [
      'that is not there',
      () => join(scratchFolder(), 'nowhere'),
      /recordings\[0\]: there is no .*nowhere; a path starts from the folder of the configuration/,
    ],
  ])('%s is refused with its place', async (_, file, text) => {
    expectRefusal(await backtest([file()]), text);
  });

  it('off the grid that the configuration states is refused with its place; without that word its grid is taken', async () => {
    const file = recordingOf([...BOOKS, book(9_000, [[0.555, 1]], [])]);
    expectRefusal(
      await backtest([file], 'events.0.markets.0.tickSize=0.01'),
      /:61: the price 0.555 does not lie on the market's grid of 0.01$/,
    );
    expect((await backtest([file], 'events.0.markets.0.tickSize=0.005')).code).toBe(EXIT.clean);
    expect((await backtest([file])).code).toBe(EXIT.clean);
  });

  it('is refused beside another one of its market at the same time, not behind it', async () => {
    const [one, again] = [recordingOf(BOOKS), recordingOf(BOOKS.slice(30), 'again.ndjson')];
    expectRefusal(
      await backtest([one, again]),
      /again\.ndjson:1: market 3001 is also in .*recording\.ndjson at the same time; expected one recording/,
    );
    const [begun, touching] = [
      recordingOf(BOOKS.slice(0, 31)),
      recordingOf(BOOKS.slice(30), 'touching.ndjson'),
    ];
    expectRefusal(await backtest([begun, touching]), /touching\.ndjson:1: market 3001 is also in/);
    const [first, later] = [recordingOf(BOOKS.slice(0, 30)), recordingOf(BOOKS.slice(30), 'later.ndjson')];
    expect((await backtest([first, later])).code).toBe(EXIT.clean);
  });

  it('says what it makes of what may be right', async () => {
    const strange = [
      ...BOOKS,
      trade(9_000, 0.5, 1, 'ask'),
      trade(9_000, 0.5, 1, 'ask'),
      resolved(9_100, 'long'),
    ];
    const { code, text } = await backtest([
      recordingOf([...strange, book(9_200, [], []), status(9_300, 'open')]),
    ]);
    expect(code).toBe(EXIT.clean);
    expect(text).toMatch(/1 trades equal the line before; each counts as a trade/);
    expect(text).toMatch(/2 lines come after the resolution of their market, where nothing trades/);
    const bookFirst = [...BOOKS, book(9_000, [[0.5, 1]], [[0.7, 1]]), trade(9_000, 0.5, 1, 'ask')];
    expect((await backtest([recordingOf(bookFirst)])).text).toMatch(
      /1 trades come after the book of their time; the book counts as earlier/,
    );
    const twoMoments = [...bookFirst, book(9_000, [], [[0.7, 1]])];
    expect((await backtest([recordingOf(twoMoments)])).text).not.toContain('come after the book');
    const moment = [trade(9_000, 0.5, 1, 'ask'), book(9_000, [[0.5, 1]], [[0.7, 1]])];
    expect((await backtest([recordingOf([...BOOKS, ...moment, ...moment])])).text).toMatch(
      /recording\.ndjson: 1 trades appear again at their time, as if two recordings had been merged; .* their volume counts twice/,
    );
    const seconds = BOOKS.map((line, at) => moved(line, BEGIN / 1_000 + at));
    expect((await backtest([recordingOf(seconds)])).text).toMatch(
      /before the year 2000: they are read as Unix/,
    );
  });

  it.each<[string, () => string, RegExp]>([
    [
      'with a damaged count of shares',
      () => recordingOf(BOOKS.with(7, BOOKS[7]!.replace(',10]', ',1e30]'))),
      /:8: bid: expected a positive share count in steps of 0.01, at most a billion, found 1e\+30 \(at byte \d+\)$/,
    ],
    [
      'with a trade of more shares than there are',
      () => recordingOf([...BOOKS, trade(9_000, 0.5, 1e30, 'bid')]),
      /:61: shares: expected a positive share count .*, found 1e\+30 \(at byte \d+\)$/,
    ],
    [
      'that contradicts its resolution',
      () => recordingOf([...BOOKS, resolved(9_000, 'long'), resolved(9_000, 'short')]),
      /:62: resolution: expected long, as which market 3001 was resolved before, found short \(at byte \d+\)$/,
    ],
    [
      'with its market under another event',
      () => recordingOf([...BOOKS, linesOfMarket(3001, 301).book(9_000, [], [])]),
      /:61: market 3001 belonged to another event before \(at byte \d+\)$/,
    ],
    [
      'packed twice',
      () => fileOf(gzipSync(packed(BOOKS))),
      /:1: expected one JSON object, found packed data: the file was packed twice \(at byte 0\)$/,
    ],
    [
      'with a byte order mark',
      () => fileOf(`\uFEFF${BOOKS.join('\n')}`),
      /:1: expected one JSON object, found a byte order mark before it \(at byte 0\)$/,
    ],
    [
      'with a line without an end',
      () => fileOf(packed([...BOOKS, 'x'.repeat(40 * 1_048_576)])),
      /:61: expected a line of at most 16 MiB \(at byte \d+\)$/,
    ],
    [
      'cut off in its packing',
      () => fileOf(packed(BOOKS).subarray(0, -20)),
      /:\d+: behind this line .* \(at byte \d+\)$/,
    ],
    [
      'with a corrupted line',
      () => recordingOf(BOOKS.with(7, BOOKS[6]!.replace('0.', '0.x'))),
      /:8: expected one JSON object \(at byte \d+\)$/,
    ],
  ])('%s is refused by a backtest and by an import, with line and byte', async (_, file, text) => {
    const path = file();
    expectRefusal(await backtest([path]), text);
    const out = join(scratchFolder(), 'tape');
    expectRefusal(await ran(() => importRecordings([path], { out })), text);
    expect(existsSync(out)).toBe(false);
  });

  it('with more levels than fit is refused with their number', async () => {
    const levels = Array.from({ length: 300 }, (_, at) => [(5_000 - at) / 10_000, 1] as [number, number]);
    expectRefusal(
      await backtest([recordingOf([...BOOKS, book(9_000, levels, [])])]),
      /:61: expected at most 255 levels a side, found 300 \(at byte \d+\)$/,
    );
  });

  it('that is a pipe is refused, not waited for', async () => {
    const pipe = join(scratchFolder(), 'recording.ndjson.gz');
    execFileSync('mkfifo', [pipe]);
    const text = /recording\.ndjson\.gz.*: is a pipe or a device; expected a file$/m;
    expectRefusal(await backtest([pipe]), text);
    expectRefusal(await ran(() => importRecordings([pipe], { out: join(scratchFolder(), 'tape') })), text);
    expectRefusal(await ran(() => calibrateRecordings([pipe], { distances: 4 })), text);
    expect((await ran(() => verifyTape(pipe, { json: false }))).text).toMatch(text);
  });

  it('that is a folder is refused by an import', async () => {
    const told = await ran(() => importRecordings([scratchFolder()], { out: join(scratchFolder(), 'tape') }));
    expectRefusal(told, /is a folder; expected a file$/);
  });

  it('says what it makes of its times in an import and a calibration, too', async () => {
    const file = recordingOf(BOOKS.map((line, at) => moved(line, BEGIN / 1_000 + at)));
    const note = /recording\.ndjson: its times lie before the year 2000: they are read as Unix milliseconds/;
    const imported = await ran(() => importRecordings([file], { out: join(scratchFolder(), 'tape') }));
    expect(imported.text).toMatch(note);
    expect((await ran(() => calibrateRecordings([file], { distances: 5 }))).text).toMatch(note);
  });
});
