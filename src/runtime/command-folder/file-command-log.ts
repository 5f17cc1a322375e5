import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { CommandLog, CommandRecord } from '../../ports/command-log.js';
import { JournalError } from '../../ports/journal.js';
import { sealLine } from '../sealed-line.js';
import { beginSegment, type SegmentEnd } from './segment.js';

/** How large a file grows before the next one is begun. */
export interface SegmentSize {
  readonly records: number;
  readonly bytes: number;
}

export interface FileCommandLogOptions {
  readonly dir: string;
  readonly configHash: string;
  readonly size: SegmentSize;
  /** Told that a file has ended, with the sequence of its last record: nothing is appended to it any more. */
  readonly onSegmentEnd: (last: number) => void;
  /** Told once when a sync in the background failed; every later append throws. */
  readonly onSyncFailure: (error: JournalError) => void;
}

const GROUP_DELAY_MS = 4;
/** After a file could not be begun, so many more records go into the one before. */
const RETRY_AFTER_RECORDS = 1_000;

/**
 * Every command of the exchange in append-only files: in the kernel before the command is executed, on the disk
 * within 5 ms together with its neighbours. One process at a time: hold the folder's lock.
 */
export class FileCommandLog<Command> implements CommandLog<Command> {
  readonly #options: FileCommandLogOptions;
  #file: number;
  #end: SegmentEnd;
  /** No file is begun before this record. */
  #beginsFrom = 0;
  #nameIsNew = true;
  #timer: NodeJS.Timeout | null = null;
  #syncing: Promise<void> = Promise.resolve();
  #failed: JournalError | null = null;

  /** @param end of the last file of the folder, whose torn tail is cut. @param file it, when it is open already */
  constructor(options: FileCommandLogOptions, end: SegmentEnd, file?: number) {
    this.#options = options;
    this.#end = end;
    this.#file = file ?? openSync(end.path, 'a', 0o600);
    if (file === undefined) ftruncateSync(this.#file, end.intactBytes);
  }

  get lastSequence(): number {
    return this.#end.last;
  }

  append(record: CommandRecord<Command>): void {
    if (this.#failed !== null) throw this.#failed;
    if (this.#isFull()) this.#beginNext();
    const { text, sum } = sealLine(JSON.stringify(record), this.#end.sum);
    const bytes = Buffer.from(text);
    this.#write(bytes);
    const intactBytes = this.#end.intactBytes + bytes.length;
    this.#end = { ...this.#end, last: record.sequence, sum, intactBytes };
    this.#syncSoon();
  }

  async close(): Promise<void> {
    if (this.#failed?.fault === 'closed') return;
    this.#failed = new JournalError('closed', `the command log in ${this.#options.dir} is closed`);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#syncing;
    try {
      fdatasyncSync(this.#file);
    } finally {
      closeSync(this.#file);
    }
  }

  #isFull(): boolean {
    const { size } = this.#options;
    const { first, last, intactBytes } = this.#end;
    const isLong = last - first + 1 >= size.records || (intactBytes >= size.bytes && last >= first);
    return isLong && last >= this.#beginsFrom;
  }

  /** Leaves the file as it was when the line does not fit: half a line would make the next one unreadable. */
  #write(bytes: Buffer): void {
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      this.#takeBack();
      throw journalError(error, this.#options.dir);
    }
  }

  #takeBack(): void {
    try {
      ftruncateSync(this.#file, this.#end.intactBytes);
    } catch (error) {
      this.#failed = journalError(error, this.#options.dir);
    }
  }

  /**
   * What was written is on the disk before the next file is, so that no power loss leaves a gap between them; all but
   * the last 5 ms of it are there already. A file that cannot be begun costs nothing: the one before goes on.
   */
  #beginNext(): void {
    this.#syncNow();
    const { dir, configHash } = this.#options;
    const { last, sum } = this.#end;
    try {
      const { file, end } = beginSegment(dir, configHash, last + 1, sum);
      this.#moveTo(file, end);
    } catch {
      this.#beginsFrom = last + RETRY_AFTER_RECORDS;
      return;
    }
    this.#options.onSegmentEnd(last);
  }

  #moveTo(file: number, end: SegmentEnd): void {
    const previous = this.#file;
    // A sync in the background may still hold the old file.
    void this.#syncing.then(() => closeSync(previous));
    this.#file = file;
    this.#end = end;
    this.#nameIsNew = true;
  }

  #syncNow(): void {
    try {
      fdatasyncSync(this.#file);
    } catch (error) {
      throw this.#syncFailed(error as Error);
    }
  }

  #syncSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#syncing = this.#syncing.then(() => this.#syncInBackground());
    }, GROUP_DELAY_MS);
  }

  async #syncInBackground(): Promise<void> {
    const cause = (await this.#syncName()) ?? (await this.#syncFile());
    if (cause === null || this.#failed !== null) return;
    this.#options.onSyncFailure(this.#syncFailed(cause));
  }

  #syncFile(): Promise<Error | null> {
    return new Promise((resolve) => fdatasync(this.#file, resolve));
  }

  /** The name of a file that was begun, once. */
  async #syncName(): Promise<Error | null> {
    if (!this.#nameIsNew) return null;
    this.#nameIsNew = false;
    return syncFolderInBackground(this.#options.dir).then(
      () => null,
      (cause: Error) => cause,
    );
  }

  /** For good: after a failed sync the kernel may drop the pages, and the next sync would report success. */
  #syncFailed(cause: Error): JournalError {
    this.#failed = new JournalError('sync-failed', `${this.#options.dir}: ${cause.message}`, { cause });
    return this.#failed;
  }
}

async function syncFolderInBackground(dir: string): Promise<void> {
  const folder = await open(dir);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function journalError(error: unknown, dir: string): JournalError {
  const { code, message } = error as NodeJS.ErrnoException;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new JournalError(full ? 'disk-full' : 'write-failed', `${dir}: ${message}`, { cause: error });
}
