/** The text of a file, plain or packed with gzip or bzip2, in pieces and in lines. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { constants, createGunzip, type Gunzip } from 'node:zlib';
import unbzip2 from 'unbzip2-stream';
import { TapeError, unreadable, wholeFile } from './tape-files.js';

const PIECE = 65_536;
const UNPACKED_PIECE = 262_144;
const GZIP_MAGIC = 0x1f8b;
const BZIP2_MAGIC = 'BZh';
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** How much of the packed file has been read: for progress. */
export type OnRead = (bytes: number) => void;

/**
 * Whether packed data may end early. A tape's do when its process was killed, and what follows tells whether that is
 * allowed. A recording's do only when it was cut off on its way here.
 */
export type PackedEnd = 'may be cut off' | 'whole';

/**
 * Reads a file. Everything up to a damage arrives before the damage is reported.
 * @returns pieces of text as bytes
 * @throws TapeError when it cannot be read, or its packed data are damaged
 */
export async function* textOf(
  path: string,
  onRead: OnRead,
  end: PackedEnd = 'may be cut off',
): AsyncGenerator<Buffer> {
  yield* unpacked(path, piecesOf(path, onRead), end);
}

async function* piecesOf(path: string, onRead: OnRead): AsyncGenerator<Buffer> {
  const file = await openFile(path);
  try {
    for (;;) {
      const { bytesRead, buffer } = await readPiece(file, path);
      if (bytesRead === 0) return;
      onRead(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/**
 * Unpacks bytes by what they begin with. Everything up to a damage arrives before the damage is reported.
 * @param path for messages
 * @throws TapeError when the packed data are damaged
 */
export async function* unpacked(
  path: string,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  end: PackedEnd,
): AsyncGenerator<Buffer> {
  let unpacker: Unpacker | null | undefined;
  for await (const piece of pieces) {
    if (unpacker === undefined) unpacker = unpackerOf(path, piece, end);
    if (unpacker === null) yield piece;
    else yield* unpacker.unpack(piece);
  }
  if (unpacker !== null && unpacker !== undefined) yield* unpacker.finish();
}

/** @returns null for plain text */
function unpackerOf(path: string, first: Buffer, end: PackedEnd): Unpacker | null {
  if (first.length > 1 && first.readUInt16BE(0) === GZIP_MAGIC) return new Gunzipper(path, end);
  return first.toString('latin1', 0, BZIP2_MAGIC.length) === BZIP2_MAGIC ? new Bunzipper(path) : null;
}

/** Size on disk, all files together. */
export async function packedBytes(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map((path) => stat(path).then(({ size }) => size)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Opening a pipe would wait for a writer, and what was read of it is gone: pipes and devices are refused. */
async function openFile(path: string): Promise<FileHandle> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory())
      throw new TapeError(wholeFile(path), 'is a pipe or a device; expected a file');
    return await open(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readPiece(file: FileHandle, path: string) {
  try {
    return await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE);
  } catch (error) {
    throw unreadable(path, error);
  }
}

interface Unpacker {
  unpack(piece: Buffer): AsyncIterable<Buffer> | Iterable<Buffer>;
  finish(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Unpacks step by step: an error would make a stream throw away what precedes it. */
class Gunzipper implements Unpacker {
  readonly #gunzip: Gunzip;
  #pieces: Buffer[] = [];
  #error: Error | null = null;
  /** Zeros behind the packed data end the stream before the file ends. */
  #hasEnded = false;
  #settle = (): void => undefined;

  constructor(
    private readonly path: string,
    end: PackedEnd,
  ) {
    const finishFlush = end === 'whole' ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    this.#gunzip = createGunzip({ finishFlush, chunkSize: UNPACKED_PIECE });
    this.#gunzip.on('data', (piece: Buffer) => this.#pieces.push(piece));
    this.#gunzip.on('end', () => {
      this.#hasEnded = true;
      this.#settle();
    });
    this.#gunzip.on('error', (error) => {
      this.#error ??= error;
      this.#settle();
    });
  }

  async *unpack(piece: Buffer): AsyncGenerator<Buffer> {
    if (this.#hasEnded) return;
    await this.#settled(() => this.#gunzip.write(piece, () => this.#settle()));
    yield* this.#taken();
  }

  async *finish(): AsyncGenerator<Buffer> {
    if (!this.#hasEnded) await this.#settled(() => this.#gunzip.end());
    yield* this.#taken();
  }

  #settled(begin: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      begin();
    });
  }

  *#taken(): Generator<Buffer> {
    const pieces = this.#pieces;
    this.#pieces = [];
    yield* pieces;
    if (this.#error === null) return;
    const problem = `the packed data are damaged (${this.#error.message})`;
    throw new TapeError(wholeFile(this.path), problem, { cause: this.#error });
  }
}

/** Unpacks block by block; several streams behind each other are one text. */
class Bunzipper implements Unpacker {
  readonly #stream = unbzip2();
  #pieces: Buffer[] = [];
  #error: Error | null = null;

  constructor(private readonly path: string) {
    this.#stream.on('data', (piece: Buffer) => this.#pieces.push(piece));
    this.#stream.on('error', (error: Error) => (this.#error ??= error));
  }

  *unpack(piece: Buffer): Generator<Buffer> {
    this.#stream.write(piece);
    yield* this.#taken();
  }

  *finish(): Generator<Buffer> {
    this.#stream.end();
    yield* this.#taken();
  }

  *#taken(): Generator<Buffer> {
    const pieces = this.#pieces;
    this.#pieces = [];
    yield* pieces;
    if (this.#error === null) return;
    const problem = 'the bzip2 data are cut off or damaged; fetch the file again';
    throw new TapeError(wholeFile(this.path), problem, { cause: this.#error });
  }
}

/** Told of each line: where it lies in the bytes, and how many bytes of the text precede it. */
export type LineReader = (bytes: Buffer, from: number, to: number, offset: number) => void;

/** Cuts pieces of text into lines; a line that spans pieces is put together. Line feeds are not part of lines. */
export class LineSplitter {
  /** Pieces of a line that has no end yet. */
  private rest: Buffer[] = [];
  private waiting = 0;
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

  push(piece: Buffer): void {
    let text = piece;
    let end = piece.indexOf(LINE_FEED);
    if (end >= 0 && this.waiting > 0) {
      text = this.joined(piece);
      end = text.indexOf(LINE_FEED);
    }
    let from = 0;
    for (; end >= 0; end = text.indexOf(LINE_FEED, from)) {
      this.line(text, from, end);
      from = end + 1;
    }
    if (from === text.length) return;
    this.rest.push(text.subarray(from));
    this.waiting += text.length - from;
  }

  /** What stands behind the last line feed is a line, too. */
  end(): void {
    if (this.waiting === 0) return;
    const text = this.joined(Buffer.alloc(0));
    this.line(text, 0, text.length);
    this.offset -= 1;
  }

  private line(bytes: Buffer, from: number, end: number): void {
    const to = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.read(bytes, from, to, this.offset);
    this.offset += end - from + 1;
  }

  private joined(last: Buffer): Buffer {
    const text = Buffer.concat([...this.rest, last]);
    this.rest = [];
    this.waiting = 0;
    return text;
  }
}
