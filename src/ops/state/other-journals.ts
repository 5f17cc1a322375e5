/** What runs of an account left open in a journal of another of its keys, or under another name of the venue. */
import { basename } from 'node:path';
import type { JournalRecord } from '../../core/ports/journal.js';
import { FileJournal } from '../../storage/journal/file-journal.js';
import { isGone, parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import { readOpenWork } from '../../storage/journal/journal-file.js';
import { openWorkOf } from '../../storage/journal/open-work.js';
import type { BotSettings, VenueSettings } from '../../settings/index.js';
import type { BotOptions } from './options.js';
import { everyStatePath, type StatePaths, venueLocksOf } from './state-paths.js';
import { canonicalLock } from './venue-address.js';

const TAKEN_OVER =
  'what a run of this account left open in a journal that was written with another key or under another name of the ' +
  'venue is taken over';

/**
 * Moves it into the journal that this run is about to open, to be called by who holds the lock of the account: the key
 * names a journal, and orders belong to the account. It is on the disk in its new place before the old one lets go; a
 * start that is killed in between leaves it in both, which is the same run told twice.
 * @param lock path of the lock of the account
 * @param away state of the account in other folders
 * @throws JournalCorruptError when such a journal cannot be read; an error of the file system
 */
export async function takeOverJournals(
  options: BotOptions,
  own: StatePaths,
  lock: string,
  away: readonly StatePaths[] = [],
): Promise<void> {
  const { settings, clock, logger } = options;
  const { sync } = settings.journal;
  const candidates = [...everyStatePath(settings.stateDir), ...away];
  for (const { journal } of journalsBeside(own, candidates, (name) => name === basename(lock))) {
    const records = readOpenWork(journal);
    if (!isOpen(records)) continue;
    logger.warn(TAKEN_OVER, { journal, into: own.journal });
    await append({ dir: own.journal, sync }, records);
    await append({ dir: journal, sync }, [{ kind: 'end', at: clock.now(), outcome: 'clean' }]);
  }
}

/**
 * What is open in all journals of a venue and mode, whatever key or name they were written with: for who withdraws and
 * may not know whose keys these are. Orders of another account are in no listing of this one; what its bot has under way
 * while it runs is not waited for.
 * @param away state of bots of the venue in other folders
 * @returns `tended`: of bots beside this one's that still run
 * @throws as {@link readOpenWork} does
 */
export function openWorkAtVenue(
  own: StatePaths,
  settings: Pick<BotSettings, 'stateDir' | 'currencyMode'>,
  venue: Pick<VenueSettings, 'baseUrl'>,
  away: readonly StatePaths[] = [],
): { readonly records: readonly JournalRecord[]; readonly tended: readonly JournalRecord[] } {
  const locks = venueLocksOf(settings, venue);
  const candidates = [...everyStatePath(settings.stateDir), ...away];
  const beside = journalsBeside(own, candidates, (name) => name.startsWith(locks));
  const [over, running] = [true, false].map((is) =>
    beside.filter(({ isOver }) => isOver === is).flatMap(({ journal }) => readOpenWork(journal)),
  );
  return { records: openWorkOf([...readOpenWork(own.journal), ...over!]), tended: running! };
}

/** Anything that the next start has to know; whose the orders of others are it learns anew. */
const isOpen = (records: readonly JournalRecord[]): boolean =>
  records.some(
    (record) =>
      record.kind !== 'run' && (record.kind !== 'claims' || record.ours.length + record.ambiguous.length > 0),
  );

interface JournalBeside {
  readonly journal: string;
  /** Its last bot does not run any more. */
  readonly isOver: boolean;
}

/** Journals other than one's own of bots that held such a lock. */
const journalsBeside = (
  own: StatePaths,
  candidates: readonly StatePaths[],
  isTheirs: (lock: string) => boolean,
): readonly JournalBeside[] =>
  candidates
    .filter(({ journal }) => journal !== own.journal)
    .flatMap(({ journal, heartbeat }) => {
      const last = parseHeartbeat(readHeartbeatText(heartbeat) ?? '');
      if (last === null || !isTheirs(canonicalLock(last.lock ?? ''))) return [];
      return [{ journal, isOver: last.ended !== null || isGone(last) }];
    });

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
