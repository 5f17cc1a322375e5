import { unlinkSync, existsSync } from 'node:fs';
import { type Journal, JournalError, type JournalRecord, type SentOrders } from '../../core/ports/journal.js';
import { makeFolder } from '../files/whole-files.js';
import { type NewSegment, SealedLog, type SealedLogOptions } from '../log/sealed-log.js';
import {
  CHAIN_START,
  type LogSync,
  type LogKind,
  NumberedFiles,
  readSegment,
  type SegmentEnd,
} from '../log/segment.js';
import { LastSentOrders, OPEN_WORK_BOUNDS, OpenWork, openWorkOf } from './open-work.js';
import { EXIT, OddsmithError } from '../../domain/errors.js';
import { outcomeFrom, plainOutcome } from '../log/answer-json.js';

export interface FileJournalOptions {
  /** Folder of this journal alone, created when missing. One process at a time: hold its lock. */
  readonly dir: string;
  readonly sync: LogSync;
  /** A file that has grown beyond this is followed by the next one. */
  readonly segmentBytes?: number;
  /** Files kept altogether. The newest alone holds everything a start needs, the others are for people. */
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

/** What a power loss may take, with `group` (decision 30). */
const GROUP_MS = 20;
const SEGMENT_BYTES = 16 * 1_048_576;
const SEGMENTS = 4;

/** The journal on disk: a sealed log whose every file begins with what is still open. */
export class FileJournal implements Journal {
  readonly #options: FileJournalOptions;
  readonly #log: SealedLog;
  readonly #work = new OpenWork(OPEN_WORK_BOUNDS);
  readonly #sent = new LastSentOrders();
  #number: number;
  /** A file is followed by the next once it is longer: what it begins with must not fill it. */
  #fullBytes: number;
  /** While the file does not stand under its name. */
  #removed: JournalError | null = null;

  /**
   * Opens the folder's newest file, cutting a torn tail, or begins the first one.
   * @throws JournalCorruptError when the file holds something that no crash explains
   */
  static open(options: FileJournalOptions): OpenedJournal {
    const { dir, sync } = options;
    makeFolder(dir);
    const newest = JOURNAL_FILES.numbersIn(dir).at(-1);
    const file = newest === undefined ? null : readJournalFile(dir, newest);
    const ofLog: SealedLogOptions = {
      dir,
      sync,
      groupMs: GROUP_MS,
      onSyncFailure: options.onSyncFailure ?? (() => undefined),
    };
    const log =
      file === null
        ? SealedLog.begin(segmentOf(options, 1, []), CHAIN_START, ofLog)
        : SealedLog.after(file, ofLog);
    const journal = new FileJournal(options, log, file);
    return {
      journal,
      recovered: journal.#work.records(),
      sent: journal.#sent.sent,
      tornBytes: file?.tornBytes ?? 0,
    };
  }

  private constructor(options: FileJournalOptions, log: SealedLog, file: JournalFile | null) {
    this.#options = options;
    this.#log = log;
    this.#number = file?.number ?? 1;
    // How a file was synced decides what a power loss can explain in it, so the other way begins another file.
    const isOurs = file === null || file.sync === options.sync;
    this.#fullBytes = isOurs ? (options.segmentBytes ?? SEGMENT_BYTES) : 0;
    file?.records.forEach((record) => this.#note(record));
  }

  append(record: JournalRecord): void {
    if (this.#log.bytes > this.#fullBytes) this.#rotate();
    // Nothing leaves because of an answer or a claim before the next request does, whose append waits for them.
    const isNews = record.kind === 'answer' || record.kind === 'claims';
    this.#log.append(journalJson(record), isNews ? 'soon' : 'now');
    this.#note(record);
    if (this.#removed !== null) throw this.#removed;
  }

  /**
   * Looks whether the next start would find this journal; to be called from time to time. While it would not, appends
   * throw. They write all the same, for somebody may bring the folder back.
   * @returns why it would not; null when it would
   */
  review(): JournalError | null {
    const { dir } = this.#options;
    this.#removed = this.#log.isInPlace
      ? null
      : (this.#removed ??
        new JournalError('removed', `${dir}: it was removed, or replaced, while the bot runs`));
    return this.#removed;
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  #note(record: JournalRecord): void {
    this.#work.note(record);
    this.#sent.note(record);
  }

  #rotate(): void {
    const { dir, segmentBytes = SEGMENT_BYTES, segments = SEGMENTS } = this.#options;
    const records = [...this.#work.records(), ...this.#sent.records()];
    this.#log.rotate(segmentOf(this.#options, this.#number + 1, records));
    this.#number += 1;
    this.#fullBytes = Math.max(segmentBytes, 2 * this.#log.bytes);
    for (const old of JOURNAL_FILES.numbersIn(dir).slice(0, -segments))
      unlinkSync(JOURNAL_FILES.path(dir, old));
  }
}

const segmentOf = (
  { dir, sync }: FileJournalOptions,
  number: number,
  records: readonly JournalRecord[],
): NewSegment => ({
  path: JOURNAL_FILES.path(dir, number),
  kind: JOURNAL,
  sync,
  fields: { number },
  records: records.map(journalJson),
});

/** Files of the journal: their names, their lines, and reading them back. */

/** The journal holds something that no crash explains. Nothing is sent before a person has looked. */
export class JournalCorruptError extends OddsmithError {
  readonly code = 'ODDSMITH_JOURNAL_CORRUPT';
  readonly exit = EXIT.usage;

  constructor(
    readonly file: string,
    readonly line: number,
    what: string,
  ) {
    super(
      `${file}, line ${line}: ${what}. The journal can no longer prove which orders are ours. ` +
        `Withdraw what this bot may have left open (oddsmith kill with its configuration, or by hand at the venue), ` +
        `then move the file away and start again.`,
    );
  }
}

const JOURNAL: LogKind = {
  name: 'journal',
  version: 8,
  damaged: (path, line, what) => new JournalCorruptError(path, line, what),
};

/** `journal-00000001.ndjson`; only the newest is needed by a start. */
const JOURNAL_FILES = new NumberedFiles('journal', 8);

/** @returns one JSON object without line feeds */
export const journalJson = (record: JournalRecord): string =>
  JSON.stringify(record.kind === 'answer' ? { ...record, outcome: plainOutcome(record.outcome) } : record);

export const recordFrom = (plain: JournalRecord): JournalRecord =>
  plain.kind === 'answer' ? { ...plain, outcome: outcomeFrom(plain.outcome) } : plain;

/** A file that was read back. */
export interface JournalFile extends SegmentEnd {
  readonly number: number;
  readonly sync: LogSync;
  readonly records: readonly JournalRecord[];
  readonly tornBytes: number;
}

/** @throws JournalCorruptError */
export function readJournalFile(dir: string, number: number): JournalFile {
  const path = JOURNAL_FILES.path(dir, number);
  const records: JournalRecord[] = [];
  const { header, ...end } = readSegment(
    path,
    JOURNAL,
    () => undefined,
    (record) => records.push(recordFrom(record as JournalRecord)),
  );
  return { ...end, number, sync: header.sync, records };
}

/** A file may be replaced by the next, or grow, while it is read. */
const TRIES = 3;

/**
 * Reads what the runs of a journal left open without changing it, also while its bot writes.
 * @returns as a start would recover it; empty when there is no journal
 * @throws JournalCorruptError when the file holds something that no crash explains; an error of the file system
 */
export function readOpenWork(dir: string): readonly JournalRecord[] {
  for (let tries = 1; ; tries++) {
    const newest = existsSync(dir) ? JOURNAL_FILES.numbersIn(dir).at(-1) : undefined;
    if (newest === undefined) return [];
    try {
      return openWorkOf(readJournalFile(dir, newest).records);
    } catch (error) {
      if (!mayPass(error) || tries >= TRIES) throw error;
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof JournalCorruptError || (error as NodeJS.ErrnoException).code === 'ENOENT';
