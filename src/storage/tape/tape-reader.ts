import { existsSync, readdirSync } from 'node:fs';
import { InputOrder, type Judged, type LastLine, LineChain } from './tape-line.js';
import { LineSplitter, type OnRead, packedBytes, textOf } from './packed-text.js';
import type { TapeLine } from './records.js';
import { segmentNumber, TapeError, tapeFiles, type TapePlace, wholeFile } from './tape-files.js';

/** A line and where it stands. */
export interface PlacedLine {
  readonly line: TapeLine;
  readonly place: TapePlace;
}

/**
 * How a tape ends. `unfinished`: its process was killed, its disk took no more, or it still runs; the last flush interval
 * may be missing.
 */
export interface TapeEnding {
  readonly state: 'closed' | 'unfinished';
  readonly file: string;
  /** Bytes of a line that was cut short, which are left out. */
  readonly tornBytes: number;
}

/** What people are told of it; null where there is nothing to tell. */
export function endingNote({ state, tornBytes }: TapeEnding): string | null {
  if (state === 'closed') return null;
  return tornBytes === 0
    ? 'it lacks its end'
    : `it lacks its end; ${tornBytes} bytes of a torn line are left out`;
}

/** Where a tape ends that is to be continued. */
export interface TapeEnd extends LastLine {
  readonly segment: number;
  readonly at: TapeLine['at'] | null;
}

export interface TapeReaderOptions {
  readonly onRead?: OnRead;
  /** Begins with the last file; what came before it is believed. */
  readonly lastFileOnly?: boolean;
  /** Refuses inputs that are missing or out of order, though every sum fits: what follows from them never happened. */
  readonly inputs?: 'in order';
}

/** Bytes of a line: more than any listing of orders takes. */
const LONGEST_LINE = 64 * 1_048_576;

/** Reads a tape line by line and checks each against the one before. Memory does not grow with its length. */
export class TapeReader {
  readonly files: readonly string[];
  readonly #chain = new LineChain();
  readonly #order = new InputOrder();
  readonly #options: TapeReaderOptions;
  #ending: TapeEnding | null = null;
  #lastAt: TapeLine['at'] | null = null;

  /** @param path a file, the folder of a tape or of a run. @throws TapeError when there is none */
  constructor(path: string, options: TapeReaderOptions = {}) {
    this.files = tapeFiles(path).slice(options.lastFileOnly === true ? -1 : 0);
    this.#options = options;
  }

  /** Once everything was read: how it ends. */
  get ending(): TapeEnding {
    return this.#ending ?? { state: 'unfinished', file: this.files.at(-1) ?? '', tornBytes: 0 };
  }

  /** Once everything was read: where a process that continues it has to begin. */
  get end(): TapeEnd {
    return { segment: segmentNumber(this.files.at(-1) ?? ''), ...this.#chain.last, at: this.#lastAt };
  }

  packedBytes(): Promise<number> {
    return packedBytes(this.files);
  }

  /**
   * Lines in order, some at a time.
   * @throws TapeError at the first line that is not as it was written; all lines before it have been given by then
   */
  async *batches(): AsyncGenerator<readonly PlacedLine[]> {
    for (const file of this.files)
      if (this.#options.inputs === undefined) yield* this.#file(file);
      else yield* this.#inOrder(this.#file(file));
    if (this.#chain.last.n === 0) throw new TapeError(wholeFile(this.files[0]!), 'the tape is empty');
  }

  async *#inOrder(batches: AsyncIterable<readonly PlacedLine[]>): AsyncGenerator<readonly PlacedLine[]> {
    for await (const batch of batches) {
      let problem: string | null = null;
      const end = batch.findIndex(({ line }) => (problem = this.#order.check(line)) !== null);
      if (end !== 0) yield end < 0 ? batch : batch.slice(0, end);
      if (problem !== null) throw new TapeError(batch[end]!.place, problem);
    }
  }

  async *#file(file: string): AsyncGenerator<readonly PlacedLine[]> {
    const reading = new FileReading(file, this.#chain, this.#judgeFirst(file));
    const { onRead = () => undefined } = this.#options;
    try {
      for await (const piece of textOf(file, onRead)) {
        const batch = reading.take(piece);
        if (batch.length > 0) yield batch;
        reading.check();
      }
    } catch (error) {
      if (!(error instanceof TapeError) || error.place.line > 0) throw error;
      throw new TapeError(reading.place, error.problem, { cause: error });
    }
    this.#lastAt = reading.last?.at ?? this.#lastAt;
    this.#ending = reading.ending;
  }

  /** A file may follow one that is unfinished only when another process went on. */
  #judgeFirst(file: string): (bytes: Buffer) => Judged {
    const isFirst = file === this.files[0];
    const before = this.#ending;
    return (bytes) => {
      const judged = this.#chain.begin(bytes, { number: segmentNumber(file), isFirst });
      if (!judged.ok || before?.state !== 'unfinished') return judged;
      if (judged.line.kind === 'segment' && judged.line.restart) return judged;
      return { ok: false, problem: `${before.file} before it was cut off: it lacks its last line` };
    };
  }
}

/** One file on its way from bytes to lines. */
class FileReading {
  last: TapeLine | null = null;
  #row = 0;
  #problem: string | null = null;
  #batch: PlacedLine[] = [];
  readonly #splitter = new LineSplitter((bytes, from, to, offset) =>
    this.#line(bytes.subarray(from, to), offset),
  );

  constructor(
    private readonly file: string,
    private readonly chain: LineChain,
    private readonly judgeFirst: (bytes: Buffer) => Judged,
  ) {}

  /** Of the line that comes next. */
  get place(): TapePlace {
    return this.#placeAt(this.#splitter.taken);
  }

  get ending(): TapeEnding {
    const tornBytes = this.#splitter.pending;
    const isClosed = this.last?.kind === 'close' && tornBytes === 0;
    return { state: isClosed ? 'closed' : 'unfinished', file: this.file, tornBytes };
  }

  /** @returns the whole lines of what came so far, up to the first that is not as it was written */
  take(piece: Buffer): readonly PlacedLine[] {
    this.#batch = [];
    this.#splitter.push(piece);
    return this.#batch;
  }

  /** @throws TapeError for the line at which the batch before ended early */
  check(): void {
    if (this.#splitter.pending > LONGEST_LINE)
      throw new TapeError(this.place, `expected a line of at most ${LONGEST_LINE / 1_048_576} MiB`);
    if (this.#problem !== null) throw new TapeError(this.#placeAt(this.#problemAt), this.#problem);
  }

  #problemAt = 0;

  #placeAt(offset: number): TapePlace {
    return { file: this.file, line: this.#row + 1, offset };
  }

  #line(bytes: Buffer, offset: number): void {
    if (this.#problem !== null) return;
    const judged = this.#judged(bytes);
    if (!judged.ok) {
      this.#problem = judged.problem;
      this.#problemAt = offset;
      return;
    }
    this.#batch.push({ line: judged.line, place: this.#placeAt(offset) });
    this.#row += 1;
    this.last = judged.line;
  }

  #judged(bytes: Buffer): Judged {
    if (this.last?.kind === 'close') return { ok: false, problem: 'text follows after the last line' };
    return this.#row === 0 ? this.judgeFirst(bytes) : this.chain.judge(bytes);
  }
}

/**
 * Where the tape of a folder ends, for a process that continues it.
 * @returns null when there is none yet
 * @throws TapeError when its last file is damaged
 */
export async function tapeEndOf(dir: string): Promise<TapeEnd | null> {
  if (!existsSync(dir) || !readdirSync(dir).some((name) => name.endsWith('.ndjson.gz'))) return null;
  const last = new TapeReader(dir, { lastFileOnly: true });
  if ((await last.packedBytes()) > 0) return endOf(last);
  // Killed before anything of its last file was written: what the file before it says is needed.
  return endOf(new TapeReader(dir));
}

async function endOf(reader: TapeReader): Promise<TapeEnd> {
  for await (const batch of reader.batches()) void batch;
  return reader.end;
}

/** Lines that can be read from a tape. */
export interface KeptLines {
  readonly lines: number;
  readonly frames: number;
}

/**
 * Counts what a tape keeps of a process that wrote behind its first lines: after a full disk less than was written.
 * @param before how many lines of it are none of that process
 * @throws TapeError when it is damaged
 */
export async function keptOf(dir: string, before: number): Promise<KeptLines> {
  let [lines, frames] = [0, 0];
  for await (const batch of new TapeReader(dir).batches())
    for (const { line } of batch) {
      if (line.n <= before) continue;
      lines += 1;
      if (line.kind === 'frame') frames += 1;
    }
  return { lines, frames };
}
