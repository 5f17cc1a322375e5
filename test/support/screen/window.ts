import type { WriteStream } from 'node:tty';

const ESCAPE = '\u001B';
const COMMAND = new RegExp(`${ESCAPE}\\[(\\??[\\d;]*)([A-Za-z])|.`, 'gsu');

/**
 * The window of a terminal as far as a screen needs it: what is seen, and what was pushed out of its upper end. It keeps
 * lines as they are when it is made narrower, and counts every character as one place.
 */
export class Window {
  /** Lines that left the window at its upper end. */
  readonly scrolled: string[] = [];
  readonly stream: WriteStream;
  #cells: string[][] = [[]];
  #row = 0;
  #column = 0;
  #wraps = true;

  constructor(
    public rows: number,
    public columns: number,
  ) {
    const write = (text: string): boolean => this.#write(text);
    this.stream = Object.defineProperties({ write } as unknown as WriteStream, {
      rows: { get: () => this.rows },
      columns: { get: () => this.columns },
      isTTY: { value: true },
    });
  }

  /** Lines of the window, without colours. */
  get lines(): readonly string[] {
    return this.#cells.map((cells) => Array.from(cells, (cell) => cell ?? ' ').join(''));
  }

  /** As a person who drags its corner: what is too much leaves at the upper end. */
  resize(rows: number, columns: number): void {
    this.rows = rows;
    this.columns = columns;
    while (this.#cells.length > rows) this.#scroll();
    for (const cells of this.#cells) cells.length = Math.min(cells.length, columns);
  }

  #write(text: string): boolean {
    for (const [whole, given = '', letter] of text.matchAll(COMMAND)) {
      if (letter !== undefined) this.#command(given, letter);
      else if (whole === '\r') this.#column = 0;
      else if (whole === '\n') this.#down();
      else this.#put(whole);
    }
    return true;
  }

  #command(given: string, letter: string): void {
    const cells = this.#cells[this.#row]!;
    if (letter === 'A') this.#row = Math.max(0, this.#row - Number(given || 1));
    if (letter === 'K') cells.length = Math.min(cells.length, given === '2' ? 0 : this.#column);
    if (letter === 'J') {
      cells.length = Math.min(cells.length, this.#column);
      this.#cells.length = this.#row + 1;
    }
    if (given === '?7') this.#wraps = letter === 'h';
  }

  #put(character: string): void {
    if (this.#column >= this.columns && this.#wraps) {
      this.#column = 0;
      this.#down();
    }
    this.#cells[this.#row]![Math.min(this.#column, this.columns - 1)] = character;
    this.#column++;
  }

  #down(): void {
    if (this.#row + 1 === this.rows) this.#scroll();
    this.#row++;
    this.#cells[this.#row] ??= [];
  }

  #scroll(): void {
    this.scrolled.push(this.lines[0]!);
    this.#cells.shift();
    this.#row = Math.max(0, this.#row - 1);
  }
}
