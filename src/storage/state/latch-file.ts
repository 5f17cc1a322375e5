import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder, replaceFile, makeFolder } from '../files/whole-files.js';

/** Why something was latched, for the person who clears it. */
export interface LatchRecord {
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
}

/** An empty file: there was no room for a reason. */
const UNTOLD: LatchRecord = { reason: 'no reason could be written down', at: 'an unknown time' };

/**
 * A file that stands for "no": up from the moment it is raised, through every restart, until a person clears it. Its
 * existence counts, not its content, so that it can be raised on a full disk.
 */
export class LatchFile {
  constructor(readonly path: string) {}

  /** A file that cannot be looked at counts as up. */
  get isUp(): boolean {
    return this.#look() !== 'down';
  }

  /** The reason; null while it is not up. */
  read(): LatchRecord | null {
    try {
      return recordIn(readFileSync(this.path, 'utf8'));
    } catch {
      const found = this.#look();
      if (found === 'down') return null;
      return found === 'up'
        ? UNTOLD
        : { ...UNTOLD, reason: `nobody can look whether it does (${found.message})` };
    }
  }

  /** Makes a spare file ahead, so that raising needs no room on the disk. @throws an error of the file system */
  prepare(): void {
    makeFolder(dirname(this.path));
    writeFileSync(this.#spare, '', { mode: 0o600 });
  }

  /**
   * Raises it; the first reason stays.
   * @returns whether this call raised it
   * @throws an error of the file system when it is not up afterwards
   */
  raise(record: LatchRecord): boolean {
    if (this.isUp) return false;
    try {
      this.#write(record);
    } catch (error) {
      if (!this.#raiseSpare()) throw error;
    }
    this.#outlastPowerLoss();
    return true;
  }

  /** @returns whether it was up. @throws an error of the file system */
  clear(): boolean {
    const wasUp = this.isUp;
    rmSync(this.path, { force: true });
    return wasUp;
  }

  #look(): 'up' | 'down' | Error {
    try {
      return statSync(this.path, { throwIfNoEntry: false }) === undefined ? 'down' : 'up';
    } catch (error) {
      return error as Error;
    }
  }

  get #spare(): string {
    return `${this.path}.spare`;
  }

  #write(record: LatchRecord): void {
    replaceFile(this.path, JSON.stringify(record));
  }

  /** A rename, or at the worst a new empty file, takes no room for content. */
  #raiseSpare(): boolean {
    try {
      renameSync(this.#spare, this.path);
    } catch {
      this.#touch();
    }
    return this.isUp;
  }

  #outlastPowerLoss(): void {
    try {
      syncFolder(dirname(this.path));
    } catch {
      // It is up; a power loss within the next seconds alone could take it back.
    }
  }

  #touch(): void {
    try {
      closeSync(openSync(this.path, 'a', 0o600));
    } catch {
      // The caller looks whether it is up.
    }
  }
}

function recordIn(text: string): LatchRecord {
  const { reason, at } = JSON.parse(text) as Partial<LatchRecord>;
  return typeof reason === 'string' && typeof at === 'string' ? { reason, at } : UNTOLD;
}
