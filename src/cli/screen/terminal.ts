import type { WriteStream } from 'node:tty';
import type { ScreenSize } from './dashboard.js';
import { cut, widthOf } from './text.js';

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
 * Lines are cut to its width and never wrapped, and there are never more of them than rows: nothing is pushed out of the
 * window by a refresh.
 */
export class TerminalBlock {
  /** The last picture, and how many columns the window had. */
  private drawn: readonly string[] = [];
  private columns = 0;
  private open = false;

  constructor(private readonly output: WriteStream) {}

  get size(): ScreenSize {
    const { rows, columns } = this.output;
    return { rows: rows > 0 ? rows : DEFAULT.rows, columns: columns > 0 ? columns : DEFAULT.columns };
  }

  /** A line is cleared before it is written: after one that fills its width its last character would go. */
  draw(lines: readonly string[]): void {
    const { rows, columns } = this.size;
    const fit = lines.slice(0, rows).map((line) => cut(line, columns));
    const start = this.open ? '' : HIDE_CURSOR;
    const above = this.rowsOfDrawn(columns) - 1;
    const up = above > 0 ? `\u001B[${above}A\r` : '\r';
    const body = fit.map((line) => `${CLEAR_LINE_END}${line}`).join('\r\n');
    this.output.write(`${start}${NO_WRAP}${up}${body}${CLEAR_BELOW}${WRAP}`);
    this.open = true;
    this.drawn = fit;
    this.columns = columns;
  }

  /** Leaves the picture and puts the cursor below it. */
  end(): void {
    if (!this.open) return;
    this.open = false;
    this.drawn = [];
    this.output.write(`\r\n${SHOW_CURSOR}`);
  }

  /** A window that was made narrower has broken the lines that it showed. */
  private rowsOfDrawn(columns: number): number {
    if (columns >= this.columns) return this.drawn.length;
    return this.drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
  }
}
