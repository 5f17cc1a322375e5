/** What an administrator may do: events, markets, deposits, comments. */
import type { EventId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { EventStatus } from '../../domain/vocabulary.js';
import { currencyCode } from '../codes.js';
import type {
  AddEvent,
  AddMarket,
  AdminOutcome,
  Deposit,
  EventConfig,
  MarketConfig,
  PostComment,
  ResolveEvent,
  ReverseEvent,
  SetEventStatus,
  SetLive,
  SetMarketStatus,
} from '../contract.js';
import type { Floor } from '../floor.js';
import { sayLiveData, sayMarketStatus } from '../announcements.js';
import {
  changeEventStatus,
  scheduleEventWindow,
  scheduleMarketWindow,
  settleTradability,
} from '../lifecycle.js';
import { isTickSize } from '../market-registry.js';
import type { Market, VenueEvent } from '../markets.js';
import { cancelEvent, resolveEvent, reverseEvent, voidMarket } from '../resolution.js';

const DONE: AdminOutcome = { ok: true };
const invalid = (detail: string): AdminOutcome => ({ ok: false, why: 'invalid', detail });
const unknown = (what: string): AdminOutcome => ({ ok: false, why: 'not-found', detail: `no such ${what}` });

export function executeAddEvent(floor: Floor, { event }: AddEvent): AdminOutcome {
  if (floor.markets.event(event.id) !== null) return invalid(`event ${event.id} exists`);
  const problem = invalidMarkets(floor, event.markets) ?? invalidEvent(event);
  if (problem !== null) return invalid(problem);
  const added = floor.markets.addEvent(event);
  scheduleEventWindow(floor, added);
  for (const market of added.markets) sayNewMarket(floor, market);
  return DONE;
}

export function executeAddMarket(floor: Floor, { eventId, market }: AddMarket): AdminOutcome {
  const problem = invalidMarkets(floor, [market]);
  if (problem !== null) return invalid(problem);
  return withEvent(floor, eventId, (event) => {
    if (event.status === 'resolved' || event.status === 'cancelled')
      return invalid(`the event is ${event.status}`);
    sayNewMarket(floor, floor.markets.addMarket(event, market));
    return DONE;
  });
}

function invalidMarkets(floor: Floor, markets: readonly MarketConfig[]): string | null {
  const ids = new Set(markets.map(({ id }) => id));
  if (ids.size < markets.length) return 'two markets have the same id';
  const offGrid = markets.find(({ tickUnits }) => !isTickSize(tickUnits));
  if (offGrid !== undefined) return `the tick of market ${offGrid.id} is no divisor of one`;
  const taken = markets.find(({ id }) => floor.markets.market(id) !== null);
  return taken === undefined ? null : `market ${taken.id} exists`;
}

const invalidEvent = ({ minAmount, maxAmount }: EventConfig): string | null =>
  minAmount > maxAmount ? 'the least amount exceeds the most' : null;

const sayNewMarket = (floor: Floor, market: Market): void =>
  floor.outbox.say({ kind: 'new-market', marketId: market.id, eventId: market.event.id });

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
      return invalid(`an event cannot go from ${event.status} to ${status}`);
    if (status === 'cancelled') return cancelEvent(floor, event);
    reactivate(floor, event);
    changeEventStatus(floor, event, status);
    return DONE;
  });
}

/** Markets of a reversed event trade again when it does. */
function reactivate(floor: Floor, event: VenueEvent): void {
  if (event.status !== 'reversed') return;
  for (const market of event.markets) {
    if (market.status !== 'reversed') continue;
    market.status = 'active';
    sayMarketStatus(floor, market, 'reversed');
  }
}

export function executeSetMarketStatus(floor: Floor, command: SetMarketStatus): AdminOutcome {
  const market = floor.markets.market(command.marketId);
  if (market === null) return unknown('market');
  const { status } = command;
  if (status === 'resolved' || status === 'reversed') return invalid(`a market is not set ${status} by hand`);
  if (!market.isLive && market.status !== 'reversed') return invalid(`the market is ${market.status}`);
  if (status === 'cancelled') voidMarket(floor, market);
  else adjustMarket(floor, market, command);
  return DONE;
}

function adjustMarket(floor: Floor, market: Market, { status, disabled, betEnd }: SetMarketStatus): void {
  const previous = market.status;
  market.status = status ?? previous;
  market.disabled = disabled ?? market.disabled;
  if (betEnd !== undefined) setBetEnd(floor, market, betEnd);
  settleTradability(floor, market);
  sayMarketStatus(floor, market, previous);
}

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

export function executeDeposit(floor: Floor, { account: id, currency, amount }: Deposit): AdminOutcome {
  const account = floor.accounts.find(id);
  if (account === null) return unknown('account');
  const code = currencyCode(currency);
  if (!Number.isSafeInteger(amount) || amount <= 0) return invalid('a deposit is a positive amount');
  if (!Number.isSafeInteger(floor.depositsOf(code) - amount))
    return invalid('more than the ledger can count');
  floor.outbox.touchCash(account);
  account.cash[code] = (account.cash[code] as number) + amount;
  floor.deposits[code] = floor.depositsOf(code) - amount;
  floor.outbox.say({ kind: 'deposit-success', account: id, currency, amount });
  return DONE;
}

export function executePostComment(floor: Floor, { eventId, account, content }: PostComment): AdminOutcome {
  if (floor.accounts.find(account) === null) return unknown('account');
  return withEvent(floor, eventId, () => {
    const comment = floor.comments.post({ eventId, account, content, postedAt: floor.now });
    const at = (floor.now + floor.config.commentDelayMs * 1_000) as Micros;
    floor.due.schedule({ at, kind: 'comment', id: comment.id });
    return DONE;
  });
}

export function executeTestEvent(floor: Floor): AdminOutcome {
  floor.outbox.say({ kind: 'test-event', at: floor.now });
  return DONE;
}

function withEvent(floor: Floor, id: EventId, action: (event: VenueEvent) => AdminOutcome): AdminOutcome {
  const event = floor.markets.event(id);
  return event === null ? unknown('event') : action(event);
}
