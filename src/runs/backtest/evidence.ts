/** What recordings tell of events as evidence: events of one day and about the same thing are no independent ones. */
import { basename, dirname } from 'node:path';
import type { EventId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { RecordedEvent } from '../../core/engine/observing/describe-run.js';
import type { RecordingSource } from '../../storage/index.js';
import { notesHash } from './recording-notes.js';

/** The folder of a recording, which holds recordings of one kind. @param name its path */
export const underlyingOf = (name: string): string => basename(dirname(name));

/** {@link evidenceOf}, with which recordings they are. */
export function recordedEvents(
  recordings: readonly Pick<RecordingSource, 'name' | 'markets' | 'sha256'>[],
): ReadonlyMap<EventId, RecordedEvent> {
  const showing = (event: EventId) =>
    recordings
      .filter(({ markets }) => markets.some(({ eventId }) => eventId === event))
      .toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
  const events = [...evidenceOf(recordings)];
  return new Map(
    events.map(([event, shown]) => {
      const sources = showing(event);
      const notes = sources.map(({ name }) => notesHash(name));
      return [
        event,
        {
          ...shown,
          recordings: sources.map(({ sha256 }) => sha256),
          notes: notes.every((hash) => hash === null) ? null : notes.map((hash) => hash ?? ''),
        },
      ];
    }),
  );
}

/** Events that recordings show, by number. Those of one file lie in one folder, too: how many files there are proves nothing. */
export function evidenceOf(
  recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[],
): ReadonlyMap<EventId, RecordedEvent> {
  const events = new Map<EventId, RecordedEvent>();
  for (const { name, markets } of recordings)
    for (const { eventId, lastAt } of markets) {
      const until = Math.max(lastAt, events.get(eventId)?.until ?? 0) as Micros;
      events.set(eventId, { underlying: underlyingOf(name), until });
    }
  return events;
}
