/** A line on a terminal that is written anew: how far, how fast, how long still. */
import { LiveLine } from './live-line.js';
import type { Segment } from './segments.js';

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
