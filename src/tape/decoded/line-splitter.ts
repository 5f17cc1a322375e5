const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Told of each line: where it lies in the bytes, and how many bytes of the text stand before it. */
export type LineReader = (bytes: Uint8Array, from: number, to: number, offset: number) => void;

/** Cuts chunks of bytes into lines; a line that spans chunks is put together. Line feeds are not part of lines. */
export class LineSplitter {
  private rest: Uint8Array = new Uint8Array(0);
  /** Bytes of the text before what is in `rest`. */
  private offset = 0;

  constructor(private readonly read: LineReader) {}

  /** Bytes seen so far that belong to no complete line. */
  get pending(): number {
    return this.rest.length;
  }

  /** Bytes in complete lines. */
  get taken(): number {
    return this.offset;
  }

  push(chunk: Uint8Array): void {
    const bytes = this.rest.length === 0 ? chunk : joined(this.rest, chunk);
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      this.line(bytes, from, end);
      from = end + 1;
    }
    this.rest = bytes.slice(from);
    this.offset += from;
  }

  /** What stands behind the last line feed is a line, too. */
  end(): void {
    if (this.rest.length > 0) this.line(this.rest, 0, this.rest.length);
    this.offset += this.rest.length;
    this.rest = new Uint8Array(0);
  }

  private line(bytes: Uint8Array, from: number, end: number): void {
    const to = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.read(bytes, from, to, this.offset + from);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
