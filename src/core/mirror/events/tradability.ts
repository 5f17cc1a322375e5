import type { Micros } from '../../../domain/units.js';
import type { EventStatus, MarketStatus } from '../../../domain/vocabulary.js';
import type { Doubt, EventRecord, MarketRecord } from './catalogue.js';

/** Whether orders may stand in a market. Only `tradable` permits quoting. */
export interface Tradability {
  /** `paused`: orders rest without matching, trading may go on. `closed`: it will not unless reversed. */
  readonly state: 'tradable' | 'paused' | 'closed' | 'unknown';
  /** Stable, kebab-case. */
  readonly reason: string;
}

const as = (state: Tradability['state'], reason: string): Tradability => Object.freeze({ state, reason });

const TRADABLE = as('tradable', 'open');
const DISABLED = as('paused', 'market-disabled');
const NOT_WAGERABLE = as('paused', 'event-not-wagerable');
const RESOLUTION_KNOWN = as('closed', 'resolution-known');
const BEFORE_WINDOW = as('paused', 'before-bet-window');
const AFTER_WINDOW = as('closed', 'after-bet-window');

const BY_DOUBT: Readonly<Record<Doubt, Tradability>> = {
  'not-read': as('unknown', 'event-not-read'),
  'not-understood': as('unknown', 'status-not-understood'),
  contradicted: as('unknown', 'status-contradicted'),
};

const BY_EVENT_STATUS: Readonly<Record<EventStatus, Tradability>> = {
  open: TRADABLE,
  paused: as('paused', 'event-paused'),
  stopped: as('closed', 'event-stopped'),
  resolved: as('closed', 'event-resolved'),
  cancelled: as('closed', 'event-cancelled'),
  reversed: as('closed', 'event-reversed'),
};

const BY_MARKET_STATUS: Readonly<Record<MarketStatus, Tradability>> = {
  active: TRADABLE,
  paused: as('paused', 'market-paused'),
  stopped: as('closed', 'market-stopped'),
  resolved: as('closed', 'market-resolved'),
  cancelled: as('closed', 'market-cancelled'),
  reversed: as('closed', 'market-reversed'),
};

/**
 * Decides from the strongest reason against to the weakest; never allocates. What speaks against trading counts although
 * the rest is not read yet: a frame has told it since, or it held when the connection was lost.
 */
export function tradability(market: MarketRecord, now: Micros): Tradability {
  const { doubt } = market.event;
  if (doubt === null) return asTold(market, now);
  if (doubt !== 'not-read') return BY_DOUBT[doubt];
  const told = asTold(market, now);
  return told === TRADABLE ? BY_DOUBT[doubt] : told;
}

/** Whether nobody can trade in the market, and nothing changes that but a status message or the opening of its window. */
export function isDormant(market: MarketRecord, now: Micros): boolean {
  const told = tradability(market, now);
  return told.state === 'closed' || told === BEFORE_WINDOW;
}

function asTold(market: MarketRecord, now: Micros): Tradability {
  const { event } = market;
  if (event.status !== 'open') return BY_EVENT_STATUS[event.status];
  if (market.status !== 'active') return BY_MARKET_STATUS[market.status];
  if (market.resolution !== null) return RESOLUTION_KNOWN;
  if (isPast(event.betEnd, now) || isPast(market.betEnd, now)) return AFTER_WINDOW;
  if (isAhead(event.betStart, now) || isAhead(market.betStart, now)) return BEFORE_WINDOW;
  if (market.disabled) return DISABLED;
  return event.wagerable === false ? NOT_WAGERABLE : TRADABLE;
}

/** When the bet window of the market ends: the earlier of its own and its event's; null when neither is known. */
export function betEndOf(market: MarketRecord): Micros | null {
  if (market.betEnd === null) return market.event.betEnd;
  if (market.event.betEnd === null) return market.betEnd;
  return market.betEnd < market.event.betEnd ? market.betEnd : market.event.betEnd;
}

/** The next point in time at which a bet window of the event opens or closes; null when none is ahead. */
export function nextWindowEdge(event: EventRecord, now: Micros): Micros | null {
  let next: Micros | null = null;
  for (const window of [event, ...event.markets])
    for (const edge of [window.betStart, window.betEnd])
      if (edge !== null && edge > now && (next === null || edge < next)) next = edge;
  return next;
}

const isPast = (end: Micros | null, now: Micros): boolean => end !== null && now >= end;
const isAhead = (start: Micros | null, now: Micros): boolean => start !== null && now < start;
