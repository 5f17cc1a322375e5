/** Events, markets and the instance that quotes them, taken from recordings instead of the configuration. */
import { basename } from 'node:path';
import type { EventId, MarketId } from '../../domain/ids.js';
import { PRICE_ONE } from '../../domain/units.js';
import type { BotSettings } from '../../settings/index.js';
import type { RecordingSource, SurveyedMarket } from '../../storage/index.js';
import { type MarketNote, notesBeside } from './recording-notes.js';

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

/** What the notes beside recordings say of grids that their prices contradict, in sentences for people. */
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

/** One market in two files: the finer grid, and whatever of the two is known. */
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
    underlying: null,
    informationWindows: [],
    markets: markets.map(marketOf),
  };
}

/** Where the notes state a coarser grid than the prices lie on, the prices are right. */
const marketOf = ({ surveyed, note }: Known): MarketSettings => ({
  id: surveyed.marketId,
  title: note?.title ?? surveyed.title ?? `Market ${surveyed.marketId}`,
  tickSize: Math.min(note?.tickUnits ?? surveyed.tickUnits, surveyed.tickUnits),
  ownership: 'exclusive',
});

/** Without notes several markets count as not exclusive: the reading under which more can be lost. */
const isExclusive = (markets: readonly Known[]): boolean =>
  markets.length === 1 || markets.every(({ note }) => note?.exclusive === true);
