import { unlinkSync } from 'node:fs';
import type { Journal, JournalRecord, SentOrders } from '../../core/ports/journal.js';
import { JournalError } from '../../core/ports/journal.js';
import { CHAIN_START, LineSealer, type SealedBytes } from '../log/sealed-line.js';
import {
  JOURNAL_VERSION,
  readSegment,
  segmentNumbers,
  segmentPath,
  writeSegment,
} from './journal-segment.js';
import { OPEN_WORK_BOUNDS, OpenWork } from './open-work.js';
import { type JournalSync, recordPieces } from './record-text.js';
import { RoomyFile } from '../log/log-file.js';
import { LastSentOrders } from './sent-orders.js';
import { makeFolder } from '../files/whole-files.js';

export interface FileJournalOptions {
  /** Folder of this journal alone, created when missing. One process at a time: hold its lock. */
  readonly dir: string;
  readonly sync: JournalSync;
  /** A file that has grown beyond this is followed by the next one. */
  readonly segmentBytes?: number;
  /** Files kept altogether; the newest alone holds everything a start needs, the others are for people. */
  readonly segments?: number;
  /** Told once when a sync in the background failed; every later append throws. */
  readonly onSyncFailure?: (error: JournalError) => void;
}

/** A journal that is open, and what the runs before left in it. */
export interface OpenedJournal {
  readonly journal: FileJournal;
  /** What the runs since the last clean end left open: see {@link OpenWork.records}. */
  readonly recovered: readonly JournalRecord[];
  /** Creates and updates that left within the last minute, whichever run they were of. */
  readonly sent: readonly SentOrders[];
  /** Bytes of a write cut short by a crash that were removed from the end. */
  readonly tornBytes: number;
}

/** What a power loss may take, with `group`; a sync costs whoever works beside it his caches (decision 30). */
const GROUP_DELAY_MS = 20;
const SEGMENT_BYTES = 16 * 1_048_576;
const SEGMENTS = 4;
const SOON = Promise.resolve();

/** Append-only NDJSON files with a running checksum: written at once, synced as configured, bounded by rotation. */
export class FileJournal implements Journal {
  readonly #options: Required<Omit<FileJournalOptions, 'onSyncFailure'>>;
  readonly #onSyncFailure: (error: JournalError) => void;
  readonly #work = new OpenWork(OPEN_WORK_BOUNDS);
  readonly #sent = new LastSentOrders();
  readonly #sealer = new LineSealer();
  #number: number;
  #file: RoomyFile;
  #sum: number;
  /** A file is not followed by the next before it is this long: carried records must not rotate for ever. */
  #fullBytes: number;
  #failed: JournalError | null = null;
  /** Lasts while the file does not stand under its name. */
  #removed: JournalError | null = null;
  /** Records that were appended, and how many of them a sync has covered. */
  #written = 0;
  #onDisk = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Whether a sync in the background is to come. */
  #isSyncDue = false;
  /** Written, and not noted yet. */
  #last: JournalRecord | null = null;
  #syncing: Promise<void> = Promise.resolve();

  /**
   * Opens the folder's newest file, cutting a torn tail, or begins the first one.
   * @throws JournalCorruptError when the file holds something that no crash explains
   */
  static open(options: FileJournalOptions): OpenedJournal {
    makeFolder(options.dir);
    const newest = segmentNumbers(options.dir).at(-1);
    const { dir, sync } = options;
    if (newest === undefined) writeSegment({ dir, number: 1, chain: CHAIN_START, sync, records: [] });
    const segment = readSegment(dir, newest ?? 1);
    const journal = new FileJournal(options, segment);
    const { sent } = journal.#sent;
    return { journal, recovered: journal.#work.records(), sent, tornBytes: segment.tornBytes };
  }

  private constructor(options: FileJournalOptions, segment: ReturnType<typeof readSegment>) {
    this.#options = { segmentBytes: SEGMENT_BYTES, segments: SEGMENTS, ...options };
    this.#onSyncFailure = options.onSyncFailure ?? (() => undefined);
    this.#number = segment.number;
    this.#sum = segment.sum;
    // Nothing of ours follows in a file of an older version, or of the other way to sync: the first record begins the next.
    const isOurs = segment.version === JOURNAL_VERSION && segment.sync === options.sync;
    this.#fullBytes = isOurs ? this.#options.segmentBytes : 0;
    this.#file = new RoomyFile(segment.path, segment.intactBytes);
    segment.records.forEach((record) => this.#note(record));
  }

  append(record: JournalRecord): void {
    if (this.#failed !== null) throw this.#failed;
    this.#noteLast();
    if (this.#file.bytes > this.#fullBytes) this.#guarded(() => this.#rotate());
    const line = this.#sealer.seal(recordPieces(record), this.#sum);
    const isOrderly = this.#options.sync === 'before-send';
    if (isOrderly && this.#onDisk < this.#written) this.#syncNow();
    this.#guarded(() => this.#write(line));
    this.#sum = line.sum;
    this.#written += 1;
    this.#followUp(record);
    if (isOrderly) this.#syncOrderly(record);
    if (!isOrderly || this.#file.isCrowded) this.#isSyncDue = true;
    if (this.#removed !== null) throw this.#removed;
  }

  /**
   * Looks whether the next start would find this journal; to be called from time to time. While it would not, appends
   * throw. They write all the same, for somebody may bring the folder back.
   * @returns why it would not; null when it would
   */
  review(): JournalError | null {
    this.#removed = this.#file.isInPlace ? null : (this.#removed ?? removedError(this.#options.dir));
    return this.#removed;
  }

  async close(): Promise<void> {
    if (this.#failed?.fault === 'closed') return;
    this.#failed = new JournalError('closed', `the journal in ${this.#options.dir} is closed`);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#syncing;
    try {
      this.#file.takeBack();
      this.#file.sync();
    } finally {
      this.#file.close();
    }
  }

  /**
   * What can wait until that which waits for the record has left: what it leaves open is asked when the file is full, and making a
   * timer takes as long as sealing a line.
   */
  #followUp(record: JournalRecord): void {
    this.#last = record;
    void SOON.then(() => this.#catchUp());
  }

  #catchUp(): void {
    this.#noteLast();
    if (this.#isSyncDue && this.#timer === null) this.#setTimer();
  }

  #noteLast(): void {
    const last = this.#last;
    if (last === null) return;
    this.#last = null;
    this.#note(last);
  }

  #note(record: JournalRecord): void {
    this.#work.note(record);
    this.#sent.note(record);
  }

  /** Leaves the file as it was when the record does not fit: half a line would make the next one unreadable. */
  #write({ block, length }: SealedBytes): void {
    try {
      this.#file.append(block, length);
    } catch (error) {
      this.#takeBack();
      throw error;
    }
  }

  #takeBack(): void {
    try {
      this.#file.takeBack();
    } catch (error) {
      this.#failed = journalError(error, this.#options.dir);
    }
  }

  #rotate(): void {
    this.#file.takeBack();
    this.#file.sync();
    const { dir, sync, segmentBytes, segments } = this.#options;
    const [number, records] = [this.#number + 1, [...this.#work.records(), ...this.#sent.records()]];
    const next = writeSegment({ dir, number, chain: this.#sum, sync, records });
    const previous = this.#file;
    this.#file = new RoomyFile(next.path, next.bytes);
    // A sync in the background may still hold the old file.
    void this.#syncing.then(() => previous.close());
    this.#number += 1;
    this.#sum = next.sum;
    this.#fullBytes = Math.max(segmentBytes, 2 * next.bytes);
    for (const old of segmentNumbers(dir).slice(0, -segments)) unlinkSync(segmentPath(dir, old));
  }

  #guarded(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw journalError(error, this.#options.dir);
    }
  }

  /** Nothing leaves because of an outcome, or of whose an order is, before the next request does, whose append waits for it. */
  #syncOrderly({ kind }: JournalRecord): void {
    if (kind === 'answer' || kind === 'claims')
      this.#syncing = this.#syncing.then(() => this.#syncInBackground());
    else this.#syncNow();
  }

  #syncNow(): void {
    try {
      this.#file.sync();
      this.#onDisk = this.#written;
    } catch (error) {
      throw this.#syncFailed(error as Error);
    }
  }

  #setTimer(): void {
    if (this.#failed?.fault === 'closed') return;
    this.#timer = setTimeout(() => {
      this.#isSyncDue = false;
      this.#timer = null;
      this.#file.makeRoom();
      this.#syncing = this.#syncing.then(() => this.#syncInBackground());
    }, GROUP_DELAY_MS);
  }

  async #syncInBackground(): Promise<void> {
    const written = this.#written;
    const cause = await this.#file.syncInBackground();
    if (cause === null) this.#onDisk = Math.max(this.#onDisk, written);
    if (cause === null || this.#failed !== null) return;
    this.#onSyncFailure(this.#syncFailed(cause));
  }

  /** For good: after a failed sync the kernel may drop the pages, and the next sync would report success. */
  #syncFailed(cause: Error): JournalError {
    this.#failed = new JournalError('sync-failed', `${this.#options.dir}: ${cause.message}`, { cause });
    return this.#failed;
  }
}

const removedError = (dir: string): JournalError =>
  new JournalError('removed', `${dir}: it was removed, or replaced, while the bot runs`);

function journalError(error: unknown, dir: string): JournalError {
  const { code, message } = error as NodeJS.ErrnoException;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  const what = full ? 'the disk is full' : message;
  return new JournalError(full ? 'disk-full' : 'write-failed', `${dir}: ${what}`, { cause: error });
}
