import { existsSync } from 'node:fs';
import type { JournalRecord } from '../ports/journal.js';
import { readSegment, segmentNumbers } from './journal-segment.js';
import { OPEN_WORK_BOUNDS, OpenWork } from './open-work.js';

/** A file may be followed by the next and disappear between the look at the folder and the reading. */
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
      const work = new OpenWork(OPEN_WORK_BOUNDS);
      readSegment(dir, newest).records.forEach((record) => work.note(record));
      return work.records();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries >= TRIES) throw error;
    }
  }
}
