/** Recordings in the neutral form as a tape. */
import { basename } from 'node:path';
import type { RecordedLine } from '../../domain/recorded.js';
import { LineSplitter } from '../recordings/line-splitter.js';
import {
  LONGEST_LINE,
  longLine,
  readNeutralLine,
  timeFault,
  timeNotes,
  ToldMarkets,
} from '../recordings/neutral.js';
import { RecordingError } from '../recordings/recording-error.js';
import { type HeadRecord, type NamedMarket, TAPE_VERSION } from './records.js';
import { earliest } from './earliest.js';
import { OneSourceEach } from './one-source-each.js';
import { TapeError } from './tape-error.js';
import { TapeCopy } from './tape-copy.js';
import { type OnRead, textOf } from './text-source.js';

const TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

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
  const sources = await Promise.all(files.map((file) => NeutralSource.open(file, onRead)));
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
    for (const source of sources) await source.close();
    throw error;
  }
}

async function copyAll(sources: readonly NeutralSource[], copy: TapeCopy): Promise<number> {
  const each = new OneSourceEach();
  let lines = 0;
  for (let source = earliest(sources); source !== null; source = earliest(sources)) {
    const line = source.next;
    if (line !== null) {
      const problem = each.check(line.marketId, source);
      if (problem !== null) throw source.fault(problem);
      await copy.write({ kind: 'recorded', line }, { at: line.at, mono: 0 });
    }
    lines += 1;
    await source.advance();
  }
  return lines;
}

/** One recording, line by line. */
class NeutralSource {
  next: RecordedLine | null = null;
  private readonly told = new ToldMarkets();
  private readonly splitter = new LineSplitter((bytes, from, to, offset) =>
    this.lines.push({ raw: TEXT.decode(bytes.subarray(from, to)), offset }),
  );
  private lines: { readonly raw: string; readonly offset: number }[] = [];
  private at = 0;
  private isRead = false;
  private latest = 0;
  private row = 0;
  /** Bytes before the line that was given last. */
  private offset = 0;

  private constructor(
    readonly name: string,
    private readonly pieces: AsyncGenerator<Buffer, void>,
  ) {}

  /** @param file its name */
  static async open(file: string, onRead: OnRead): Promise<NeutralSource> {
    const source = new NeutralSource(file, textOf(file, onRead, 'whole'));
    try {
      await source.advance();
    } catch (error) {
      await source.close();
      throw error;
    }
    return source;
  }

  /** Once all lines came. */
  get notes(): readonly string[] {
    return timeNotes(this.latest).map((note) => `${basename(this.name)}: ${note}`);
  }

  async close(): Promise<void> {
    await this.pieces.return(undefined);
  }

  async advance(): Promise<void> {
    const raw = await this.line();
    if (raw === null) return void (this.next = null);
    const line = readNeutralLine(raw, this.name, this.row, this.offset);
    const fault = timeFault(line.at, this.latest) ?? this.told.fault(line);
    if (fault !== null) throw this.fault(fault);
    this.next = line;
    this.latest = line.at;
  }

  /** Something is wrong with the line that was read last. */
  fault(problem: string): RecordingError {
    return new RecordingError(this.name, this.row, problem, this.offset);
  }

  /** @returns null at the end */
  private async line(): Promise<string | null> {
    for (;;) {
      while (this.at < this.lines.length) {
        const { raw, offset } = this.lines[this.at++]!;
        this.row += 1;
        this.offset = offset;
        if (raw.trim() !== '') return raw;
      }
      if (this.isRead) return null;
      this.lines = [];
      this.at = 0;
      await this.read();
    }
  }

  private async read(): Promise<void> {
    const { value, done } = await this.piece();
    if (done === true) {
      this.isRead = true;
      return this.splitter.end();
    }
    this.splitter.push(value);
    if (this.splitter.pending <= LONGEST_LINE || this.lines.length > 0) return;
    this.row += 1;
    this.offset = this.splitter.taken;
    throw this.fault(longLine());
  }

  /** Damage is of the file; its place is behind the last whole line. */
  private async piece(): Promise<IteratorResult<Buffer, void>> {
    try {
      return await this.pieces.next();
    } catch (error) {
      if (!(error instanceof TapeError) || this.row === 0) throw error;
      this.offset = this.splitter.taken;
      throw this.fault(`behind this line ${error.problem}`);
    }
  }
}
