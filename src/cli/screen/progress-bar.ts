/** A line on a terminal that is written anew: how far, how fast, how long still. */

const WIDTH = 24;
/** Oftener nobody can read. */
const PAUSE_MS = 100;

export class ProgressBar {
  readonly #startedAt = performance.now();
  #shownAt = 0;
  #isShown = false;

  /** @param stream nothing is written unless it is a terminal */
  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly title: string,
  ) {}

  show(done: number, all: number): void {
    const now = performance.now();
    if (!this.stream.isTTY || now - this.#shownAt < PAUSE_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    this.stream.write(`\r\u001B[K${progressLine(this.title, done, all, (now - this.#startedAt) / 1_000)}`);
  }

  /** Takes the line away. */
  close(): void {
    if (this.#isShown) this.stream.write('\r\u001B[K');
  }
}

/** `backtest ########-------- 52 %  812,000 events/s  3 s left` */
export function progressLine(title: string, done: number, all: number, seconds: number): string {
  const share = all === 0 ? 1 : done / all;
  const filled = Math.round(share * WIDTH);
  const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled);
  const rate = seconds === 0 ? 0 : done / seconds;
  const left = rate === 0 ? '' : `  ${Math.ceil((all - done) / rate)} s left`;
  const perSecond = Math.round(rate).toLocaleString('en-US');
  return `${title} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${perSecond} events/s${left}`;
}
