/** Reads `markets.json` beside a recording: facts about its markets. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../domain/errors.js';
import { eventId, type EventId, marketId, type MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { ResolutionMode } from '../../domain/vocabulary.js';
import type { BotSettings, BacktestSettings } from '../../settings/index.js';
import type { RecordingSource } from '../../storage/recordings/recording.js';
import { RecordingError } from '../../storage/tape/tape-files.js';
import { configuredMode } from '../live/engine-options.js';

const noteSchema = z.object({
  event: z.number().int().positive().nullish(),
  market: z.number().int().positive(),
  file: z.string(),
  title: z.string().nullish(),
  runner: z.string().nullish(),
  exclusive: z.boolean().nullish(),
  tick: z.number().positive().nullish(),
  close_t: z.number().int().positive().nullish(),
  market_time: z.iso.datetime({ offset: true }).nullish().catch(null),
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
  /** When what is bet on was scheduled to begin; betting may go on after it. */
  readonly scheduled: Micros | null;
}

/**
 * Reads the notes about the markets of a recording; empty without a file.
 * @throws UsageError when the file beside it is no JSON list
 */
export function notesBeside(recording: string): ReadonlyMap<MarketId, MarketNote> {
  const path = join(dirname(recording), 'markets.json');
  if (!existsSync(path)) return new Map();
  const found = (entriesIn(path).get(basename(recording)) ?? []).flatMap((entry) => {
    const note = noteSchema.safeParse(entry);
    return note.success ? [note.data] : [];
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
        scheduled:
          typeof note.market_time === 'string'
            ? ((Date.parse(note.market_time) * MICROS_PER_MS) as Micros)
            : null,
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

/** Entries of a list by the file that they name. */
type Entries = ReadonlyMap<unknown, readonly unknown[]>;

/** The list that was read last: an import has one for hundreds of recordings. */
let lastRead: { readonly path: string; readonly stamp: string; readonly entries: Entries } | null = null;

function entriesIn(path: string): Entries {
  const { ctimeMs, mtimeMs, size } = statSync(path);
  const stamp = `${ctimeMs} ${mtimeMs} ${size}`;
  if (lastRead?.path !== path || lastRead.stamp !== stamp)
    lastRead = { path, stamp, entries: byFile(listIn(path)) };
  return lastRead.entries;
}

function byFile(list: readonly unknown[]): Entries {
  const entries = new Map<unknown, unknown[]>();
  for (const entry of list) {
    const { file } = (entry ?? {}) as { readonly file?: unknown };
    const of = entries.get(file) ?? [];
    of.push(entry);
    entries.set(file, of);
  }
  return entries;
}

function listIn(path: string): readonly unknown[] {
  try {
    return notesSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new UsageError(`${path} is no JSON list; a recording's notes stand there`);
  }
}

/** Decides whether outcomes exclude each other: by the configuration and by markets.json beside recordings. */

type EventSettings = BotSettings['events'][number];
type Noted = ReadonlyMap<EventId, ResolutionMode>;

/**
 * The resolution mode of each event: from the configuration, else from the notes. Without either, several markets may
 * resolve long, because more can be lost then.
 * @param events as the run trades them
 * @throws UsageError when the configuration says exclusive and the notes say the contrary
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

/** Sentences about events whose worst case counts losses that the notes rule out. */
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

/** Modes of events whose markets are all noted. One non-exclusive market makes the event `non_exclusive`. */
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

type Markets = BacktestSettings['markets'];

/**
 * Refuses recordings in which two markets of an exclusive event resolve long. The simulated venue would refuse the second
 * winner, and nothing would be paid.
 * @param markets where the events come from
 * @throws RecordingError at the line of the second winner
 */
export function refuseSecondWinners(
  events: BotSettings['events'],
  modes: ReadonlyMap<EventId, ResolutionMode>,
  recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[],
  markets: Markets,
): void {
  for (const event of events) {
    if (modes.get(eventId(event.id)) !== 'exclusive') continue;
    const [first, second] = winnersOf(event, recordings);
    if (first === undefined || second === undefined) continue;
    throw new RecordingError(
      second.name,
      second.line,
      `market ${second.marketId} resolves long, and so does market ${first.marketId} of the same event ${event.id}, whose outcomes exclude each other${REMEDIES[configuredMode(event) === null ? 'recorded' : markets](event.id)}`,
    );
  }
}

const REMEDIES: Readonly<Record<Markets, (event: EventId) => string>> = {
  configured: (event) =>
    ` by the configuration; where several may come true, set resolutionMode: non_exclusive for event ${event}`,
  recorded: () =>
    ' by markets.json beside the recording; where several may come true, set "exclusive": false there',
};

interface Winner {
  readonly name: string;
  readonly marketId: MarketId;
  readonly line: number;
}

/** One winner for each market, in the order of the recordings. */
function winnersOf(
  { id, markets }: BotSettings['events'][number],
  recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[],
): readonly Winner[] {
  const traded = new Set(markets.map((market) => market.id));
  const winners = new Map<MarketId, Winner>();
  for (const { name, markets: shown } of recordings)
    for (const { marketId, eventId: of, resolution, resolvedLine } of shown)
      if (of === eventId(id) && resolution === 'long' && traded.has(marketId) && !winners.has(marketId))
        winners.set(marketId, { name, marketId, line: resolvedLine ?? 0 });
  return [...winners.values()].toSorted((one, other) => one.line - other.line);
}
