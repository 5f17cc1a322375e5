import type { WriteStream } from 'node:tty';
import type { ScreenSize } from './dashboard.js';

const HIDE_CURSOR = '\u001B[?25l';
/** What a screen that ends at once still has to say. */
export const SHOW_CURSOR = '\u001B[?25h';
const CLEAR_LINE_END = '\u001B[K';
const CLEAR_BELOW = '\u001B[J';
const NO_WRAP = '\u001B[?7l';
const WRAP = '\u001B[?7h';
/** For a terminal that does not tell. */
const DEFAULT: ScreenSize = { rows: 40, columns: 80 };

/**
 * Refreshes a block of lines in place, below what the terminal showed before; the last picture stays when it ends.
 * Lines are never wrapped, so that the block keeps its height in a narrow window.
 */
export class TerminalBlock {
  private height = 0;
  private open = false;

  constructor(private readonly output: WriteStream) {}

  get size(): ScreenSize {
    const { rows, columns } = this.output;
    return { rows: rows > 0 ? rows : DEFAULT.rows, columns: columns > 0 ? columns : DEFAULT.columns };
  }

  /** A line is cleared before it is written: after one that fills its width its last character would go. */
  draw(lines: readonly string[]): void {
    const start = this.open ? '' : HIDE_CURSOR;
    this.open = true;
    const up = this.height > 1 ? `\u001B[${this.height - 1}A\r` : '\r';
    const body = lines.map((line) => `${CLEAR_LINE_END}${line}`).join('\r\n');
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
