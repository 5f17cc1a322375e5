/** A log file that never grows beyond a size: a full one gets a number, and the oldest number goes. */
import { closeSync, existsSync, fstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, writeBytes } from '../../storage/files/whole-files.js';

export interface LogFileOptions {
  readonly path: string;
  readonly maxBytes: number;
  /** Full files that are kept: `path.1` is the youngest. */
  readonly keep: number;
}

export class LogFile {
  readonly #options: LogFileOptions;
  #file: number;
  #bytes: number;

  /** @throws UsageError, or an error of the file system */
  constructor(options: LogFileOptions) {
    this.#options = options;
    makeFolder(dirname(options.path));
    this.#file = openSync(options.path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  /** Writes synchronously, so that the line that explains a crash is there. What a full disk refuses is lost. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#options.maxBytes) this.#turn();
      writeBytes(this.#file, bytes);
      this.#bytes += bytes.length;
    } catch {
      // A log that cannot be written must not stop a bot.
    }
  }

  #turn(): void {
    const { path, keep } = this.#options;
    if (this.#isTurned()) return this.#open();
    rmSync(`${path}.${keep}`, { force: true });
    for (let number = keep - 1; number >= 1; number -= 1)
      if (existsSync(`${path}.${number}`)) renameSync(`${path}.${number}`, `${path}.${number + 1}`);
    if (keep > 0) renameSync(path, `${path}.1`);
    else rmSync(path);
    this.#open();
  }

  /** Whether another process that writes to it gave this one its number. */
  #isTurned(): boolean {
    const now = statSync(this.#options.path, { throwIfNoEntry: false });
    return now !== undefined && now.ino !== fstatSync(this.#file).ino;
  }

  #open(): void {
    closeSync(this.#file);
    this.#file = openSync(this.#options.path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }
}
