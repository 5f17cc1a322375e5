/** Recordings in the neutral form as a tape. */
import { basename } from 'node:path';
import type { RecordedLine } from '../../domain/recorded.js';
import { type BlockStream, decodeRecording } from '../recordings/neutral-file.js';
import { RecordingError } from '../recordings/recording-error.js';
import { lineOf, type TapeBlock } from '../recordings/tape-block.js';
import { earliest, OneSourcePerMarket } from './merge-order.js';
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
  const sources = files.map((file) => new Source(file, onRead));
  for (const source of sources) await source.advance();
  const first = earliest(sources)?.next;
  if (first === undefined || first === null)
    throw new RecordingError(files[0] ?? '', 0, 'the recording is empty');
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
  const copy = await TapeCopy.create(out, head, { at: first.at, mono: 0 });
  try {
    const lines = await copyAll(sources, copy);
    await copy.close();
    return { lines, notes: sources.flatMap((source) => source.notes) };
  } catch (error) {
    await copy.abandon();
    throw error;
  } finally {
    for (const source of sources) await source.close();
  }
}

async function copyAll(sources: readonly Source[], copy: TapeCopy): Promise<number> {
  const each = new OneSourcePerMarket();
  let lines = 0;
  for (let source = earliest(sources); source !== null; source = earliest(sources)) {
    const line = source.next!;
    const problem = each.check(line.marketId, source);
    if (problem !== null) throw source.fault(problem);
    await copy.write({ kind: 'recorded', line }, { at: line.at, mono: 0 });
    lines += 1;
    await source.advance();
  }
  return lines;
}

/** One recording on its way into the tape: the line that comes next is at hand. */
class Source {
  next: RecordedLine | null = null;
  readonly #stream: BlockStream;
  readonly #blocks: AsyncIterator<TapeBlock>;
  #block: TapeBlock | null = null;
  #row = 0;

  constructor(
    readonly name: string,
    onRead: OnRead,
  ) {
    this.#stream = decodeRecording(name, onRead);
    this.#blocks = this.#stream.blocks[Symbol.asyncIterator]();
  }

  /** Once all lines came. */
  get notes(): readonly string[] {
    return this.#stream.about().notes.map((note) => `${basename(this.name)}: ${note}`);
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }

  async advance(): Promise<void> {
    this.#row += 1;
    while (this.#block === null || this.#row >= this.#block.rows) {
      const { value, done } = await this.#blocks.next();
      if (done === true) return void (this.next = null);
      this.#block = value;
      this.#row = 0;
    }
    this.next = lineOf(this.#block, this.#row, this.#stream.markets);
  }

  /** Something is wrong with the line that comes next. */
  fault(problem: string): RecordingError {
    return new RecordingError(this.name, this.#block?.line[this.#row] ?? 0, problem);
  }
}
