import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a file is called until it is whole. */
export const UNFINISHED = '.new';

const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants;

/** A file that appears under its name only when it is whole. Whatever throws leaves the name alone. */
export class NewFile {
  readonly #path: string;
  readonly #file: number;
  #isOpen = true;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path + UNFINISHED, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
  }

  write(bytes: Buffer): void {
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
  }

  /** Gives the file its name without waiting for the disk. @returns it, open for appending */
  name(): number {
    renameSync(this.#path + UNFINISHED, this.#path);
    return this.#file;
  }

  /** The file is complete: names and closes it, and it outlasts a power loss. */
  publish(): void {
    fsyncSync(this.#file);
    this.name();
    this.#close();
    syncFolder(dirname(this.#path));
  }

  /** Gives up a file that could not be finished. */
  discard(): void {
    this.#close();
    rmSync(this.#path + UNFINISHED, { force: true });
  }

  /** A number that was given back may be another file's by now. */
  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** A new name survives a power loss only once its folder is on the disk. */
export function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
