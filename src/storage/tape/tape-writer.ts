import { join } from 'node:path';
import { EXIT, OddsmithError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import { LineWriter, type Scrub, type Writable } from './line-text.js';
import { type Received, TAPE_VERSION } from './records.js';
import { CHAIN_START, sumDigits } from './seal.js';
import { type OpenFile, openNewFile, SegmentFile } from './segment-file.js';

/** Recording has stopped, mostly because the disk is full; whoever records goes on without. */
export class TapeWriteError extends OddsmithError {
  readonly code = 'ODDSMITH_TAPE_WRITE';
  readonly exit = EXIT.internal;
}

export interface TapeWriterOptions {
  /** Folder of this tape alone, which is there. */
  readonly dir: string;
  readonly run: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** A killed process loses at most so much, and what is on its way to the disk. */
  readonly flushMs: number;
  /** Text of a file before the next one begins. */
  readonly segmentBytes: number;
  /** Text that may wait for the disk; beyond it lines are left out, and a gap says so. */
  readonly bufferBytes: number;
  readonly scrub: Scrub;
  /** Told once: nothing is recorded any more. */
  readonly onFault: (error: TapeWriteError) => void;
  /** Where to go on; left out: a new tape. */
  readonly after?: TapeEnd;
  readonly open?: OpenFile;
}

/** Where a tape ends that is to be gone on with. */
export interface TapeEnd {
  readonly segment: number;
  readonly n: number;
  readonly sum: number;
  readonly at: Micros | null;
}

interface Waiting {
  readonly record: Writable;
  readonly received: Received;
}

const NEW_TAPE: TapeEnd = { segment: 0, n: 0, sum: CHAIN_START, at: null };

/** `000001.ndjson.gz` */
export const segmentName = (number: number): string => `${String(number).padStart(6, '0')}.ndjson.gz`;

/**
 * An append-only tape. A record is noted at once and written out a moment later, so that whoever trades never waits for
 * it; it is on the disk within the flush interval.
 */
export class TapeWriter {
  readonly #options: TapeWriterOptions;
  readonly #lines: LineWriter;
  #queue: Waiting[] = [];
  #immediate: NodeJS.Immediate | null = null;
  readonly #flushing: NodeJS.Timeout;
  #segment: SegmentFile;
  #number: number;
  #textBytes = 0;
  #isUnflushed = false;
  #isOver = false;
  #lost = 0;
  #lastAt: Micros | null;

  constructor(options: TapeWriterOptions) {
    const { after = NEW_TAPE, scrub, flushMs } = options;
    this.#options = options;
    this.#lines = new LineWriter(after, scrub);
    this.#number = after.segment;
    this.#lastAt = after.at;
    const silent = this.#since();
    this.#segment = this.#open(Promise.resolve(true), after.segment > 0);
    this.#flushing = setInterval(() => this.#flush(), flushMs);
    this.#flushing.unref();
    if (after.segment > 0) this.record({ kind: 'gap', reason: 'restart', lines: null, micros: silent });
  }

  /** Whether what is told still reaches the disk. */
  get isRecording(): boolean {
    return !this.#isOver;
  }

  /** Lines so far, those of runs before included; once it records no more, some may never have reached the disk. */
  get lines(): number {
    return this.#lines.last.n + this.#queue.length;
  }

  /** @param at receive time; now when left out */
  record(record: Writable, at?: Micros): void {
    if (this.#isOver) return;
    const { clock } = this.#options;
    this.#queue.push({ record, received: { at: at ?? clock.now(), mono: clock.monotonic() } });
    this.#immediate ??= setImmediate(() => this.#drain());
  }

  /** Writes out everything and finishes the file. Nothing can be recorded afterwards. */
  async close(): Promise<void> {
    this.#drain();
    const wasOver = this.#isOver;
    this.#stop();
    if (!wasOver) this.#put({ kind: 'close', more: false }, this.#now());
    await this.#segment.end();
  }

  #drain(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
    const waiting = this.#queue;
    this.#queue = [];
    for (const { record, received } of waiting) this.#take(record, received);
    if (this.#textBytes >= this.#options.segmentBytes) this.#rotate();
  }

  /** Memory is bounded: while the disk does not follow, lines are counted instead of kept, until half of it is free. */
  #take(record: Writable, received: Received): void {
    const { bufferBytes } = this.#options;
    if (this.#segment.waiting > (this.#lost === 0 ? bufferBytes : bufferBytes / 2)) {
      this.#lost += 1;
      return;
    }
    if (this.#lost > 0) {
      const lines = this.#lost;
      this.#lost = 0;
      this.#put({ kind: 'gap', reason: 'buffer-full', lines, micros: this.#since() }, received);
    }
    this.#put(record, received);
  }

  #put(record: Writable, received: Received): void {
    const text = this.#lines.write(record, received);
    this.#lastAt = received.at;
    this.#textBytes += text.length;
    this.#isUnflushed = true;
    this.#segment.write(text);
  }

  #flush(): void {
    if (!this.#isUnflushed) return;
    this.#isUnflushed = false;
    this.#segment.flush();
  }

  #rotate(): void {
    this.#put({ kind: 'close', more: true }, this.#now());
    this.#segment = this.#open(this.#segment.end(), false);
  }

  #open(after: Promise<boolean>, restart: boolean): SegmentFile {
    const { dir, run, open = openNewFile } = this.#options;
    this.#number += 1;
    this.#textBytes = 0;
    const path = join(dir, segmentName(this.#number));
    const segment = new SegmentFile({ path, open, after, onError: (error) => this.#failed(error) });
    this.#segment = segment;
    const chain = sumDigits(this.#lines.last.sum);
    this.#put(
      { kind: 'segment', version: TAPE_VERSION, number: this.#number, run, chain, restart },
      this.#now(),
    );
    return segment;
  }

  #failed(error: Error): void {
    if (this.#isOver) return;
    this.#stop();
    this.#queue = [];
    const text = `recording stopped: ${error.message}`;
    this.#options.onFault(new TapeWriteError(text, { cause: error }));
  }

  #stop(): void {
    this.#isOver = true;
    clearInterval(this.#flushing);
  }

  #now(): Received {
    const { clock } = this.#options;
    return { at: clock.now(), mono: clock.monotonic() };
  }

  #since(): number | null {
    return this.#lastAt === null ? null : this.#options.clock.now() - this.#lastAt;
  }
}
