import { join } from 'node:path';
import { EXIT, OddsmithError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import { createWriteStream, type WriteStream } from 'node:fs';
import { constants, createGzip, type Gzip } from 'node:zlib';
import { sumDigits } from '../log/segment.js';
import { type Received, TAPE_VERSION } from './records.js';
import { segmentName } from './tape-files.js';
import { LineWriter, type Scrub, type Writable } from './tape-line.js';
import type { TapeEnd } from './tape-reader.js';

/** Fast: recording runs beside trading. */
const LEVEL = 1;

/** Where the packed bytes go; a file that must not exist yet, unless a test says otherwise. */
type OpenFile = (path: string) => WriteStream;

const openNewFile: OpenFile = (path) => createWriteStream(path, { flags: 'ax', mode: 0o600 });

/** Recording has stopped, mostly because the disk is full; the run goes on without it. */
export class TapeWriteError extends OddsmithError {
  readonly code = 'ODDSMITH_TAPE_WRITE';
  readonly exit = EXIT.internal;
}

export interface TapeWriterOptions {
  /** Existing folder of this tape alone. */
  readonly dir: string;
  readonly run: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** A killed process loses at most so much, plus what is on its way to the disk. */
  readonly flushMs: number;
  /** Text of a file before the next one begins. */
  readonly segmentBytes: number;
  /** Text that may wait for the disk; beyond it lines are left out, and a gap says so. */
  readonly bufferBytes: number;
  readonly scrub: Scrub;
  /** Told once, when nothing is recorded any more. */
  readonly onFault: (error: TapeWriteError) => void;
  /** Where to continue; left out: a new tape. */
  readonly after?: TapeEnd;
  readonly open?: OpenFile;
}

interface Waiting {
  readonly record: Writable;
  readonly received: Received;
}

/**
 * An append-only tape. A record is queued at once and written a moment later, so that trading never waits for it. It can
 * be read from the file within the flush interval.
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
    const { after, scrub, flushMs } = options;
    this.#options = options;
    this.#lines = new LineWriter(after, scrub);
    this.#number = after?.segment ?? 0;
    this.#lastAt = after?.at ?? null;
    const isRestart = this.#number > 0;
    const silent = this.#since();
    this.#segment = this.#open(Promise.resolve(true), isRestart);
    this.#flushing = setInterval(() => this.#flush(), flushMs);
    this.#flushing.unref();
    if (isRestart) this.record({ kind: 'gap', reason: 'restart', lines: null, micros: silent });
  }

  /** Whether records still reach the disk. */
  get isRecording(): boolean {
    return !this.#isOver;
  }

  /** Lines so far, including those of earlier runs. After a fault some never reached the disk. */
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

  /** Bounds the memory: while the disk is too slow, lines are counted instead of kept, until half of the buffer is free. */
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
    const segmentRecord = {
      kind: 'segment',
      version: TAPE_VERSION,
      number: this.#number,
      run,
      chain,
      restart,
    } as const;
    this.#put(segmentRecord, this.#now());
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

interface SegmentFileOptions {
  readonly path: string;
  readonly open: OpenFile;
  /** Resolves to whether the file before is complete; nothing is written until then. */
  readonly after: Promise<boolean>;
  readonly onError: (error: Error) => void;
}

/** One gzip file of a tape while it is written. Nothing here waits for the disk. */
class SegmentFile {
  /** Resolves to whether everything was written: not when this file, or one before it, failed. */
  readonly done: Promise<boolean>;
  readonly #gzip: Gzip = createGzip({ level: LEVEL });
  #file: WriteStream | null = null;
  #isOver = false;

  constructor({ path, open, after, onError }: SegmentFileOptions) {
    this.done = new Promise((resolve) => {
      const fail = (error: Error): void => {
        if (!this.#isOver) onError(error);
        giveUp();
      };
      const giveUp = (): void => {
        this.#isOver = true;
        this.#gzip.destroy();
        resolve(false);
      };
      this.#gzip.on('error', fail);
      const begin = (): void => {
        this.#file = open(path);
        this.#file.on('error', fail).on('close', () => resolve(true));
        this.#gzip.pipe(this.#file);
      };
      void after.then((isComplete) => (isComplete ? begin() : giveUp()));
    });
  }

  /** Bytes of text and of packed data that wait for the disk. */
  get waiting(): number {
    return this.#gzip.writableLength + this.#gzip.readableLength + (this.#file?.writableLength ?? 0);
  }

  write(text: string): void {
    if (!this.#isOver) this.#gzip.write(text);
  }

  /** What was written so far can be read from the file soon, whatever becomes of the process. */
  flush(): void {
    if (!this.#isOver) this.#gzip.flush(constants.Z_SYNC_FLUSH);
  }

  end(): Promise<boolean> {
    if (!this.#isOver) this.#gzip.end();
    return this.done;
  }
}
