import { fitted, type Segment } from './segments.js';

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
