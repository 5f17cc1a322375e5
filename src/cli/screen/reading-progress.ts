/** How far a long reading is, on one line of standard error; nothing when that is no terminal. */
import { stderr } from 'node:process';
import { durationText } from './format.js';
import { LiveLine } from './live-line.js';
import type { Segment } from './segments.js';

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
