import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder, UNFINISHED, writeBytes } from '../files/whole-files.js';

/** A file that grows at its end. */
export class LogFile {
  #bytes: number;

  /**
   * @param path        its name
   * @param file        open for appending
   * @param background  the same file, opened again: the system reports a failed write once per descriptor, and both kinds
   *                    of sync have to hear of it
   */
  private constructor(
    readonly path: string,
    private readonly file: number,
    private readonly background: number,
    bytes: number,
  ) {
    this.#bytes = bytes;
  }

  /**
   * Begins a file. It has its name only when its text is on the disk.
   * @throws an error of the file system; nothing is left of the file then
   */
  static begin(path: string, text: string): LogFile {
    const bytes = Buffer.from(text);
    const unfinished = path + UNFINISHED;
    rmSync(unfinished, { force: true });
    const [file, background] = openedTwice(unfinished);
    try {
      writeBytes(file, bytes);
      fsyncSync(file);
      renameSync(unfinished, path);
      syncFolder(dirname(path));
    } catch (error) {
      for (const descriptor of [file, background]) closeSync(descriptor);
      for (const name of [unfinished, path]) rmSync(name, { force: true });
      throw error;
    }
    return new LogFile(path, file, background, bytes.length);
  }

  /** Goes on with a file behind its intact bytes. @throws an error of the file system; nothing is left open then */
  static open(path: string, intactBytes: number): LogFile {
    const [file, background] = openedTwice(path);
    try {
      ftruncateSync(file, intactBytes);
    } catch (error) {
      for (const descriptor of [file, background]) closeSync(descriptor);
      throw error;
    }
    return new LogFile(path, file, background, intactBytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it still stands under its name: nobody finds again what is written to one that does not. */
  get isInPlace(): boolean {
    const { dev, ino } = fstatSync(this.file);
    try {
      const named = statSync(this.path);
      return named.ino === ino && named.dev === dev;
    } catch {
      return false;
    }
  }

  /** @throws an error of the file system; {@link takeBack} what arrived then */
  append(bytes: Buffer): void {
    writeBytes(this.file, bytes);
    this.#bytes += bytes.length;
  }

  /** Removes half a line: it would make the next one unreadable. @throws an error of the file system */
  takeBack(): void {
    ftruncateSync(this.file, this.#bytes);
  }

  /** @throws an error of the file system */
  sync(): void {
    fdatasyncSync(this.file);
  }

  /** @returns what went wrong; null when everything is on the disk */
  syncInBackground(): Promise<Error | null> {
    return new Promise((resolve) => fdatasync(this.background, resolve));
  }

  close(): void {
    closeSync(this.file);
    closeSync(this.background);
  }
}

function openedTwice(path: string): readonly [file: number, background: number] {
  const file = openSync(path, 'a', 0o600);
  try {
    return [file, openSync(path, 'a', 0o600)];
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
