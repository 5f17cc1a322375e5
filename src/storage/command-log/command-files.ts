/** Files of the command log: their names, their lines, reading them back, and what is wrong with them. */
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import type { CommandRecord } from '../../core/ports/command-log.js';
import { EXIT, OddsmithError, UsageError } from '../../domain/errors.js';
import {
  isUnbegun,
  type LogKind,
  NumberedFiles,
  readSegment,
  type SegmentEnd,
  type SegmentHeader,
} from '../log/segment.js';

/** The folder cannot be replayed; it stays as it is. */
export class CommandLogError extends OddsmithError {
  readonly code = 'ODDSMITH_COMMAND_LOG';
  readonly exit = EXIT.usage;
}

const WHAT_TO_DO = 'Restore the folder from a copy, or move it away to begin anew.';

export const COMMANDS: LogKind = {
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
