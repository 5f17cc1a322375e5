/** Recordings in the neutral form as a tape. */
import { basename } from 'node:path';
import type { RecordedLine } from '../../domain/recorded.js';
import { type BlockStream, decodeRecording } from '../recordings/neutral.js';
import { RecordingError } from '../tape/tape-files.js';
import { lineOf } from '../recordings/blocks.js';
import { inTimeOrder, OneSourcePerMarket } from './merge-order.js';
import type { OnRead } from './packed-text.js';
import { type HeadRecord, type NamedMarket, TAPE_VERSION } from './records.js';
import { TapeCopy } from './tape-copy.js';

export interface ImportOptions {
  /** What is known of the markets; others are named by their number. */
  readonly markets: readonly NamedMarket[];
  readonly program: string;
  readonly onRead: OnRead;
}

export interface Imported {
  readonly lines: number;
  /** What is strange of the recordings, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Imports recordings, merged in time order; on a tie the one that was named first goes first.
 * @throws RecordingError with file and line for what is no line of the form, is older than the one before it, or tells
 * of a market that another file tells of at the same time
 */
export async function importNeutral(
  files: readonly string[],
  out: string,
  options: ImportOptions,
): Promise<Imported> {
  const { markets, program, onRead } = options;
  const streams = files.map((file) => decodeRecording(file, onRead));
  const head: HeadRecord = {
    kind: 'head',
    version: TAPE_VERSION,
    program,
    run: 'import',
    purpose: 'import',
    flushMs: null,
    seed: null,
    configuration: null,
    strategies: [],
    markets,
    sources: files,
  };
  const sources = new OneSourcePerMarket(files);
  let copy: TapeCopy | null = null;
  let lines = 0;
  try {
    for await (const { item, source } of inTimeOrder(streams.map(linesOf), ({ line }) => line.at)) {
      const { line, number } = item;
      const problem = sources.check(line.marketId, source);
      if (problem !== null) throw new RecordingError(files[source]!, number, problem);
      const received = { at: line.at, mono: 0 };
      copy ??= await TapeCopy.create(out, head, received);
      await copy.write({ kind: 'recorded', line }, received);
      lines += 1;
    }
    await copy?.close();
  } catch (error) {
    await copy?.abandon();
    throw error;
  }
  return { lines, notes: streams.flatMap((stream, place) => notesOf(files[place]!, stream)) };
}

interface NumberedLine {
  readonly line: RecordedLine;
  /** Its number in the file, from 1. */
  readonly number: number;
}

async function* linesOf({ blocks, markets }: BlockStream): AsyncGenerator<readonly NumberedLine[]> {
  for await (const block of blocks)
    yield Array.from({ length: block.rows }, (_, row) => ({
      line: lineOf(block, row, markets),
      number: block.line[row]!,
    }));
}

const notesOf = (file: string, stream: BlockStream): readonly string[] =>
  stream.about().notes.map((note) => `${basename(file)}: ${note}`);
