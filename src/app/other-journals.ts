/** What runs of an account left open in a journal of another of its keys, or under another name of the venue. */
import { basename } from 'node:path';
import type { JournalRecord } from '../ports/journal.js';
import { FileJournal } from '../runtime/file-journal.js';
import { parseHeartbeat, readHeartbeatText } from '../runtime/heartbeat-file.js';
import { readOpenWork } from '../runtime/journal-reader.js';
import type { BotOptions } from './bot-options.js';
import { everyStatePath, type StatePaths } from './state-paths.js';

const TAKEN_OVER =
  'what a run of this account left open in a journal that was written with another key or under another name of the ' +
  'venue is taken over';

/**
 * Moves it into the journal that this run is about to open, to be called by who holds the lock of the account: the key
 * names a journal, and orders belong to the account. It is on the disk in its new place before the old one lets go.
 * @param lock path of the lock of the account
 * @throws JournalCorruptError when such a journal cannot be read; an error of the file system
 */
export async function takeOverJournals(options: BotOptions, own: StatePaths, lock: string): Promise<void> {
  const { settings, clock, logger } = options;
  const { sync } = settings.journal;
  for (const { journal, heartbeat } of everyStatePath(settings.stateDir)) {
    if (journal === own.journal || lockIn(heartbeat) !== basename(lock)) continue;
    const records = readOpenWork(journal);
    if (records.every(({ kind }) => kind === 'run')) continue;
    logger.warn(TAKEN_OVER, { journal, into: own.journal });
    await append({ dir: own.journal, sync }, records);
    await append({ dir: journal, sync }, [{ kind: 'end', at: clock.now(), outcome: 'clean' }]);
  }
}

/** Name of the lock that the last bot with this heartbeat held. */
const lockIn = (heartbeat: string): string | undefined =>
  parseHeartbeat(readHeartbeatText(heartbeat) ?? '')?.lock;

/** Closing a journal puts it on the disk. */
async function append(
  options: Parameters<typeof FileJournal.open>[0],
  records: readonly JournalRecord[],
): Promise<void> {
  const { journal } = FileJournal.open(options);
  try {
    records.forEach((record) => journal.append(record));
  } finally {
    await journal.close();
  }
}
