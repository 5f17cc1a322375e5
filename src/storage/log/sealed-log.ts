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
import { type JournalFault, JournalError } from '../../core/ports/journal.js';
import {
  sealLine,
  sumDigits,
  type LogKind,
  type LogSync,
  type SegmentEnd,
  type SegmentHeader,
} from './segment.js';
import { syncFolder, UNFINISHED, writeBytes } from '../files/whole-files.js';

export interface SealedLogOptions {
  /** Folder of this log alone. One process at a time: hold its lock. */
  readonly dir: string;
  readonly sync: LogSync;
  /** With `group`: when a line is synced at the latest. */
  readonly groupMs: number;
  /** Told once when a sync in the background failed; every later append throws. */
  readonly onSyncFailure: (error: JournalError) => void;
}

/** What a file begins with. */
export interface NewSegment {
  readonly path: string;
  readonly kind: LogKind;
  readonly sync: LogSync;
  /** Of the header, besides what every header has. */
  readonly fields: object;
  /** JSON objects as text. */
  readonly records: readonly string[];
}

/**
 * Writer of a sealed log: lines are in the kernel when `append` returns, and on the disk as configured. A full disk costs
 * the line that found no room; after a failed sync nothing is taken any more.
 */
export class SealedLog {
  readonly #options: SealedLogOptions;
  #file: LogFile;
  #sum: number;
  #failed: JournalError | null = null;
  /** Lines appended, and how many of them a sync has covered. */
  #written = 0;
  #onDisk = 0;
  #timer: NodeJS.Timeout | null = null;
  #syncing: Promise<void> = Promise.resolve();

  private constructor(options: SealedLogOptions, file: LogFile, sum: number) {
    this.#options = options;
    this.#file = file;
    this.#sum = sum;
  }

  /** Goes on after the last intact line of a file. @throws an error of the file system */
  static after({ path, sum, intactBytes }: SegmentEnd, options: SealedLogOptions): SealedLog {
    return new SealedLog(options, LogFile.open(path, intactBytes), sum);
  }

  /** Begins a log with its first file. @throws an error of the file system */
  static begin(first: NewSegment, chain: number, options: SealedLogOptions): SealedLog {
    const { text, sum } = sealed(first, chain);
    return new SealedLog(options, LogFile.begin(first.path, text), sum);
  }

  /** Length of the file that is being written. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** Whether the next start would find that file. */
  get isInPlace(): boolean {
    return this.#file.isInPlace;
  }

  /**
   * @param body a JSON object as text
   * @param reach with `before-send`: whether the line is on the disk when this returns, or on its way at once
   * @throws JournalError when the line is not in the log
   */
  append(body: string, reach: 'now' | 'soon' = 'now'): void {
    this.#requireOpen();
    const isOrderly = this.#options.sync === 'before-send';
    if (isOrderly && this.#onDisk < this.#written) this.#syncNow();
    const { text, sum } = sealLine(body, this.#sum);
    this.#write(Buffer.from(text));
    this.#sum = sum;
    this.#written += 1;
    if (!isOrderly) this.#timer ??= setTimeout(() => void this.sync(), this.#options.groupMs);
    else if (reach === 'now') this.#syncNow();
    else void this.sync();
  }

  /**
   * Goes on in a new file. Everything before is on the disk by then.
   * @throws JournalError when the file cannot be begun: the one before goes on
   */
  rotate(next: NewSegment): void {
    this.#requireOpen();
    this.#syncNow();
    const { text, sum } = sealed(next, this.#sum);
    const previous = this.#file;
    try {
      this.#file = LogFile.begin(next.path, text);
    } catch (error) {
      throw this.#faultOf(error);
    }
    this.#sum = sum;
    // A sync in the background may still hold the file before.
    void this.#syncing.then(() => previous.close());
  }

  /** Resolves once everything appended so far is on the disk, or never will be. */
  sync(): Promise<void> {
    this.#clearTimer();
    this.#syncing = this.#syncing.then(() => this.#syncInBackground());
    return this.#syncing;
  }

  async close(): Promise<void> {
    if (this.#failed?.fault === 'closed') return;
    this.#failed = this.#error('closed', 'it is closed');
    this.#clearTimer();
    await this.#syncing;
    try {
      this.#file.sync();
    } finally {
      this.#file.close();
    }
  }

  #requireOpen(): void {
    if (this.#failed !== null) throw this.#failed;
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Leaves the file as it was when the line does not fit. */
  #write(bytes: Buffer): void {
    try {
      this.#file.append(bytes);
    } catch (error) {
      this.#takeBack();
      throw this.#faultOf(error);
    }
  }

  #takeBack(): void {
    try {
      this.#file.takeBack();
    } catch (error) {
      this.#failed = this.#faultOf(error);
    }
  }

  #syncNow(): void {
    try {
      this.#file.sync();
      this.#onDisk = this.#written;
    } catch (error) {
      throw this.#syncFailed(error as Error);
    }
  }

  async #syncInBackground(): Promise<void> {
    if (this.#failed !== null) return;
    const written = this.#written;
    const cause = await this.#file.syncInBackground();
    if (cause === null) this.#onDisk = Math.max(this.#onDisk, written);
    else if (this.#failed === null) this.#options.onSyncFailure(this.#syncFailed(cause));
  }

  /** For good: after a failed sync the kernel may drop the pages, and the next sync would report success. */
  #syncFailed(cause: Error): JournalError {
    this.#failed = this.#error('sync-failed', cause.message, cause);
    return this.#failed;
  }

  #faultOf(error: unknown): JournalError {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    return isFull
      ? this.#error('disk-full', 'the disk is full', error)
      : this.#error('write-failed', message, error);
  }

  #error(fault: JournalFault, what: string, cause?: unknown): JournalError {
    return new JournalError(fault, `${this.#options.dir}: ${what}`, { cause });
  }
}

/** The text of a new file, and the sum of its last line. */
function sealed({ kind, sync, fields, records }: NewSegment, chain: number): { text: string; sum: number } {
  const header: SegmentHeader = {
    kind: 'segment',
    log: kind.name,
    version: kind.version,
    ...fields,
    sync,
    chain: sumDigits(chain),
  };
  let [text, sum] = ['', chain];
  for (const body of [JSON.stringify(header), ...records]) {
    const line = sealLine(body, sum);
    text += line.text;
    sum = line.sum;
  }
  return { text, sum };
}

/** A file that grows at its end. */
class LogFile {
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
