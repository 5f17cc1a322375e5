/** How far a long reading is, on one line of standard error; nothing when that is no terminal. */
import { stderr } from 'node:process';
import { durationText } from './format.js';

const EVERY_MS = 200;
const CLEAR = '\r\x1b[2K';

export class ReadingProgress {
  readonly #startedAt = performance.now();
  readonly #isShown = stderr.isTTY;
  #read = 0;
  #shownAt = 0;

  /** @param total bytes there are to read */
  constructor(
    private readonly what: string,
    private readonly total: number,
  ) {}

  readonly onRead = (bytes: number): void => {
    this.#read += bytes;
    const now = performance.now();
    if (!this.#isShown || now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    stderr.write(`${CLEAR}${progressText(this.what, this.#read, this.total, now - this.#startedAt)}`);
  };

  /** Takes the line away. */
  done(): void {
    if (this.#isShown) stderr.write(CLEAR);
  }
}

/** `verifying 42 % of 12.5 MiB, 00:03 left` */
export function progressText(what: string, read: number, total: number, elapsedMs: number): string {
  const part = total === 0 ? 1 : Math.min(1, read / total);
  const left = part === 0 ? '' : `, ${durationText((elapsedMs / part) * (1 - part))} left`;
  return `${what} ${Math.floor(part * 100)} % of ${(total / 1_048_576).toFixed(1)} MiB${left}`;
}
