/** Recordings in the neutral form, decoded from a file without ever holding more than a few blocks. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { MarketId } from '../../domain/ids.js';
import { LineSplitter, type OnRead, textOf } from '../tape/packed-text.js';
import type { NamedMarket } from '../tape/records.js';
import { TapeError } from '../tape/tape-files.js';
import { BlockBuilder } from './block-builder.js';
import { UsualLines } from './usual-lines.js';
import { LONGEST_LINE, longLine, MarketFacts, readNeutralLine, timeFault, timeNotes } from './neutral.js';
import { RecordingError } from './recording-error.js';
import type { TapeBlock, TapeMarket } from './tape-block.js';

/** A recording as a stream of blocks, with the list of markets that their rows refer to; it grows as blocks come. */
export interface BlockStream {
  readonly markets: readonly TapeMarket[];
  readonly blocks: AsyncIterable<TapeBlock>;
  /** Once all blocks came. */
  readonly about: () => AboutRecording;
}

/** What a recording says of itself besides its rows. */
export interface AboutRecording {
  /** Markets with their names and grids. */
  readonly named: readonly NamedMarket[];
  /** What was done to it so that it could be traded on, in sentences for people. */
  readonly notes: readonly string[];
  /** Markets whose trades no line tells: they were inferred from books and turnover, so none is a duplicate. */
  readonly inferred?: readonly MarketId[];
}

/**
 * @param file plain or gzipped
 * @throws RecordingError, from the iteration, naming line and offset: nothing is repaired silently
 */
export function decodeRecording(file: string, onRead: OnRead = () => undefined): BlockStream {
  const decoder = new NeutralDecoder(file);
  return {
    markets: decoder.markets,
    blocks: blocksOf(file, decoder, onRead),
    about: () => ({ named: [], notes: decoder.notes }),
  };
}

async function* blocksOf(file: string, decoder: NeutralDecoder, onRead: OnRead): AsyncGenerator<TapeBlock> {
  try {
    for await (const piece of textOf(file, onRead, 'whole')) yield* decoder.push(piece);
  } catch (error) {
    throw error instanceof TapeError ? decoder.faultOf(error) : error;
  }
  yield* decoder.end();
  if (decoder.markets.length === 0) throw new RecordingError(file, 0, 'the recording is empty');
}

/** Usual lines are read from their bytes, any other by way of JSON. Both give the same rows. */
export class NeutralDecoder {
  private readonly builder = new BlockBuilder();
  private readonly usual = new UsualLines(this.builder);
  private readonly splitter: LineSplitter;
  private readonly facts = new MarketFacts();
  private readonly blocks: TapeBlock[] = [];
  private latest = 0;
  private count = 0;
  private byJson = 0;

  /** @param file for messages */
  constructor(private readonly file: string) {
    this.splitter = new LineSplitter((bytes, from, to, offset) => this.line(bytes, from, to, offset));
  }

  /** Every market met so far; places never change. */
  get markets(): readonly TapeMarket[] {
    return this.builder.markets;
  }

  /** What is strange of its times, in sentences for people. */
  get notes(): readonly string[] {
    return timeNotes(this.latest);
  }

  /** Lines that had to be read as JSON. */
  get unusual(): number {
    return this.byJson;
  }

  /** @returns blocks that are complete now @throws RecordingError naming line and offset */
  push(piece: Buffer): readonly TapeBlock[] {
    this.splitter.push(piece);
    if (this.splitter.pending > LONGEST_LINE) {
      this.count += 1;
      this.fail(longLine(), this.splitter.taken);
    }
    return this.blocks.splice(0);
  }

  /** @returns the last blocks @throws RecordingError */
  end(): readonly TapeBlock[] {
    this.splitter.end();
    if (!this.builder.isEmpty) this.blocks.push(this.builder.take());
    return this.blocks.splice(0);
  }

  /** What is wrong with the file gets the place of the last whole line. */
  faultOf({ problem, cause }: TapeError): RecordingError {
    const { code } = (cause ?? {}) as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') !== true) return new RecordingError(this.file, 0, problem);
    const place = this.count === 0 ? '' : 'behind this line ';
    const text = `${place}the gzip data are cut off or damaged; fetch the file again`;
    return new RecordingError(this.file, this.count, text, this.count === 0 ? null : this.splitter.taken);
  }

  private line(bytes: Buffer, from: number, to: number, offset: number): void {
    this.count += 1;
    if (from === to) return;
    if (this.builder.isFull) this.blocks.push(this.builder.take());
    const at = this.usual.read(bytes, from, to, this.count, this.latest);
    this.latest = at >= 0 ? at : this.readJson(bytes.toString('utf8', from, to), offset);
  }

  /** @returns the line's time */
  private readJson(text: string, offset: number): number {
    if (text.trim() === '') return this.latest;
    this.byJson += 1;
    const line = readNeutralLine(text, this.file, this.count, offset);
    const fault = timeFault(line.at, this.latest) ?? this.facts.fault(line);
    if (fault !== null) this.fail(fault, offset);
    const refusal = this.builder.add(line, this.count);
    if (refusal !== null) this.fail(refusal, offset);
    return line.at;
  }

  private fail(text: string, offset: number): never {
    throw new RecordingError(this.file, this.count, text, offset);
  }
}

/** SHA-256 of files' bytes in order, 64 hexadecimal digits. @throws RecordingError when one cannot be read */
export async function hashOfFiles(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) await hashInto(hash, file);
  return hash.digest('hex');
}

async function hashInto(hash: Hash, file: string): Promise<void> {
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 262_144 }))
      hash.update(piece as Buffer);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new RecordingError(file, 0, `cannot be read (${code})`);
  }
}
