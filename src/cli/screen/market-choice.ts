/** Which markets a screen shows that has no room for all of them. */
import type { EventId } from '../../domain/ids.js';
import type { MarketStateView } from '../../core/engine/observing/view.js';

export interface MarketChoice {
  /** Together with their events. */
  readonly shown: readonly MarketStateView[];
  readonly left: readonly MarketStateView[];
}

/**
 * Those that need a person first: not quoted as wanted while shares are held, then not quoted for a reason of their own, then
 * with shares, then the others, and at last those that are only observed or are over. They stand where they stand when there is room for all,
 * so that nothing leaps about.
 * @param lines for markets and the titles of their events
 */
export function chooseMarkets(markets: readonly MarketStateView[], lines: number): MarketChoice {
  if (linesOf(markets) <= lines) return { shown: markets, left: [] };
  const events = new Set<EventId>();
  const chosen = new Set<MarketStateView>();
  let room = lines;
  for (const market of markets.toSorted((one, other) => needOf(one) - needOf(other))) {
    room -= events.has(market.eventId) ? 1 : 2;
    if (room < 0) break;
    events.add(market.eventId);
    chosen.add(market);
  }
  return {
    shown: [...events]
      .toSorted((one, other) => placeOf(markets, one) - placeOf(markets, other))
      .flatMap((event) => markets.filter((market) => market.eventId === event && chosen.has(market))),
    left: markets.filter((market) => !chosen.has(market)),
  };
}

/** A line each, and one for every event. */
export const linesOf = (markets: readonly MarketStateView[]): number =>
  markets.reduce((sum, { eventId }, at) => sum + (markets[at - 1]?.eventId === eventId ? 1 : 2), 0);

/** Something keeps a market that trades from being quoted as its strategy wants. */
export const isHeldBack = (market: MarketStateView): boolean =>
  isQuoted(market) && (market.halted !== null || market.refusedBy !== null || market.sizeLeft < 1);

const isQuoted = ({ instance, tradability }: MarketStateView): boolean =>
  instance !== null && tradability !== 'closed';

const holdsShares = ({ inventory: { long, short } }: MarketStateView): boolean => long !== 0 || short !== 0;

/** What holds many markets back at once, and is said above them. */
const SAID_ABOVE: ReadonlySet<string> = new Set([
  'killed',
  'strategy-fault',
  'starting',
  'stopping',
  'ended',
]);

function needOf(market: MarketStateView): number {
  if (holdsShares(market)) return isHeldBack(market) ? 0 : 2;
  if (isHeldBack(market) && !SAID_ABOVE.has(market.halted ?? '')) return 1;
  return isQuoted(market) ? 3 : 4;
}

const placeOf = (markets: readonly MarketStateView[], event: EventId): number =>
  markets.findIndex(({ eventId }) => eventId === event);
