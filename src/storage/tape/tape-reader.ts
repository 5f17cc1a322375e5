import { Chain, type Judged } from './chain.js';
import { InputOrder } from './input-order.js';
import type { TapeLine } from './records.js';
import { segmentNumber, tapeFiles } from './tape-files.js';
import { TapeError, type TapePlace } from './tape-error.js';
import type { TapeEnd } from './tape-writer.js';
import { type OnRead, packedBytes, textOf } from './text-source.js';

/** A line and where it stands. */
export interface PlacedLine {
  readonly line: TapeLine;
  readonly place: TapePlace;
}

/** How a tape ends. `unfinished`: its process was killed, its disk took no more, or it still runs, and the last flush interval may be missing. */
export interface TapeEnding {
  readonly state: 'closed' | 'unfinished';
  readonly file: string;
  /** Bytes of a line that was cut short, which are left out. */
  readonly tornBytes: number;
}

/** What is to be said of it to people; null where nothing is. */
export function endingNote({ state, tornBytes }: TapeEnding): string | null {
  if (state === 'closed') return null;
  return tornBytes === 0
    ? 'it lacks its end'
    : `it lacks its end; ${tornBytes} bytes of a torn line are left out`;
}

export interface TapeReaderOptions {
  readonly onRead?: OnRead;
  /** Begins with the last file; what came before it is believed. */
  readonly lastFileOnly?: boolean;
  /**
   * Refuses inputs that are missing or out of order, though every sum fits: what follows from such a tape never happened.
   * Default: whoever reads looks for that, or passes lines on as they are.
   */
  readonly inputs?: 'in order';
}

const LINE_FEED = 10;
/** Bytes of a line: more than any listing of orders takes. */
const LONGEST_LINE = 64 * 1_048_576;

/** Reads a tape line by line and holds each against the one before. Memory does not grow with its length. */
export class TapeReader {
  readonly files: readonly string[];
  readonly #chain = new Chain();
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

  /** Once everything was read: where a process that goes on with it has to begin. */
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
    if (this.#chain.last.n === 0) throw fault(this.files[0]!, 'the tape is empty');
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

const fault = (file: string, problem: string): TapeError =>
  new TapeError({ file, line: 0, offset: 0 }, problem);

/** One file on its way from bytes to lines. */
class FileReading {
  last: TapeLine | null = null;
  /** Pieces of a line that has no end yet, and their bytes. */
  #rest: Buffer[] = [];
  #waiting = 0;
  #row = 0;
  #offset = 0;
  #problem: string | null = null;

  constructor(
    private readonly file: string,
    private readonly chain: Chain,
    private readonly judgeFirst: (bytes: Buffer) => Judged,
  ) {}

  /** Of the line that comes next. */
  get place(): TapePlace {
    return { file: this.file, line: this.#row + 1, offset: this.#offset };
  }

  get ending(): TapeEnding {
    const isClosed = this.last?.kind === 'close' && this.#waiting === 0;
    return { state: isClosed ? 'closed' : 'unfinished', file: this.file, tornBytes: this.#waiting };
  }

  /** @throws TapeError for the line at which the batch before ended early */
  check(): void {
    if (this.#problem !== null) throw new TapeError(this.place, this.#problem);
  }

  /** @returns the whole lines of what came so far, up to the first that is not as it was written */
  take(piece: Buffer): readonly PlacedLine[] {
    if (!piece.includes(LINE_FEED)) return this.#wait(piece);
    const text = this.#waiting === 0 ? piece : Buffer.concat([...this.#rest, piece]);
    this.#rest = [];
    this.#waiting = 0;
    const batch: PlacedLine[] = [];
    let at = 0;
    for (let end = text.indexOf(LINE_FEED); end >= 0; end = text.indexOf(LINE_FEED, at)) {
      const placed = this.#line(text.subarray(at, end));
      if (placed === null) return batch;
      batch.push(placed);
      at = end + 1;
    }
    this.#wait(text.subarray(at));
    return batch;
  }

  /** Its line goes on in the next piece. @returns the lines that it brings: none */
  #wait(piece: Buffer): readonly PlacedLine[] {
    if (piece.length > 0) this.#rest.push(Buffer.from(piece));
    this.#waiting += piece.length;
    if (this.#waiting > LONGEST_LINE)
      this.#problem = `expected a line of at most ${LONGEST_LINE / 1_048_576} MiB`;
    return [];
  }

  #line(bytes: Buffer): PlacedLine | null {
    const { place } = this;
    const judged = this.#judged(bytes);
    if (!judged.ok) {
      this.#problem = judged.problem;
      return null;
    }
    this.#row += 1;
    this.#offset += bytes.length + 1;
    this.last = judged.line;
    return { line: judged.line, place };
  }

  #judged(bytes: Buffer): Judged {
    if (this.last?.kind === 'close') return { ok: false, problem: 'text follows after the last line' };
    return this.#row === 0 ? this.judgeFirst(bytes) : this.chain.judge(bytes);
  }
}
