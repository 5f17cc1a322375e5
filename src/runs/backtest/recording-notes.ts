/** Reads `markets.json` beside a recording: facts about its markets. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../domain/errors.js';
import { eventId, type EventId, marketId, type MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';

const noteSchema = z.object({
  event: z.number().int().positive().nullish(),
  market: z.number().int().positive(),
  file: z.string(),
  title: z.string().nullish(),
  runner: z.string().nullish(),
  exclusive: z.boolean().nullish(),
  tick: z.number().positive().nullish(),
  close_t: z.number().int().positive().nullish(),
});
const notesSchema = z.array(z.unknown());

const MICROS_PER_MS = 1_000;
const PRICE_ONE = 10_000;

/** Notes about one market; null where they say nothing. */
export interface MarketNote {
  readonly eventId: EventId | null;
  readonly title: string | null;
  /** Whether at most one market of its event resolves long. */
  readonly exclusive: boolean | null;
  /** Price units. */
  readonly tickUnits: number | null;
  /** When betting was scheduled to end. */
  readonly betEnd: Micros | null;
}

/**
 * Reads the notes about the markets of a recording; empty without a file.
 * @throws UsageError when the file beside it is no JSON list
 */
export function notesBeside(recording: string): ReadonlyMap<MarketId, MarketNote> {
  const path = join(dirname(recording), 'markets.json');
  if (!existsSync(path)) return new Map();
  const found = listIn(path).flatMap((entry) => {
    const note = noteSchema.safeParse(entry);
    return note.success && note.data.file === basename(recording) ? [note.data] : [];
  });
  return new Map(
    found.map((note) => [
      marketId(note.market),
      {
        eventId: typeof note.event === 'number' ? eventId(note.event) : null,
        title: note.runner ?? note.title ?? null,
        exclusive: note.exclusive ?? null,
        tickUnits: typeof note.tick === 'number' ? Math.round(note.tick * PRICE_ONE) : null,
        betEnd: typeof note.close_t === 'number' ? ((note.close_t * MICROS_PER_MS) as Micros) : null,
      },
    ]),
  );
}

/**
 * SHA-256 of the notes about a recording, 64 hexadecimal digits; null: there are none.
 * @throws UsageError when it cannot be read
 */
export function notesHash(recording: string): string | null {
  const notes = notesBeside(recording);
  if (notes.size === 0) return null;
  return createHash('sha256')
    .update(JSON.stringify([...notes]))
    .digest('hex');
}

function listIn(path: string): readonly unknown[] {
  try {
    return notesSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new UsageError(`${path} is no JSON list; a recording's notes stand there`);
  }
}
