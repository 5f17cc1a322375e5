/** What an administrator decides about events and markets: status, bet end, resolution, reversal, live data. */
import type { Micros } from '../../domain/units.js';
import type { EventStatus, MarketStatus } from '../../domain/vocabulary.js';
import { DONE, invalid, unknown, withEvent } from '../admin-answers.js';
import { sayLiveData, sayMarketStatus } from '../markets/announcements.js';
import type {
  AdminOutcome,
  ResolveEvent,
  ReverseEvent,
  SetEventStatus,
  SetLive,
  SetMarketStatus,
} from '../contract.js';
import type { Floor } from '../floor.js';
import { changeEventStatus, scheduleMarketWindow, settleTradability } from '../markets/lifecycle.js';
import type { Market, VenueEvent } from '../markets/markets.js';
import { cancelEvent, resolveEvent, reverseEvent, voidMarket } from '../markets/resolution.js';

/** Which statuses an administrator may set from which; resolution and reversal have commands of their own. */
const NEXT_STATUSES: Readonly<Record<EventStatus, readonly EventStatus[]>> = {
  open: ['paused', 'stopped', 'cancelled'],
  paused: ['open', 'stopped', 'cancelled'],
  stopped: ['open', 'paused', 'cancelled'],
  reversed: ['open', 'paused', 'stopped', 'cancelled'],
  resolved: [],
  cancelled: [],
};

export function executeSetEventStatus(floor: Floor, { eventId, status }: SetEventStatus): AdminOutcome {
  return withEvent(floor, eventId, (event) => {
    if (event.status === status) return DONE;
    if (!NEXT_STATUSES[event.status].includes(status))
      return invalid('status', `expected ${followers(event.status)}, because the event is ${event.status}`);
    if (status === 'cancelled') return cancelEvent(floor, event);
    reactivate(floor, event);
    changeEventStatus(floor, event, status);
    return DONE;
  });
}

const followers = (status: EventStatus): string => NEXT_STATUSES[status].join(' or ') || 'no other';

/** Markets of a reversed event trade again when it does. */
function reactivate(floor: Floor, event: VenueEvent): void {
  if (event.status !== 'reversed') return;
  for (const market of event.markets) {
    if (market.status !== 'reversed') continue;
    market.status = 'active';
    sayMarketStatus(floor, market, 'reversed');
  }
}

/** What a market can be set to; the others come with resolution and reversal of its event. */
const BY_HAND: readonly MarketStatus[] = ['active', 'paused', 'stopped', 'cancelled'];

export function executeSetMarketStatus(floor: Floor, command: SetMarketStatus): AdminOutcome {
  const market = floor.markets.market(command.marketId);
  if (market === null) return unknown('market');
  const { status } = command;
  if (status === 'resolved' || status === 'reversed')
    return invalid('status', `expected ${BY_HAND.join(' or ')}, a market is ${status} with its event`);
  if (!market.isUndecided && market.status !== 'reversed')
    return invalid('market', `expected one that is not over, market ${market.id} is ${market.status}`);
  if (status === 'cancelled') voidMarket(floor, market);
  else adjustMarket(floor, market, command);
  return DONE;
}

function adjustMarket(floor: Floor, market: Market, { status, disabled, betEnd }: SetMarketStatus): void {
  const before = tradabilityFields(market);
  const previous = market.status;
  market.status = status ?? previous;
  market.disabled = disabled ?? market.disabled;
  if (betEnd !== undefined) setBetEnd(floor, market, betEnd);
  if (tradabilityFields(market) === before) return;
  settleTradability(floor, market);
  sayMarketStatus(floor, market, previous);
}

/** What `market-status-change` is about: the same text, nothing to tell. */
const tradabilityFields = ({ status, disabled, betEnd }: Market): string =>
  `${status} ${String(disabled)} ${String(betEnd)}`;

function setBetEnd(floor: Floor, market: Market, betEnd: Micros | null): void {
  market.ownBetEnd = betEnd;
  if (betEnd !== null) scheduleMarketWindow(floor, market, betEnd);
}

export const executeResolveEvent = (floor: Floor, { eventId, resolutions }: ResolveEvent): AdminOutcome =>
  withEvent(floor, eventId, (event) => resolveEvent(floor, event, resolutions));

export const executeReverseEvent = (floor: Floor, { eventId }: ReverseEvent): AdminOutcome =>
  withEvent(floor, eventId, (event) => reverseEvent(floor, event));

export function executeSetLive(floor: Floor, { eventId, isLive, extraData }: SetLive): AdminOutcome {
  return withEvent(floor, eventId, (event) => {
    event.isLive = isLive;
    event.extraData = extraData;
    sayLiveData(floor, event);
    return DONE;
  });
}
