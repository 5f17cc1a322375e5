import { existsSync } from 'node:fs';
import type { JournalRecord } from '../../core/ports/journal.js';
import { JournalCorruptError, readSegment, segmentNumbers } from './journal-segment.js';
import { OPEN_WORK_BOUNDS, OpenWork } from './open-work.js';

/**
 * A file may be followed by the next and disappear between the look at the folder and the reading; and of two lines that
 * are written meanwhile the reading may have passed the place of the first and find the second.
 */
const TRIES = 3;

/**
 * Reads what the runs of a journal left open without touching it: also while its bot writes, whose unfinished last
 * line is passed over.
 * @returns as a start would recover it; empty when there is no journal
 * @throws JournalCorruptError when the file holds something that no crash explains; an error of the file system
 */
export function readOpenWork(dir: string): readonly JournalRecord[] {
  for (let tries = 1; ; tries++) {
    const newest = existsSync(dir) ? segmentNumbers(dir).at(-1) : undefined;
    if (newest === undefined) return [];
    try {
      return openWorkOf(readSegment(dir, newest).records);
    } catch (error) {
      if (!mayPass(error) || tries >= TRIES) throw error;
    }
  }
}

/** What all these records together leave open. */
export function openWorkOf(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const work = new OpenWork(OPEN_WORK_BOUNDS);
  records.forEach((record) => work.note(record));
  return work.records();
}

const mayPass = (error: unknown): boolean =>
  error instanceof JournalCorruptError || (error as NodeJS.ErrnoException).code === 'ENOENT';
