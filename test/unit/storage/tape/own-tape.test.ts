import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { surveyTape, type TapeError, TapeReader, type TapeSurvey } from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { edit, HEAD, linesOf, openTape, second, timerTape } from '../../../support/tape/tape.js';

const first = (dir: string): string => join(dir, '000001.ndjson.gz');
const second2 = (dir: string): string => join(dir, '000002.ndjson.gz');

describe('a tape', () => {
  test('gives back what was recorded, numbered, with both receive times', async () => {
    const dir = scratchFolder();
    await timerTape(dir, 3);
    const lines = await linesOf(dir);
    expect(lines.map(({ kind }) => kind)).toEqual(['segment', 'head', 'input', 'input', 'input', 'close']);
    expect(lines.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(lines[2]).toMatchObject({ at: second(1), seq: 1, input: { kind: 'timer' } });
    expect(lines[3]!.mono).toBeGreaterThan(lines[2]!.mono);
  });

  test('goes on in the next file when one is full, and is one tape', async () => {
    const dir = scratchFolder();
    const tape = openTape(dir, { segmentBytes: 500 });
    for (let seq = 1; seq <= 40; seq++) {
      tape.record({ kind: 'input', seq, input: { kind: 'timer' } }, second(seq));
      await new Promise(setImmediate);
    }
    await tape.close();
    const reader = new TapeReader(dir);
    expect(reader.files.length).toBeGreaterThan(3);
    const survey = await surveyTape(dir);
    expect(survey).toMatchObject({ inputs: 40, oddityCount: 0, ending: { state: 'closed' } });
  });

  test('of a run is found by the folder of the run', async () => {
    const folder = scratchFolder();
    await timerTape(join(folder, 'tape'), 1);
    writeFileSync(join(folder, 'run.json'), '{}');
    expect(await linesOf(folder)).toHaveLength(4);
  });

  test('is private: nobody else may read it', async () => {
    const dir = join(scratchFolder(), 'tape');
    await timerTape(dir, 1);
    const { statSync } = await import('node:fs');
    expect([statSync(dir).mode & 0o777, statSync(first(dir)).mode & 0o777]).toEqual([0o700, 0o600]);
  });
});

describe('a tape that was cut off', () => {
  test('is read up to its last whole line, and says that it is unfinished', async () => {
    const dir = scratchFolder();
    await timerTape(dir, 400);
    truncateSync(first(dir), readFileSync(first(dir)).length - 300);
    const survey = await surveyTape(dir);
    expect(survey.ending.state).toBe('unfinished');
    expect(survey.inputs).toBeGreaterThan(100);
    expect(survey.inputs).toBeLessThan(400);
  });

  test('may be gone on with: the restart and the time without a recorder are marked', async () => {
    const dir = scratchFolder();
    await timerTape(dir, 400);
    truncateSync(first(dir), readFileSync(first(dir)).length - 300);
    const before = new TapeReader(dir, { lastFileOnly: true });
    for await (const batch of before.batches()) void batch;
    const again = openTape(dir, { run: 'run-2' }, { ...before.end, at: second(-7) });
    again.record({ ...HEAD, run: 'run-2' });
    await again.close();
    const survey = await surveyTape(dir);
    expect(survey.heads.map(({ run }) => run)).toEqual(['run-1', 'run-2']);
    expect(survey.gaps).toMatchObject([{ reason: 'restart', lines: null }]);
    expect(survey.gaps[0]!.to - survey.gaps[0]!.from!).toBeGreaterThan(7_000_000);
    expect(survey.ending.state).toBe('closed');
  });

  test('may be cut off before anything was written', async () => {
    const dir = scratchFolder();
    await timerTape(dir, 3);
    writeFileSync(second2(dir), '');
    const reader = new TapeReader(dir, { lastFileOnly: true });
    await expect(reader.batches().next()).rejects.toThrow('the tape is empty');
    expect((await surveyTape(dir)).ending).toMatchObject({ state: 'unfinished', file: second2(dir) });
  });
});

describe('inputs of a tape whose sums fit', () => {
  /**
   * Timers with these numbers and times, gaps between them: what is given of them to a reader that wants them in order, and
   * why no more; and what a survey finds odd.
   */
  async function said(inputs: readonly (readonly [seq: number, at: number] | 'gap')[]) {
    const dir = scratchFolder();
    const tape = openTape(dir);
    tape.record(HEAD);
    tape.record({ kind: 'start', engine: {} as never });
    for (const input of inputs)
      if (input === 'gap') tape.record({ kind: 'gap', reason: 'buffer-full', lines: 1, micros: null });
      else tape.record({ kind: 'input', seq: input[0], input: { kind: 'timer' } }, second(input[1]));
    await tape.close();
    const { oddities } = await surveyTape(dir);
    const given: string[] = [];
    try {
      for await (const batch of new TapeReader(dir, { inputs: 'in order' }).batches())
        given.push(...batch.flatMap(({ line }) => (line.kind === 'input' ? [String(line.seq)] : [])));
    } catch (error) {
      const { problem, place } = error as TapeError;
      return { text: [...given, problem].join(' '), refused: [{ place, text: problem }], oddities };
    }
    return { text: given.join(' '), refused: [], oddities };
  }

  test.each<[string, Parameters<typeof said>[0], string]>([
    [
      'in order',
      [
        [1, 1],
        [2, 2],
        [3, 2],
      ],
      '1 2 3',
    ],
    ['with a gap where some are missing', [[1, 1], 'gap', [5, 2], [6, 3]], '1 5 6'],
    ['with a gap before the first', ['gap', [5, 2]], '5'],
    ['without the first', [[2, 1]], 'input 1 is missing before input 2, and no gap says why'],
    [
      'without one of them',
      [
        [1, 1],
        [3, 2],
      ],
      '1 input 2 is missing before input 3, and no gap says why',
    ],
    [
      'without several',
      [
        [1, 1],
        [5, 2],
      ],
      '1 inputs 2 to 4 are missing before input 5, and no gap says why',
    ],
    [
      'with one behind its successor',
      [
        [1, 1],
        [2, 2],
        [1, 3],
      ],
      '1 2 input 1 is here again or out of order; expected input 3',
    ],
    [
      'with one twice, behind a gap',
      [[1, 1], 'gap', [1, 2]],
      '1 input 1 is here again or out of order; expected input 2',
    ],
    [
      'with a time that goes back',
      [
        [1, 2],
        [2, 1],
      ],
      '1 input 2 is older than the one before it',
    ],
  ])('%s', async (_, inputs, expected) => {
    const { text, refused, oddities } = await said(inputs);
    expect(text).toBe(expected);
    expect(refused).toEqual(oddities.slice(0, 1));
  });
});

describe('a damaged tape is refused with file, line and byte', () => {
  const damaged = async (damage: (lines: string[]) => readonly string[]): Promise<string> => {
    const dir = scratchFolder();
    await timerTape(dir, 20);
    edit(first(dir), damage);
    const told: string[] = [];
    try {
      for await (const batch of new TapeReader(dir).batches()) told.push(`${batch.length} good`);
    } catch (error) {
      told.push((error as Error).message.replace(`${dir}/`, ''));
    }
    return told.join('; ');
  };

  test.each<[string, (lines: string[]) => readonly string[], RegExp]>([
    [
      'an altered line',
      (lines) => lines.map((line, at) => (at === 6 ? line.replace('timer', 'tamer') : line)),
      /^6 good; 000001\.ndjson\.gz:7 \(byte \d+\): the line was altered: its sum does not fit$/,
    ],
    [
      'a missing line',
      (lines) => lines.toSpliced(6, 1),
      /^6 good; 000001\.ndjson\.gz:7 \(byte \d+\): lines 7 to 7 are missing before it$/,
    ],
    [
      'a doubled line',
      (lines) => lines.toSpliced(6, 0, lines[5]!),
      /^6 good; 000001\.ndjson\.gz:7 \(byte \d+\): line 6 is here again or out of order; expected line 7$/,
    ],
    [
      'lines that changed places',
      (lines) => lines.with(6, lines[8]!).with(8, lines[6]!),
      /^6 good; 000001\.ndjson\.gz:7 \(byte \d+\): lines 7 to 8 are missing before it$/,
    ],
    [
      'a line without an end',
      (lines) => [...lines.slice(0, 6), 'x'.repeat(65 * 1_048_576)],
      /^6 good; 000001\.ndjson\.gz:7 \(byte \d+\): expected a line of at most 64 MiB$/,
    ],
    ['a strange line', (lines) => lines.with(6, 'hello'), /:7 \(byte \d+\): this is no line of a tape$/],
    [
      'text behind the end',
      (lines) => [...lines.slice(0, -1), lines[3]!, ''],
      /text follows after the last line$/,
    ],
    [
      'a later version',
      (lines) => lines.map((line) => line.replace('"version":4', '"version":5')),
      /:1 \(byte 0\): the tape is of version 5; this program reads version 4$/,
    ],
    [
      'an earlier version',
      (lines) => lines.map((line) => line.replace('"version":4', '"version":2')),
      /:1 \(byte 0\): the tape is of version 2; this program reads version 4$/,
    ],
    [
      'a neutral recording',
      () => ['{"t":1,"type":"book","event":1,"market":1,"bid":[],"ask":[]}', ''],
      /neutral form; make it a tape with: oddsmith tape import$/,
    ],
    ['nothing', () => [''], /the tape is empty$/],
  ])('%s', async (_what, damage, message) => {
    expect(await damaged(damage)).toMatch(message);
  });

  test('bytes of the packed file that changed', async () => {
    const dir = scratchFolder();
    await timerTape(dir, 3_000);
    const bytes = readFileSync(first(dir));
    for (let at = 4_000; at < 4_040; at++) bytes[at] = 0xff;
    writeFileSync(first(dir), bytes);
    await expect(surveyTape(dir)).rejects.toThrow(/:\d+ \(byte \d+\): /);
  });

  test('a file from another tape in its middle', async () => {
    const [dir, other] = [scratchFolder(), scratchFolder()];
    for (const [folder, run] of [
      [dir, 'run-1'],
      [other, 'run-2'],
    ] as const) {
      const tape = openTape(folder, { segmentBytes: 300, run });
      for (let seq = 1; seq <= 20; seq++) {
        tape.record({ kind: 'input', seq, input: { kind: 'timer' } }, second(seq));
        await new Promise(setImmediate);
      }
      await tape.close();
    }
    cpSync(second2(other), second2(dir));
    await expect(surveyTape(dir)).rejects.toThrow(
      /000002\.ndjson\.gz:1 \(byte 0\): this file does not continue the one before: it belongs to run run-2/,
    );
    rmSync(second2(dir));
    await expect(surveyTape(dir)).rejects.toThrow(/000002\.ndjson\.gz is missing/);
  });

  test('a file in its middle that was cut off', async () => {
    const dir = scratchFolder();
    const tape = openTape(dir, { segmentBytes: 300 });
    for (let seq = 1; seq <= 20; seq++) {
      tape.record({ kind: 'input', seq, input: { kind: 'timer' } }, second(seq));
      await new Promise(setImmediate);
    }
    await tape.close();
    edit(first(dir), (lines) => lines.slice(0, -2));
    await expect(surveyTape(dir)).rejects.toThrow(/lines? .* missing|cut off|does not continue/);
  });
});

describe('what a survey says of a sound tape', () => {
  test('counts books per market and names a market that the head does not', async () => {
    const dir = scratchFolder();
    const tape = openTape(dir);
    tape.record({
      ...HEAD,
      markets: [{ eventId: '1' as never, marketId: '7' as never, title: 'Yes', tickUnits: 100 }],
    });
    const levels = { prices: [], shares: [] };
    for (const marketId of ['7', '7', '8'])
      tape.record({
        kind: 'recorded',
        line: {
          kind: 'book',
          at: second(1),
          eventId: '1' as never,
          marketId: marketId as never,
          bids: levels,
          asks: levels,
        },
      });
    await tape.close();
    const survey = await surveyTape(dir);
    expect(survey.markets).toMatchObject([
      { market: '7', title: 'Yes', books: 2 },
      { market: '8', books: 1 },
    ]);
    expect(survey.oddities.map(({ text }) => text)).toEqual([
      "market 8 is none of those that the tape's head names",
    ]);
  });

  test('a connection that was away is a gap from the loss to the return', async () => {
    const dir = scratchFolder();
    const tape = openTape(dir);
    const say = (state: 'connected' | 'lost', s: number): void =>
      tape.record({ kind: 'input', input: { kind: 'link', state, reason: '' } }, second(s));
    say('connected', 1);
    say('lost', 5);
    say('connected', 9);
    await tape.close();
    expect((await surveyTape(dir)).gaps).toEqual([
      { from: second(5), to: second(9), reason: 'connection lost', lines: null },
    ]);
  });

  /** A tape of a recorder and what it heard of its connection. */
  const recorded = async (
    ...changes: readonly (readonly ['connected' | 'lost' | 'refused', number])[]
  ): Promise<TapeSurvey['gaps']> => {
    const dir = scratchFolder();
    const tape = openTape(dir, { clock: { now: () => second(20), monotonic: () => 0 } });
    tape.record(HEAD, second(0));
    for (const [state, s] of changes)
      tape.record({ kind: 'input', input: { kind: 'link', state, reason: '' } }, second(s));
    tape.record({ kind: 'input', input: { kind: 'timer' } }, second(20));
    await tape.close();
    return (await surveyTape(dir)).gaps;
  };

  test('a venue that is not there at the start is a gap from the start on', async () => {
    expect(await recorded(['lost', 1], ['connected', 12])).toEqual([
      { from: second(0), to: second(12), reason: 'not connected yet', lines: null },
    ]);
    expect(await recorded(['connected', 1])).toEqual([]);
  });

  test('a connection that does not come back is a gap up to the end', async () => {
    expect(await recorded(['lost', 1])).toMatchObject([
      { from: second(0), to: second(20), reason: 'not connected yet' },
    ]);
    expect(await recorded(['connected', 1], ['refused', 3])).toMatchObject([
      { from: second(3), to: second(20), reason: 'connection lost' },
    ]);
  });
});

test('a file that is appended to by hand is no tape any more', async () => {
  const dir = scratchFolder();
  await timerTape(dir, 2);
  appendFileSync(first(dir), gzipSync('{"sum":"00000000","n":9}\n'));
  await expect(surveyTape(dir)).rejects.toThrow('text follows after the last line');
});
