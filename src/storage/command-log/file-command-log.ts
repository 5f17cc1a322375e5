import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { CommandLog, CommandRecord } from '../../core/ports/command-log.js';
import { JournalError } from '../../core/ports/journal.js';
import { sealLine } from '../log/sealed-line.js';
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
  /** Told that a file has ended and is on the disk, with the sequence of its last record. */
  readonly onSegmentEnd: (last: number) => void;
  /** Told once when a sync in the background failed; every later append throws. */
  readonly onSyncFailure: (error: JournalError) => void;
}

interface EndedFile {
  readonly file: number;
  readonly last: number;
}

const GROUP_DELAY_MS = 4;
/** After a file could not be begun, so many more records go into the one before. */
const RETRY_AFTER_RECORDS = 1_000;

/**
 * Every command of the exchange in append-only files: in the kernel before the command is executed, on the disk
 * within 5 ms together with its neighbours, file by file. One process at a time: hold the folder's lock.
 */
export class FileCommandLog<Command> implements CommandLog<Command> {
  readonly #options: FileCommandLogOptions;
  #file: number;
  #end: SegmentEnd;
  /** No file is begun before this record. */
  #beginsFrom = 0;
  #nameIsNew = true;
  /** Files that have ended and are not synced yet, oldest first. */
  readonly #ended: EndedFile[] = [];
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

  /** Resolves once everything appended so far is on the disk, or will never be. */
  sync(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#syncing = this.#syncing.then(() => this.#syncInBackground());
    return this.#syncing;
  }

  async close(): Promise<void> {
    if (this.#isClosed()) return;
    this.#failed = new JournalError('closed', `the command log in ${this.#options.dir} is closed`);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#syncing;
    for (const file of [...this.#ended.splice(0).map(({ file }) => file), this.#file]) syncAndClose(file);
  }

  #isClosed(): boolean {
    return this.#failed?.fault === 'closed';
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

  /** Waits for no disk. A file that cannot be begun costs nothing: the one before goes on. */
  #beginNext(): void {
    const { dir, configHash } = this.#options;
    const { last, sum } = this.#end;
    try {
      const { file, end } = beginSegment(dir, configHash, last + 1, sum);
      this.#ended.push({ file: this.#file, last });
      this.#file = file;
      this.#end = end;
      this.#nameIsNew = true;
    } catch {
      this.#beginsFrom = last + RETRY_AFTER_RECORDS;
    }
  }

  #syncSoon(): void {
    this.#timer ??= setTimeout(() => void this.sync(), GROUP_DELAY_MS);
  }

  /** Files in their order, so that no power loss leaves a gap between two of them. */
  async #syncInBackground(): Promise<void> {
    if (this.#failed !== null) return;
    try {
      for (let next = this.#ended[0]; next !== undefined && !this.#isClosed(); next = this.#ended[0])
        await this.#syncEnded(next);
      if (this.#nameIsNew) await syncFolderInBackground(this.#options.dir);
      this.#nameIsNew = false;
      await fdatasyncInBackground(this.#file);
    } catch (cause) {
      this.#syncFailed(cause as Error);
    }
  }

  async #syncEnded({ file, last }: EndedFile): Promise<void> {
    await fdatasyncInBackground(file);
    if (this.#isClosed()) return;
    this.#ended.shift();
    closeSync(file);
    this.#options.onSegmentEnd(last);
  }

  /** For good: after a failed sync the kernel may drop the pages, and the next sync would report success. */
  #syncFailed(cause: Error): void {
    if (this.#failed !== null) return;
    this.#failed = new JournalError('sync-failed', `${this.#options.dir}: ${cause.message}`, { cause });
    this.#options.onSyncFailure(this.#failed);
  }
}

function syncAndClose(file: number): void {
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

const fdatasyncInBackground = promisify(fdatasync);

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
