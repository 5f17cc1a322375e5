/** Tapes of our own with something wrong, through the commands that read them. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { calibrateRecordings } from '../../../src/cli/commands/calibrate.js';
import { cutToPart, exportTables, mergeIntoOne, verifyTape } from '../../../src/cli/commands/tape.js';
import { EXIT } from '../../../src/domain/errors.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';
import { edit, HEAD, openTape, second } from '../../support/tape/tape.js';
import {
  backtest,
  BOOKS,
  expectRefusal,
  fileOf,
  flipped,
  packed,
  ran,
} from '../../support/screen/told-command.js';

function emptied(folder: string): void {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
}

describe('an own tape', () => {
  let good = '';
  beforeAll(async () => {
    good = mkdtempSync(join(tmpdir(), 'bad-recordings-'));
    const tape = openTape(join(good, 'tape'), { segmentBytes: 2_000 });
    tape.record({ ...HEAD, purpose: 'import' });
    for (let at = 0; at < 60; at++) {
      const line = {
        kind: 'book',
        at: second(at),
        eventId: '300',
        marketId: '3001',
        bids: { prices: [5_000 - (at % 3) * 100], shares: [1_000] },
        asks: { prices: [6_000], shares: [1_000] },
      } as const;
      tape.record({ kind: 'recorded', line: line as never }, second(at));
      await new Promise(setImmediate);
    }
    await tape.close();
    return () => rmSync(good, { recursive: true, force: true });
  });

  /** A copy of the good one, with something done to it. */
  function damaged(damage: (folder: string, segment: (number: number) => string) => void): string {
    const folder = join(scratchFolder(), 'tape');
    cpSync(join(good, 'tape'), folder, { recursive: true });
    damage(folder, (number) => join(folder, `${String(number).padStart(6, '0')}.ndjson.gz`));
    return folder;
  }

  it('is traded on when nothing is wrong', async () => {
    expect((await backtest([join(good, 'tape')])).code).toBe(EXIT.clean);
    expect((await ran(() => verifyTape(join(good, 'tape'), { json: false }))).code).toBe(EXIT.clean);
  });

  it.each<[string, (folder: string, segment: (number: number) => string) => void, RegExp]>([
    [
      'with an altered line',
      (_, of) =>
        edit(of(1), (lines) =>
          lines.map((line, at) =>
            at === 4 ? line.replace('5000', '5100').replace('4900', '5100').replace('4800', '5100') : line,
          ),
        ),
      /000001\.ndjson\.gz:5 \(byte \d+\): the line was altered: its sum does not fit/,
    ],
    [
      'with a missing line',
      (_, of) => edit(of(1), (lines) => lines.toSpliced(4, 1)),
      /:5 \(byte \d+\): lines 5 to 5 are missing before it/,
    ],
    [
      'with a doubled line',
      (_, of) => edit(of(1), (lines) => lines.toSpliced(4, 0, lines[4]!)),
      /:6 \(byte \d+\): line 5 is here again or out of order/,
    ],
    [
      'with lines that changed places',
      (_, of) => edit(of(1), (lines) => lines.with(4, lines[5]!).with(5, lines[4]!)),
      /:5 \(byte \d+\): lines 5 to 5 are missing/,
    ],
    ['with a file missing', (_, of) => rmSync(of(2)), /000003\.ndjson\.gz: 000002\.ndjson\.gz is missing/],
    [
      'with a file twice',
      (_, of) => cpSync(of(2), of(3)),
      /000003\.ndjson\.gz:1 .*this is file 2 of a tape, expected file 3/,
    ],
    [
      'with a file cut off in the middle',
      (_, of) => truncateSync(of(2), 120),
      /000003\.ndjson\.gz:1 .*000002\.ndjson\.gz before it was cut off|does not continue the one before/,
    ],
    [
      'damaged in its packing',
      (_, of) => writeFileSync(of(2), flipped(readFileSync(of(2)))),
      /000002\.ndjson\.gz.*(the packed data are damaged|no line of a tape|altered)/,
    ],
    [
      'of a future version',
      (_, of) => edit(of(1), (lines) => lines.with(0, lines[0]!.replace('"version":4', '"version":9'))),
      /the tape is of version 9; this program reads version 4/,
    ],
    [
      'mixed up with a neutral recording',
      (_, of) => writeFileSync(of(2), packed(BOOKS)),
      /000002\.ndjson\.gz:1 .*this is a recording in the neutral form; make it a tape with: oddsmith tape import/,
    ],
    [
      'that is empty',
      (folder, of) => {
        emptied(folder);
        writeFileSync(of(1), '');
      },
      /tape is empty/,
    ],
    ['that is an empty folder', emptied, /holds no tape/],
  ])('%s is refused by a backtest and found by a look at it', async (_, damage, text) => {
    const folder = damaged(damage);
    expectRefusal(await backtest([folder]), text);
    const verified = await ran(() => verifyTape(folder, { json: false }));
    expect(verified.text).toMatch(text);
    expect(verified.code).not.toBe(EXIT.clean);
  });

  it('that was cut off at its end is read up to there, and says so', async () => {
    const folder = damaged(() => undefined);
    const last = join(folder, readdirSync(folder).toSorted().at(-1)!);
    truncateSync(last, readFileSync(last).length - 40);
    const { code, text } = await backtest([folder]);
    expect(code).toBe(EXIT.clean);
    expect(text).toMatch(/it lacks its end; \d+ bytes of a torn line are left out/);
  });

  it('that was cut off at its end says so whatever is made of it', async () => {
    const folder = damaged(() => undefined);
    const last = join(folder, readdirSync(folder).toSorted().at(-1)!);
    truncateSync(last, readFileSync(last).length - 40);
    const out = scratchFolder();
    const commands = [
      () => cutToPart(folder, { out: join(out, 'cut'), market: [] }),
      () => mergeIntoOne([folder], { out: join(out, 'merged') }),
      () => exportTables(folder, { out: join(out, 'tables') }),
      () => calibrateRecordings([folder], { distances: 4 }),
    ];
    for (const command of commands) {
      const { code, text } = await ran(command);
      expect(code).toBe(EXIT.clean);
      expect(text).toMatch(/it lacks its end; \d+ bytes of a torn line are left out/);
    }
  });

  it('is merged with others, not with itself', async () => {
    const tape = join(good, 'tape');
    const out = join(scratchFolder(), 'merged');
    const merged = () => mergeIntoOne([tape, join(tape, '..', 'tape')], { out });
    expectRefusal(await ran(merged), /tape is named twice; expected each tape once$/);
    expect(existsSync(out)).toBe(false);
  });

  it('of markets that nobody configured is refused', async () => {
    const set = ['events.0.markets.0.id=3002', 'instances.0.markets=[3002]'];
    expectRefusal(await backtest([join(good, 'tape')], ...set), /market 3001 is not among the markets/);
  });

  it('is not cut to a market that it does not tell of', async () => {
    const out = join(scratchFolder(), 'cut');
    const cut = (market: number) => ran(() => cutToPart(join(good, 'tape'), { out, market: [market] }));
    expectRefusal(await cut(3002), /^nothing of the tape lies in that part$/);
    const both = await ran(() => cutToPart(join(good, 'tape'), { out, market: [3001, 3002] }));
    expectRefusal(both, /^market 3002 is not in that part of the tape$/);
    expect(existsSync(out)).toBe(false);
    expect((await cut(3001)).code).toBe(EXIT.clean);
  });

  it('below a file is refused with its path', async () => {
    const path = join(fileOf('x'), 'tape');
    const cut = () => cutToPart(path, { out: join(scratchFolder(), 'cut'), market: [] });
    expectRefusal(await ran(cut), /recording\.ndjson\.gz\/tape: cannot be read \(ENOTDIR\)$/);
  });
});
