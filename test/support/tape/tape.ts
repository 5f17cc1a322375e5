/** Small tapes for tests: written by the real writer, taken apart and put together as text. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Micros } from '../../../src/domain/units.js';
import type { HeadRecord, TapeLine } from '../../../src/storage/tape/records.js';
import { makeFolder } from '../../../src/storage/files/whole-files.js';
import { type TapeEnd, TapeReader, type TapeReaderOptions } from '../../../src/storage/tape/tape-reader.js';
import { TapeWriter, type TapeWriterOptions } from '../../../src/storage/tape/tape-writer.js';

/** Seconds since the start of every test's tape, in microseconds. */
export const second = (s: number): Micros => (1_767_225_600_000_000 + s * 1_000_000) as Micros;

/** Ticks one millisecond with every look at it. */
const testClock = () => {
  let looks = 0;
  return {
    now: () => (second(0) + (looks += 1) * 1_000) as Micros,
    monotonic: () => (looks += 1) * 1_000,
  };
};

export const HEAD: HeadRecord = {
  kind: 'head',
  version: 3,
  program: '0.1.0',
  run: 'run-1',
  purpose: 'record',
  flushMs: 50,
  seed: null,
  configuration: {},
  strategies: [],
  markets: [],
  sources: [],
};

export function openTape(dir: string, changes: Partial<TapeWriterOptions> = {}, after?: TapeEnd): TapeWriter {
  makeFolder(dir);
  return new TapeWriter({
    dir,
    run: 'run-1',
    clock: testClock(),
    flushMs: 50,
    segmentBytes: 1 << 20,
    bufferBytes: 1 << 26,
    scrub: (json) => json,
    onFault: (error) => {
      throw error;
    },
    ...(after === undefined ? {} : { after }),
    ...changes,
  });
}

/** A tape of the given count of timer inputs, closed. */
export async function timerTape(dir: string, count: number, changes: Partial<TapeWriterOptions> = {}) {
  const tape = openTape(dir, changes);
  tape.record(HEAD);
  for (let seq = 1; seq <= count; seq++)
    tape.record({ kind: 'input', seq, input: { kind: 'timer' } }, second(seq));
  await tape.close();
}

export async function linesOf(path: string, options: TapeReaderOptions = {}): Promise<readonly TapeLine[]> {
  const lines: TapeLine[] = [];
  for await (const batch of new TapeReader(path, options).batches())
    lines.push(...batch.map(({ line }) => line));
  return lines;
}

/** Changes the text of a packed file. */
export function edit(file: string, change: (lines: string[]) => readonly string[]): void {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  writeFileSync(file, gzipSync(change(lines).join('\n')));
}
