import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';

/** Zeros are written up to so far behind the text, and again once half of them is used up. */
const ROOM_BYTES = 131_072;
const ZEROS = Buffer.alloc(ROOM_BYTES);

/**
 * A file that grows at its end, with room made there beforehand: a write then finds its pages and blocks in place, where
 * a new page costs several times the write, and a sync need not write down where new blocks lie. What follows the text is
 * zeros until the file is closed.
 */
export class RoomyFile {
  readonly #path: string;
  readonly #file: number;
  /** Of its own: the system tells each descriptor once that a write failed, and both kinds of sync must hear of it. */
  readonly #background: number;
  #bytes: number;
  #end: number;

  /** Cuts off what lies behind the text. @param bytes length of the text */
  constructor(path: string, bytes: number) {
    this.#path = path;
    [this.#file, this.#background] = openedAt(path, bytes);
    this.#bytes = bytes;
    this.#end = bytes;
  }

  /** Length of the text. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it still stands under its name: what is written to one that does not, nobody finds again. */
  get isInPlace(): boolean {
    const { dev, ino } = fstatSync(this.#file);
    try {
      const named = statSync(this.#path);
      return named.ino === ino && named.dev === dev;
    } catch {
      return false;
    }
  }

  /** Whether {@link makeRoom} would make some. */
  get isCrowded(): boolean {
    return this.#end - this.#bytes < ROOM_BYTES / 2;
  }

  /** @param length of the text at the beginning of the block. @throws an error of the file system; {@link takeBack} what arrived then */
  append(block: Buffer, length: number): void {
    this.#write(block, length, this.#bytes);
    this.#bytes += length;
  }

  /** Leaves the text alone in the file. @throws an error of the file system */
  takeBack(): void {
    ftruncateSync(this.#file, this.#bytes);
    this.#end = this.#bytes;
  }

  /** A disk without room says so when it is needed. */
  makeRoom(): void {
    if (!this.isCrowded) return;
    try {
      this.#write(ZEROS, this.#bytes + ROOM_BYTES - this.#end, this.#end);
    } catch {
      this.#end = this.#bytes;
    }
  }

  /** @throws an error of the file system */
  sync(): void {
    fdatasyncSync(this.#file);
  }

  /** @returns what went wrong; null when everything is on the disk */
  syncInBackground(): Promise<Error | null> {
    return new Promise((resolve) => fdatasync(this.#background, resolve));
  }

  close(): void {
    closeSync(this.#file);
    closeSync(this.#background);
  }

  #write(bytes: Buffer, length: number, position: number): void {
    for (let written = 0; written < length;) {
      written += writeSync(this.#file, bytes, written, length - written, position + written);
      this.#end = Math.max(this.#end, position + written);
    }
  }
}

/** Opens a file twice and cuts it off. Whatever throws leaves nothing open. */
function openedAt(path: string, bytes: number): [file: number, background: number] {
  const opened: number[] = [];
  try {
    const file = openSync(path, 'r+');
    opened.push(file);
    const background = openSync(path, 'r+');
    opened.push(background);
    ftruncateSync(file, bytes);
    return [file, background];
  } catch (error) {
    opened.forEach((one) => closeSync(one));
    throw error;
  }
}
