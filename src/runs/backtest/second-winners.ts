/** Outcomes that a recording says came true, against what the run is told of their event. */
import { eventId, type EventId, type MarketId } from '../../domain/ids.js';
import type { ResolutionMode } from '../../domain/vocabulary.js';
import type { BacktestSettings, BotSettings } from '../../settings/index.js';
import { RecordingError, type RecordingSource } from '../../storage/index.js';

import { configuredMode } from '../live/engine-options.js';

type Markets = BacktestSettings['markets'];

/**
 * Of an event whose outcomes exclude each other at most one comes true. The simulated venue would refuse the second
 * winner and with it all that was decided with it: nothing would be paid.
 * @param modes what the simulated venue says of each event
 * @param markets where the events were taken from
 * @throws RecordingError at the line that decides a second market of such an event for long
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

/** One each market, however many files show it; in the order of the recordings. */
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
