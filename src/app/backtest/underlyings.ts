/** What events are about, as far as recordings tell: events about the same thing are no independent evidence. */
import { basename, dirname } from 'node:path';
import type { EventId } from '../../domain/ids.js';
import type { RecordingSource } from '../../tape/index.js';

/** The folder of a recording, which holds recordings of one kind. @param name its path */
export const underlyingOf = (name: string): string => basename(dirname(name));

/** By event; empty for a single recording, whose events are about themselves alone. */
export function underlyingsOf(
  recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[],
): ReadonlyMap<EventId, string> {
  if (recordings.length === 1) return new Map();
  return new Map(
    recordings.flatMap(({ name, markets }) =>
      markets.map(({ eventId }) => [eventId, underlyingOf(name)] as const),
    ),
  );
}
