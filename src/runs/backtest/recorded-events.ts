/** What recordings tell of events and markets. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { EventId, MarketId } from '../../domain/ids.js';
import { PRICE_ONE, type Micros } from '../../domain/units.js';
import { type BotSettings, firstTickOf } from '../../settings/index.js';
import type { RecordingSource } from '../../storage/recordings/recording.js';
import type { SurveyedMarket } from '../../storage/recordings/survey.js';
import { type MarketNote, notesBeside, notesHash } from './recording-notes.js';
import type { RecordedEvent } from '../../core/engine/observing/describe-run.js';
import type { QuotingFigures, RunAnalysis } from '../../analytics/analysis.js';

type EventSettings = BotSettings['events'][number];
type MarketSettings = EventSettings['markets'][number];

interface Known {
  readonly surveyed: SurveyedMarket;
  readonly note: MarketNote | undefined;
  readonly file: string;
}

/** The settings with the recordings' events in place of their own; the first instance quotes every market. */
export function withRecordedEvents(
  settings: BotSettings,
  recordings: readonly RecordingSource[],
): BotSettings {
  const events = eventsOf(recordings);
  const markets = events.flatMap((event) => event.markets.map(({ id }) => id));
  const [first] = settings.instances;
  return { ...settings, events, instances: first === undefined ? [] : [{ ...first, markets }] };
}

/** Markets whose grid is to be learned have that of their recordings. */
export function withRecordedGrids(
  settings: BotSettings,
  recordings: readonly RecordingSource[],
): BotSettings {
  const known = new Map(
    eventsOf(recordings).flatMap(({ markets }) => markets.map(({ id, tickSize }) => [id, tickSize] as const)),
  );
  const gridOf = ({ id, tickSize }: MarketSettings): MarketSettings['tickSize'] => {
    const recorded = known.get(id);
    if (tickSize !== 'auto' || recorded === undefined) return tickSize;
    return Math.min(firstTickOf('auto'), firstTickOf(recorded));
  };
  const events = settings.events.map((event) => ({
    ...event,
    markets: event.markets.map((market) => ({ ...market, tickSize: gridOf(market) })),
  }));
  return { ...settings, events };
}

/** Sentences about markets whose prices lie on a finer grid than markets.json says. */
export const gridNotes = (recordings: readonly RecordingSource[]): readonly string[] =>
  recordings.flatMap(({ name, markets }) => {
    const notes = notesBeside(name);
    return markets.flatMap(({ marketId, tickUnits }) => {
      const stated = notes.get(marketId)?.tickUnits ?? tickUnits;
      if (stated <= tickUnits) return [];
      const [found, said] = [tickUnits, stated].map((units) => units / PRICE_ONE);
      return [
        `${basename(name)}: prices of market ${marketId} lie on a grid of ${found}, which is taken; markets.json says ${said}`,
      ];
    });
  });

/** Sentences about recordings of which `markets.json` beside them says nothing, as after a file was renamed. */
export const unnoted = (
  recordings: readonly Pick<RecordingSource, 'name' | 'markets'>[],
): readonly string[] =>
  recordings.flatMap(({ name, markets }) => {
    if (!existsSync(join(dirname(name), 'markets.json'))) return [];
    const notes = notesBeside(name);
    const missing = markets.flatMap(({ marketId: id }) => (notes.has(id) ? [] : [id])).join(', ');
    const lost = `markets.json beside it has no entry with this file name for market ${missing}`;
    return missing === ''
      ? []
      : [`${basename(name)}: ${lost}, so tick, times and exclusivity are not known; was the file renamed?`];
  });

function eventsOf(recordings: readonly RecordingSource[]): BotSettings['events'] {
  const byEvent = new Map<EventId, Map<MarketId, Known>>();
  for (const source of recordings) {
    const notes = notesBeside(source.name);
    for (const surveyed of source.markets) {
      const known = byEvent.get(surveyed.eventId) ?? new Map<MarketId, Known>();
      byEvent.set(surveyed.eventId, known);
      const before = known.get(surveyed.marketId)?.surveyed;
      known.set(surveyed.marketId, {
        surveyed: before === undefined ? surveyed : joined(before, surveyed),
        note: notes.get(surveyed.marketId),
        file: source.name,
      });
    }
  }
  return [...byEvent].map(([id, known]) => eventOf(id, [...known.values()]));
}

/** One market in two files: the finer grid, and whichever resolution is known. */
const joined = (before: SurveyedMarket, after: SurveyedMarket): SurveyedMarket => ({
  ...after,
  tickUnits: Math.min(before.tickUnits, after.tickUnits),
  resolution: after.resolution ?? before.resolution,
});

function eventOf(id: EventId, markets: readonly Known[]): EventSettings {
  return {
    id,
    title: basename(markets[0]?.file ?? '').replace(/\.ndjson(\.gz)?$/, ''),
    resolutionMode: isExclusive(markets) ? 'exclusive' : 'non_exclusive',
    exhaustive: false,
    winners: null,
    closes: null,
    category: null,
    underlying: null,
    isWhole: false,
    informationWindows: [],
    markets: markets.map(marketOf),
  };
}

/** When the notes state a coarser grid than the prices, the prices are right. */
const marketOf = ({ surveyed, note }: Known): MarketSettings => ({
  id: surveyed.marketId,
  title: note?.title ?? surveyed.title ?? `Market ${surveyed.marketId}`,
  tickSize: Math.min(note?.tickUnits ?? surveyed.tickUnits, surveyed.tickUnits),
  ownership: 'exclusive',
});

/** Without notes several markets count as not exclusive, because more can be lost then. */
const isExclusive = (markets: readonly Known[]): boolean =>
  markets.length === 1 || markets.every(({ note }) => note?.exclusive === true);

/** What recordings tell of events as evidence: events of one day and about the same thing are no independent ones. */

/** The folder of a recording, which holds recordings of one kind. @param name its path */
export const underlyingOf = (name: string): string => basename(dirname(name));

/** {@link spansOf}, with which recordings they are. */
export function recordedEvents(
  recordings: readonly Pick<RecordingSource, 'name' | 'markets' | 'sha256'>[],
): ReadonlyMap<EventId, RecordedEvent> {
  const showing = (event: EventId) =>
    recordings
      .filter(({ markets }) => markets.some(({ eventId }) => eventId === event))
      .toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
  const events = [...spansOf(recordings)];
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
export function spansOf(
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

/** How much a backtest had to go by: where little is recorded, little is said of a strategy. */

/** What is recorded of the markets that were traded. */
export interface RecordedScope {
  /** From the first row to the last, what lies between recordings included. */
  readonly seconds: number;
  readonly markets: number;
  readonly books: number;
  readonly trades: number;
  /** Of all figures of the run. */
  readonly currency: string;
  /** Shares of the time, in the headline's scenario; null where it was not analysed. */
  readonly quoted: Pick<QuotingFigures, 'bothSides' | 'anySide' | 'uptime'> | null;
}

type Surveyed = Pick<RecordingSource, 'markets'>;

/** @param headline what the headline's scenario was found to be; undefined: it was not analysed */
export function recordedScope(
  settings: Pick<BotSettings, 'events' | 'currency'>,
  recordings: readonly Surveyed[],
  headline: RunAnalysis | undefined,
): RecordedScope {
  const traded = tradedMarkets(settings, recordings);
  return {
    seconds: coveredBy(traded) / 1_000_000,
    markets: new Set(traded.map((market) => market.marketId)).size,
    books: traded.reduce((sum, { books }) => sum + books, 0),
    trades: traded.reduce((sum, { trades }) => sum + trades, 0),
    currency: settings.currency,
    quoted: headline === undefined ? null : quotedShares(headline.total.quoting),
  };
}

/** Time in which any of them was recorded, microseconds: between recordings there is none. */
function coveredBy(spans: readonly { readonly firstAt: number; readonly lastAt: number }[]): number {
  let [covered, until] = [0, -Infinity];
  for (const { firstAt, lastAt } of spans.toSorted((one, other) => one.firstAt - other.firstAt)) {
    covered += Math.max(0, lastAt - Math.max(firstAt, until));
    until = Math.max(until, lastAt);
  }
  return covered;
}

const quotedShares = ({ bothSides, anySide, uptime }: QuotingFigures): RecordedScope['quoted'] => ({
  bothSides,
  anySide,
  uptime,
});

/** Why a backtest may show no fills at all. */
export function scopeNotes(
  settings: Pick<BotSettings, 'events'>,
  recordings: readonly Surveyed[],
): readonly string[] {
  const traded = tradedMarkets(settings, recordings);
  if (traded.length === 0 || traded.some(({ trades }) => trades > 0)) return [];
  return ['no trades are recorded: resting orders fill only where a level of the book crosses them'];
}

function tradedMarkets(
  { events }: Pick<BotSettings, 'events'>,
  recordings: readonly Surveyed[],
): readonly SurveyedMarket[] {
  const traded = new Set(events.flatMap((event) => event.markets.map(({ id }) => id)));
  return recordings.flatMap(({ markets }) => markets.filter((market) => traded.has(market.marketId)));
}
