/** Whether outcomes exclude each other, by the configuration and by what is noted beside recordings. */
import { UsageError } from '../../domain/errors.js';
import { type EventId, eventId } from '../../domain/ids.js';
import type { ResolutionMode } from '../../domain/vocabulary.js';
import type { BotSettings } from '../../settings/index.js';
import type { RecordingSource } from '../../storage/index.js';
import { configuredMode } from '../live/engine-options.js';
import { notesBeside } from './recording-notes.js';

type EventSettings = BotSettings['events'][number];
type Noted = ReadonlyMap<EventId, ResolutionMode>;

/**
 * What the simulated venue says of each event: the configuration's word where it has one, else the notes'; where nobody says,
 * several may resolve long, the reading under which more can be lost.
 * @param events as the run trades them
 * @throws UsageError where the configuration counts with fewer losses than the notes beside a recording say there may be: a
 *         bot quotes nothing there
 */
export function venueModes(
  events: readonly EventSettings[],
  recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[],
): ReadonlyMap<EventId, ResolutionMode> {
  const noted = notedModes(recordings);
  return new Map(
    events.map((event) => {
      const id = eventId(event.id);
      refuseContradiction(event, noted.get(id));
      return [id, configuredMode(event) ?? noted.get(id) ?? 'non_exclusive'];
    }),
  );
}

/** Events whose worst case counts more losses than the notes say there can be, in sentences for people. */
export function needlessModes(
  events: readonly EventSettings[],
  recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[],
): readonly string[] {
  const noted = notedModes(recordings);
  return events
    .filter((event) => event.resolutionMode === 'non_exclusive' && event.markets.length > 1)
    .filter(({ id }) => noted.get(eventId(id)) === 'exclusive')
    .map(
      ({ id }) =>
        `markets.json says that the outcomes of event ${id} exclude each other, the configuration that they need not: its worst case counts more losses than can come`,
    );
}

function refuseContradiction(event: EventSettings, noted: ResolutionMode | undefined): void {
  if (noted !== 'non_exclusive' || event.markets.length === 1) return;
  if (configuredMode(event) !== 'exclusive') return;
  throw new UsageError(
    `markets.json beside the recording says that several markets of event ${event.id} may resolve long ("exclusive": false), the configuration that at most one does: set resolutionMode: non_exclusive there, without exhaustive, or leave out both`,
  );
}

/** Of events of which each market is noted with a word; one that need not exclude the others is enough for `non_exclusive`. */
function notedModes(recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[]): Noted {
  const words = new Map<EventId, (boolean | null)[]>();
  for (const { name, markets } of recordings) {
    const notes = notesBeside(name);
    for (const { eventId: event, marketId: market } of markets)
      words.set(event, [...(words.get(event) ?? []), notes.get(market)?.exclusive ?? null]);
  }
  const noted = new Map<EventId, ResolutionMode>();
  for (const [event, said] of words)
    if (said.includes(false)) noted.set(event, 'non_exclusive');
    else if (!said.includes(null)) noted.set(event, 'exclusive');
  return noted;
}
