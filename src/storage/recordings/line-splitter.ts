const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Told of each line: where it lies in the bytes, and how many bytes of the text stand before it. */
export type LineReader = (bytes: Uint8Array, from: number, to: number, offset: number) => void;

/** Cuts chunks of bytes into lines; a line that spans chunks is put together. Line feeds are not part of lines. */
export class LineSplitter {
  /** Pieces of a line that has no end yet. */
  private rest: Uint8Array[] = [];
  private waiting = 0;
  /** Bytes of the text before the line that comes next. */
  private offset = 0;

  constructor(private readonly read: LineReader) {}

  /** Bytes seen so far that belong to no complete line. */
  get pending(): number {
    return this.waiting;
  }

  /** Bytes in complete lines. */
  get taken(): number {
    return this.offset;
  }

  push(chunk: Uint8Array): void {
    let end = chunk.indexOf(LINE_FEED);
    let from = 0;
    if (end >= 0 && this.waiting > 0) {
      const bytes = this.joined(chunk.subarray(0, end));
      this.line(bytes, 0, bytes.length);
      from = end + 1;
      end = chunk.indexOf(LINE_FEED, from);
    }
    for (; end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.line(chunk, from, end);
      from = end + 1;
    }
    if (from === chunk.length) return;
    this.rest.push(chunk.slice(from));
    this.waiting += chunk.length - from;
  }

  /** What stands behind the last line feed is a line, too. */
  end(): void {
    if (this.waiting === 0) return;
    const bytes = this.joined(new Uint8Array(0));
    this.line(bytes, 0, bytes.length);
    this.offset -= 1;
  }

  /** Moves the offset behind the line and its line feed. */
  private line(bytes: Uint8Array, from: number, end: number): void {
    const to = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.read(bytes, from, to, this.offset);
    this.offset += end - from + 1;
  }

  /** What waits and what follows it, as one. */
  private joined(last: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.waiting + last.length);
    let at = 0;
    for (const piece of [...this.rest, last]) {
      bytes.set(piece, at);
      at += piece.length;
    }
    this.rest = [];
    this.waiting = 0;
    return bytes;
  }
}
