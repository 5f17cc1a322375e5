import type { CommandLog, CommandRecord } from '../../core/ports/command-log.js';
import type { JournalError } from '../../core/ports/journal.js';
import { type NewSegment, SealedLog, type SealedLogOptions } from '../log/sealed-log.js';
import { CHAIN_START } from '../log/sealed-line.js';
import { COMMAND_FILES, type CommandFile, COMMANDS } from './command-files.js';

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

const GROUP_MS = 4;
/** After a file could not be begun, so many more records go into the one before. */
const RETRY_AFTER_RECORDS = 1_000;

/** The exchange's commands on disk: in the kernel before the command is executed, on the disk within 5 ms. */
export class FileCommandLog<Command> implements CommandLog<Command> {
  readonly #options: FileCommandLogOptions;
  readonly #log: SealedLog;
  #first: number;
  #last: number;
  /** No file is begun before this record. */
  #beginsFrom = 0;

  /**
   * Goes on after the last file of the folder, or begins the first one.
   * @param end its torn tail is cut; null: there is none
   * @throws an error of the file system
   */
  constructor(options: FileCommandLogOptions, end: CommandFile | null) {
    const { dir, onSyncFailure } = options;
    const ofLog: SealedLogOptions = { dir, sync: 'group', groupMs: GROUP_MS, onSyncFailure };
    this.#options = options;
    this.#first = end?.first ?? 1;
    this.#last = end?.last ?? 0;
    this.#log =
      end === null ? SealedLog.begin(this.#segment(1), CHAIN_START, ofLog) : SealedLog.after(end, ofLog);
  }

  get lastSequence(): number {
    return this.#last;
  }

  append(record: CommandRecord<Command>): void {
    if (this.#isFull()) this.#beginNext();
    this.#log.append(JSON.stringify(record));
    this.#last = record.sequence;
  }

  /** Resolves once everything appended so far is on the disk, or never will be. */
  sync(): Promise<void> {
    return this.#log.sync();
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  #isFull(): boolean {
    const { records, bytes } = this.#options.size;
    const count = this.#last - this.#first + 1;
    return (count >= records || (this.#log.bytes >= bytes && count > 0)) && this.#last >= this.#beginsFrom;
  }

  /** A file that cannot be begun costs nothing: the one before goes on. */
  #beginNext(): void {
    const ended = this.#last;
    try {
      this.#log.rotate(this.#segment(ended + 1));
    } catch {
      this.#beginsFrom = ended + RETRY_AFTER_RECORDS;
      return;
    }
    this.#first = ended + 1;
    this.#options.onSegmentEnd(ended);
  }

  #segment(first: number): NewSegment {
    const { dir, configHash } = this.#options;
    return {
      path: COMMAND_FILES.path(dir, first),
      kind: COMMANDS,
      sync: 'group',
      fields: { configHash, first },
      records: [],
    };
  }
}
