import type { WriteStream } from 'node:tty';

const HIDE_CURSOR = '\u001B[?25l';
/** What a screen that ends at once still has to say. */
export const SHOW_CURSOR = '\u001B[?25h';
const CLEAR_LINE_END = '\u001B[K';
const CLEAR_BELOW = '\u001B[J';
const NO_WRAP = '\u001B[?7l';
const WRAP = '\u001B[?7h';
const DEFAULT_ROWS = 40;

/**
 * Refreshes a block of lines in place, below what the terminal showed before; the last picture stays when it ends.
 * Lines are never wrapped, so that the block keeps its height in a narrow window.
 */
export class TerminalBlock {
  private height = 0;
  private open = false;

  constructor(private readonly output: WriteStream) {}

  get rows(): number {
    return this.output.rows > 0 ? this.output.rows : DEFAULT_ROWS;
  }

  draw(lines: readonly string[]): void {
    const start = this.open ? '' : HIDE_CURSOR;
    this.open = true;
    const up = this.height > 1 ? `\u001B[${this.height - 1}A\r` : '\r';
    const body = lines.map((line) => `${line}${CLEAR_LINE_END}`).join('\r\n');
    this.output.write(`${start}${NO_WRAP}${up}${body}${CLEAR_BELOW}${WRAP}`);
    this.height = lines.length;
  }

  /** Leaves the picture and puts the cursor below it. */
  end(): void {
    if (!this.open) return;
    this.open = false;
    this.height = 0;
    this.output.write(`\r\n${SHOW_CURSOR}`);
  }
}
