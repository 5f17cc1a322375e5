/** Files of the command log: their names, their lines, reading them back, and what is wrong with them. */
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import type { CommandRecord, CommandLog } from '../../core/ports/command-log.js';
import { EXIT, OddsmithError, UsageError } from '../../domain/errors.js';
import {
  isUnbegun,
  type LogKind,
  NumberedFiles,
  readSegment,
  type SegmentEnd,
  type SegmentHeader,
  CHAIN_START,
} from '../log/segment.js';
import type { JournalError } from '../../core/ports/journal.js';
import { type NewSegment, SealedLog, type SealedLogOptions } from '../log/sealed-log.js';

/** The folder cannot be replayed; it stays as it is. */
export class CommandLogError extends OddsmithError {
  readonly code = 'ODDSMITH_COMMAND_LOG';
  readonly exit = EXIT.usage;
}

const WHAT_TO_DO = 'Restore the folder from a copy, or move it away to begin anew.';

const COMMANDS: LogKind = {
  name: 'exchange-commands',
  version: 3,
  damaged: (path, line, what) => new CommandLogError(`${path}, line ${line}: ${what}. ${WHAT_TO_DO}`),
};

/** `commands-000000000000001.ndjson`, numbered by the sequence of its first record. */
export const COMMAND_FILES = new NumberedFiles('commands', 15);

interface CommandsHeader extends SegmentHeader {
  /** What the commands only make sense with. */
  readonly configHash: string;
  /** Sequence of the first record. */
  readonly first: number;
}

/** A file that was read back. */
export interface CommandFile extends SegmentEnd {
  readonly first: number;
  /** Sequence of the last record; one less than `first` when there is none. */
  readonly last: number;
  readonly chain: string;
  readonly tornBytes: number;
}

/** @throws CommandLogError; UsageError when it belongs to another configuration */
function readCommandFile<Command>(
  path: string,
  configHash: string,
  visit: (record: CommandRecord<Command>) => void,
): CommandFile {
  let last = -1;
  const { header, ...end } = readSegment<CommandsHeader>(
    path,
    COMMANDS,
    (found) => requireConfiguration(path, found.configHash, configHash),
    (found) => {
      const record = found as CommandRecord<Command>;
      last = record.sequence;
      visit(record);
    },
  );
  const { first, chain } = header;
  return { ...end, first, chain, last: last < 0 ? first - 1 : last };
}

/**
 * Reads the commands after a base, in order.
 * @param upTo the last one wanted; its file has ended. Absent: all there are
 * @returns the last file read, null when there is none
 * @throws CommandLogError when one is missing or damaged; UsageError when they belong to another configuration
 */
export function readCommands<Command>(
  dir: string,
  configHash: string,
  range: { readonly after: number; readonly upTo?: number },
  visit: (record: CommandRecord<Command>) => void,
): CommandFile | null {
  const { after, upTo = Number.POSITIVE_INFINITY } = range;
  let last: CommandFile | null = null;
  for (const first of startsNeeded(dir, after)) {
    if (first > upTo) break;
    const file = readCommandFile<Command>(COMMAND_FILES.path(dir, first), configHash, (record) => {
      if (record.sequence > after && record.sequence <= upTo) visit(record);
    });
    if (last !== null) requireSuccession(last, file);
    last = file;
  }
  const reached = last === null ? 0 : last.last;
  const needed = Number.isFinite(upTo) ? upTo : after;
  if (reached < needed) throw missing(dir, Math.max(reached, after) + 1);
  return last;
}

/** Files with commands after a sequence, and the one that ends with it. */
function startsNeeded(dir: string, after: number): readonly number[] {
  refuseVersion1(dir);
  const starts = COMMAND_FILES.numbersIn(dir);
  const newest = starts.at(-1);
  if (newest !== undefined && isUnbegun(COMMAND_FILES.path(dir, newest))) starts.pop();
  const from = starts.findLastIndex((first) => first <= after + 1);
  if (from < 0 && starts.length > 0) throw missing(dir, after + 1);
  return starts.slice(Math.max(from, 0));
}

/** Version 1 had one file under another name: without it the exchange would begin anew. */
function refuseVersion1(dir: string): void {
  const path = join(dir, 'commands.ndjson');
  if (existsSync(path))
    throw new CommandLogError(
      `${path} is of version 1, not ${COMMANDS.version}. Move it away to begin anew.`,
    );
}

/** @throws UsageError naming the file when it was written with another configuration */
export function requireConfiguration(path: string, written: string, given: string): void {
  if (written === given) return;
  throw new UsageError(
    `${path} was written with another configuration of the exchange (accounts, events, fees, duplicateWindowMs or ` +
      'processingDelayMs), which the folder does not hold; start with that one, or name another dataDir',
  );
}

/** @throws CommandLogError when a file does not go on where the one before it ends, torn bytes included */
function requireSuccession(before: CommandFile, next: CommandFile): void {
  if (before.tornBytes > 0)
    throw new CommandLogError(`${before.path}, the last line: damaged. ${WHAT_TO_DO}`);
  if (next.first === before.last + 1 && Number.parseInt(next.chain, 16) === before.sum) return;
  throw new CommandLogError(`${next.path} does not go on where ${before.path} ends. ${WHAT_TO_DO}`);
}

/** No file begins with the command that is needed next. */
const missing = (dir: string, first: number): CommandLogError =>
  new CommandLogError(`${dir}: the commands from number ${first} on are missing. ${WHAT_TO_DO}`);

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
