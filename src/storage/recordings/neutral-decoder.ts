import { LONGEST_LINE, longLine, readNeutralLine, timeFault, timeNotes, ToldMarkets } from './neutral.js';
import { RecordingError } from './recording-error.js';
import { BlockBuilder } from './block-builder.js';
import { LineBytes } from './line-bytes.js';
import { LineSplitter } from './line-splitter.js';
import type { TapeBlock, TapeMarket } from './tape-block.js';

const TEXT = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/**
 * Decodes the bytes of a recording in the neutral form, chunk by chunk. Usual lines are read from their bytes; any other
 * by way of JSON. Both give the same rows.
 */
export class NeutralDecoder {
  private readonly builder = new BlockBuilder();
  private readonly fast = new LineBytes(this.builder);
  private readonly splitter: LineSplitter;
  private readonly told = new ToldMarkets();
  private readonly blocks: TapeBlock[] = [];
  private latest = 0;
  private count = 0;
  private slow = 0;

  /** @param file for messages */
  constructor(private readonly file: string) {
    this.splitter = new LineSplitter((bytes, from, to, offset) => this.line(bytes, from, to, offset));
  }

  /** Every market met so far; places never change. */
  get markets(): readonly TapeMarket[] {
    return this.builder.markets;
  }

  /** Lines seen so far, empty ones included. */
  get lines(): number {
    return this.count;
  }

  /** What is strange of its times, in sentences for people. */
  get notes(): readonly string[] {
    return timeNotes(this.latest);
  }

  /** Bytes of the text in the lines seen so far. */
  get bytes(): number {
    return this.splitter.taken;
  }

  /** Lines that had to be read as JSON. */
  get unusual(): number {
    return this.slow;
  }

  /** @returns blocks that are complete now @throws RecordingError naming line and offset */
  push(chunk: Uint8Array): readonly TapeBlock[] {
    this.splitter.push(chunk);
    if (this.splitter.pending > LONGEST_LINE) this.endless();
    return this.blocks.splice(0);
  }

  /** @returns the last blocks @throws RecordingError */
  end(): readonly TapeBlock[] {
    this.splitter.end();
    if (!this.builder.isEmpty) this.blocks.push(this.builder.take());
    return this.blocks.splice(0);
  }

  private line(bytes: Uint8Array, from: number, to: number, offset: number): void {
    this.count += 1;
    if (from === to) return;
    if (this.builder.isFull) this.blocks.push(this.builder.take());
    const at = this.fast.read(bytes, from, to, this.count, this.latest);
    this.latest = at >= 0 ? at : this.readSlowly(TEXT.decode(bytes.subarray(from, to)), offset);
  }

  /** @returns the line's time */
  private readSlowly(text: string, offset: number): number {
    if (text.trim() === '') return this.latest;
    this.slow += 1;
    const line = readNeutralLine(text, this.file, this.count, offset);
    const fault = timeFault(line.at, this.latest) ?? this.told.fault(line);
    if (fault !== null) this.fail(fault, offset);
    const refusal = this.builder.add(line, this.count);
    if (refusal !== null) this.fail(refusal, offset);
    return line.at;
  }

  private endless(): never {
    this.count += 1;
    this.fail(longLine(), this.splitter.taken);
  }

  private fail(text: string, offset: number): never {
    throw new RecordingError(this.file, this.count, text, offset);
  }
}
