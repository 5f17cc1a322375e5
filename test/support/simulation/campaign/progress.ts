const WIDTH = 30;
/** Without a terminal a line now and then is enough. */
const LINES = 20;

/** How far a campaign is, on standard error: a bar in a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #total: number;
  readonly #isTerminal = process.stderr.isTTY;
  #told = 0;

  constructor(total: number) {
    this.#total = total;
  }

  advance(done: number, violations: number): void {
    const share = done / this.#total;
    const text = `${done} of ${this.#total} seeds, ${violations} violations`;
    if (this.#isTerminal) {
      const full = Math.round(share * WIDTH);
      process.stderr.write(`\r[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${text}`);
    } else if (Math.floor(share * LINES) > this.#told) {
      this.#told = Math.floor(share * LINES);
      process.stderr.write(`${text}\n`);
    }
  }

  /** Something that stays on the screen. */
  say(text: string): void {
    process.stderr.write(this.#isTerminal ? `\r\u001b[K${text}\n` : `${text}\n`);
  }

  end(): void {
    if (this.#isTerminal) process.stderr.write('\n');
  }
}
