/** Files of the journal: their names, their lines, and reading them back. */
import { existsSync } from 'node:fs';
import type { JournalRecord } from '../../core/ports/journal.js';
import { EXIT, OddsmithError } from '../../domain/errors.js';
import { outcomeFrom, plainOutcome } from '../log/answer-json.js';
import { type LogKind, type LogSync, NumberedFiles, readSegment, type SegmentEnd } from '../log/segment.js';
import { openWorkOf } from './open-work.js';

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

export const JOURNAL: LogKind = {
  name: 'journal',
  version: 8,
  damaged: (path, line, what) => new JournalCorruptError(path, line, what),
};

/** `journal-00000001.ndjson`; only the newest is needed by a start. */
export const JOURNAL_FILES = new NumberedFiles('journal', 8);

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
