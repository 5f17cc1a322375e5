import { stderr } from 'node:process';
import { fitted, type Segment } from './text.js';
import { durationText } from './format.js';

const CLEAR = '\r\u001B[K';
/** For a terminal that does not tell. */
const COLUMNS = 80;

/** One line of a terminal that is written anew in place, never wider than that; on anything else nothing is written. */
export class LiveLine {
  #isShown = false;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  get isSeen(): boolean {
    return this.stream.isTTY;
  }

  /** @param between as of {@link fitted} */
  show(segments: readonly Segment[], between?: string): void {
    if (!this.isSeen) return;
    this.#isShown = true;
    const columns = this.stream.columns > 0 ? this.stream.columns : COLUMNS;
    this.stream.write(CLEAR + fitted(segments, columns, between));
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#isShown) this.stream.write(CLEAR);
    this.#isShown = false;
  }
}

/** A line on a terminal that is written anew: how far, how fast, how long still. */

const WIDTH = 24;
/** Oftener nobody can read. */
const PAUSE_MS = 100;

export class ProgressBar {
  readonly #line: LiveLine;
  readonly #startedAt = performance.now();
  #shownAt = 0;

  /** @param stream nothing is written unless it is a terminal */
  constructor(
    stream: NodeJS.WriteStream,
    private readonly title: string,
  ) {
    this.#line = new LiveLine(stream);
  }

  show(done: number, all: number): void {
    const now = performance.now();
    if (!this.#line.isSeen || now - this.#shownAt < PAUSE_MS) return;
    this.#shownAt = now;
    this.#line.show(progressSegments(this.title, done, all, (now - this.#startedAt) / 1_000));
  }

  /** Takes the line away. */
  close(): void {
    this.#line.clear();
  }
}

/** `backtest  ########--------   52 %  812,000 events/s  3 s left` */
function progressSegments(title: string, done: number, all: number, seconds: number): readonly Segment[] {
  const share = all === 0 ? 1 : done / all;
  const filled = Math.round(share * WIDTH);
  const rate = seconds === 0 ? 0 : done / seconds;
  return [
    { text: title, rank: 2 },
    { text: '#'.repeat(filled) + '-'.repeat(WIDTH - filled), rank: 3 },
    { text: `${String(Math.floor(share * 100)).padStart(3)} %`, rank: 0 },
    { text: `${Math.round(rate).toLocaleString('en-US')} events/s`, rank: 4 },
    { text: rate === 0 ? '' : `${Math.ceil((all - done) / rate)} s left`, rank: 1 },
  ];
}

/** How far a long reading is, on one line of standard error; nothing when that is no terminal. */

const EVERY_MS = 200;

export class ReadingProgress {
  readonly #line: LiveLine;
  readonly #startedAt = performance.now();
  #read = 0;
  #shownAt = 0;

  /** @param total bytes there are to read */
  constructor(
    private readonly what: string,
    private readonly total: number,
    stream: NodeJS.WriteStream = stderr,
  ) {
    this.#line = new LiveLine(stream);
  }

  readonly onRead = (bytes: number): void => {
    this.#read += bytes;
    const now = performance.now();
    if (!this.#line.isSeen || now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    this.#line.show(readingSegments(this.what, this.#read, this.total, now - this.#startedAt), '');
  };

  /** Takes the line away. */
  done(): void {
    this.#line.clear();
  }
}

/** `verifying 42 % of 12.5 MiB, 00:03 left` */
function readingSegments(what: string, read: number, total: number, elapsedMs: number): readonly Segment[] {
  const part = total === 0 ? 1 : Math.min(1, read / total);
  return [
    { text: `${what} `, rank: 1 },
    { text: `${Math.floor(part * 100)} %`, rank: 0 },
    { text: ` of ${(total / 1_048_576).toFixed(1)} MiB`, rank: 3 },
    { text: part === 0 ? '' : `, ${durationText((elapsedMs / part) * (1 - part))} left`, rank: 2 },
  ];
}
