/** The text of a file, packed or not, in pieces: everything up to a damage arrives, and then the damage. */
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { constants, createGunzip, type Gunzip } from 'node:zlib';
import { TapeError } from './tape-error.js';

const PIECE = 65_536;
const GZIP_MAGIC = 0x1f8b;

/** How much of the packed file has been read: for progress. */
export type OnRead = (bytes: number) => void;

/**
 * Whether packed data may end early. That of a tape whose process was killed does, and whether that is allowed depends
 * on what comes after it; a recording that does was cut off on its way here.
 */
export type PackedEnd = 'may be cut off' | 'whole';

/**
 * @returns pieces of text as bytes
 * @throws TapeError when it cannot be read, or its packed data are damaged
 */
export async function* textOf(
  path: string,
  onRead: OnRead,
  end: PackedEnd = 'may be cut off',
): AsyncGenerator<Buffer> {
  const file = await openFile(path);
  try {
    let unpacker: Unpacker | null = null;
    for (let at = 0; ;) {
      const { bytesRead, buffer } = await readPiece(file, path);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      if (at === 0 && bytesRead > 1 && piece.readUInt16BE(0) === GZIP_MAGIC)
        unpacker = new Unpacker(path, end);
      at += bytesRead;
      onRead(bytesRead);
      if (unpacker === null) yield piece;
      else yield* unpacker.unpack(piece);
    }
    if (unpacker !== null) yield* unpacker.finish();
  } finally {
    await file.close();
  }
}

/** Size on disk, all files together. */
export async function packedBytes(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map((path) => stat(path).then(({ size }) => size)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    refusePipe(path, await stat(path));
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

/** Whoever opens a pipe waits for somebody who writes, and what was read of it is gone. */
function refusePipe(path: string, found: Stats): void {
  if (!found.isFile() && !found.isDirectory())
    throw new TapeError({ file: path, line: 0, offset: 0 }, 'is a pipe or a device; expected a file');
}

/** @param cause what the system says, or an error of our own */
export function unreadable(path: string, cause: unknown): TapeError {
  if (cause instanceof TapeError) return cause;
  const { code = 'unknown reason' } = cause as NodeJS.ErrnoException;
  const problem = code === 'EISDIR' ? 'is a folder; expected a file' : `cannot be read (${code})`;
  return new TapeError({ file: path, line: 0, offset: 0 }, problem, { cause });
}

/** Step by step, so that what precedes a damage is not thrown away with the stream. */
class Unpacker {
  readonly #gunzip: Gunzip;
  #pieces: Buffer[] = [];
  #error: Error | null = null;
  #settle = (): void => undefined;

  constructor(
    private readonly path: string,
    end: PackedEnd,
  ) {
    this.#gunzip = createGunzip(end === 'whole' ? {} : { finishFlush: constants.Z_SYNC_FLUSH });
    this.#gunzip.on('data', (piece: Buffer) => this.#pieces.push(piece));
    this.#gunzip.on('end', () => this.#settle());
    this.#gunzip.on('error', (error) => {
      this.#error ??= error;
      this.#settle();
    });
  }

  async *unpack(piece: Buffer): AsyncGenerator<Buffer> {
    await this.#settled(() => this.#gunzip.write(piece, () => this.#settle()));
    yield* this.#taken();
  }

  async *finish(): AsyncGenerator<Buffer> {
    await this.#settled(() => this.#gunzip.end());
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
    throw new TapeError({ file: this.path, line: 0, offset: 0 }, problem, { cause: this.#error });
  }
}
