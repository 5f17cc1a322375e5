/** Recordings in the neutral form as a tape. */
import type { RecordedLine } from '../../domain/recorded.js';
import { readNeutralLine, timeFault } from '../neutral.js';
import { RecordingError } from '../recording-error.js';
import { type HeadRecord, type NamedMarket, TAPE_VERSION } from './records.js';
import { earliest } from './earliest.js';
import { OneSourceEach } from './one-source-each.js';
import { TapeCopy } from './tape-copy.js';
import { type OnRead, textOf } from './text-source.js';

export interface ImportOptions {
  /** What is known of the markets; others are named by their number. */
  readonly markets: readonly NamedMarket[];
  readonly program: string;
  readonly onRead: OnRead;
}

/**
 * Imports recordings, merged in time order; on a tie the one that was named first goes first.
 * @returns how many lines were imported
 * @throws RecordingError with file and line for what is no line of the form, is older than the one before it, or tells
 * of a market that another file tells of at the same time
 */
export async function importNeutral(
  files: readonly string[],
  out: string,
  { markets, program, onRead }: ImportOptions,
): Promise<number> {
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
    return lines;
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
  private lines: readonly string[] = [];
  private rest = '';
  private at = 0;
  private row = 0;
  /** Bytes before the line that was given last, and behind it. */
  private offset = 0;
  private behind = 0;

  private constructor(
    readonly name: string,
    private readonly pieces: AsyncGenerator<Buffer>,
  ) {}

  /** @param file its name */
  static async open(file: string, onRead: OnRead): Promise<NeutralSource> {
    const source = new NeutralSource(file, textOf(file, onRead, 'whole'));
    await source.advance();
    return source;
  }

  async close(): Promise<void> {
    await this.pieces.return(undefined);
  }

  async advance(): Promise<void> {
    const raw = await this.line();
    if (raw === null) return void (this.next = null);
    const line = readNeutralLine(raw, this.name, this.row, this.offset);
    const fault = timeFault(line.at, this.next?.at ?? 0);
    if (fault !== null) throw this.fault(fault);
    this.next = line;
  }

  /** Something is wrong with the line that was read last. */
  fault(problem: string): RecordingError {
    return new RecordingError(this.name, this.row, problem, this.offset);
  }

  /** @returns null at the end. @throws RecordingError when the last line was cut short */
  private async line(): Promise<string | null> {
    for (;;) {
      while (this.at < this.lines.length) {
        const raw = this.lines[this.at++]!;
        this.pass(raw);
        if (raw.trim() !== '') return raw;
      }
      const { value, done } = await this.pieces.next();
      if (done === true) return this.last();
      // Cut at line feeds alone, which no character of more bytes contains.
      const parts = (this.rest + value.toString('latin1')).split('\n');
      this.rest = parts.pop() ?? '';
      this.lines = parts;
      this.at = 0;
    }
  }

  private last(): string | null {
    const raw = this.rest;
    this.rest = '';
    if (raw.trim() === '') return null;
    this.pass(raw);
    return raw;
  }

  private pass(raw: string): void {
    this.row += 1;
    this.offset = this.behind;
    this.behind += raw.length + 1;
  }
}
