/** What an administrator decides: accounts, deposits, events, markets, statuses, comments; and a user's own wallet. */
import type { EventId } from '../contract/ids.js';
import type { Micros } from '../../domain/units.js';
import { CURRENCIES, type EventStatus, type MarketStatus } from '../../domain/vocabulary.js';
import type {
  AddAccount,
  AddEvent,
  AddMarket,
  AdminOutcome,
  Deposit,
  EventConfig,
  MarketConfig,
  PostComment,
  RegisterSafe,
  RegisterSafeOutcome,
  ResolveEvent,
  ReverseEvent,
  SetEventStatus,
  SetLive,
  SetMarketStatus,
} from '../contract.js';
import {
  changeEventStatus,
  changeMarketStatus,
  sayLiveData,
  sayMarketStatus,
  scheduleEventWindow,
  settleTradability,
} from '../markets/lifecycle.js';
import { isTickSize } from '../markets/market-registry.js';
import type { Market, VenueEvent } from '../markets/markets.js';
import {
  cancelEvent,
  DONE,
  invalid,
  type Refused,
  resolveEvent,
  reverseEvent,
  voidMarket,
} from '../markets/resolution.js';
import { accountView } from '../reads/accounts.js';
import type { State } from '../state.js';

const unknown = (what: string): Refused => ({ ok: false, why: 'not-found', detail: `no such ${what}` });

/** Acts on an event, or says that there is none. */
function withEvent(state: State, id: EventId, action: (event: VenueEvent) => AdminOutcome): AdminOutcome {
  const event = state.markets.event(id);
  return event === null ? unknown('event') : action(event);
}

export function executeAddAccount(state: State, { account }: AddAccount): AdminOutcome {
  if (state.accounts.find(account.id) !== null)
    return invalid('id', `expected a new id, account ${account.id} exists`);
  for (const currency of CURRENCIES)
    if (!Number.isSafeInteger(state.deposits[currency] - (account.balances[currency] ?? 0)))
      return invalid(`balances.${currency}`, 'expected less, it is more than the ledger can count');
  state.addAccount(account);
  return DONE;
}

/** `POST /me/safe/` (specification 4.2): remembers the wallet. */
export function executeRegisterSafe(state: State, command: RegisterSafe): RegisterSafeOutcome {
  const account = state.accounts.find(command.account);
  if (account === null) return { ok: false, why: 'not-found' };
  account.safe = { address: command.safeAddress, chainId: command.chainId };
  return { ok: true, account: accountView(account) };
}

/** Money from the world. */
export function executeDeposit(state: State, { account: id, currency, amount }: Deposit): AdminOutcome {
  const account = state.accounts.find(id);
  if (account === null) return unknown('account');
  if (!Number.isSafeInteger(amount) || amount <= 0) return invalid('amount', 'expected a positive amount');
  if (!Number.isSafeInteger(state.deposits[currency] - amount))
    return invalid('amount', 'expected less, it is more than the ledger can count');
  state.outbox.touchCash(account);
  account.cash[currency] += amount;
  state.deposits[currency] -= amount;
  state.outbox.say({ kind: 'deposit-success', account: id, currency, amount });
  return DONE;
}

export function executePostComment(state: State, { eventId, account, content }: PostComment): AdminOutcome {
  if (state.accounts.find(account) === null) return unknown('account');
  return withEvent(state, eventId, () => {
    state.lastCommentId += 1;
    const commentId = state.lastCommentId;
    const postedAt = state.now;
    state.comments.set(commentId, { kind: 'market-comment', commentId, eventId, account, content, postedAt });
    const at = (state.now + state.config.commentDelayMs * 1_000) as Micros;
    state.schedule.add({ at, kind: 'comment', id: commentId });
    return DONE;
  });
}

export function executeTestEvent(state: State): AdminOutcome {
  state.outbox.say({ kind: 'test-event', at: state.now });
  return DONE;
}

export function executeAddEvent(state: State, { event }: AddEvent): AdminOutcome {
  const problem = eventProblem(state, event);
  if (problem !== null) return problem;
  const added = state.markets.addEvent(event);
  scheduleEventWindow(state, added);
  for (const market of added.markets) sayNewMarket(state, market);
  return DONE;
}

export function executeAddMarket(state: State, { eventId, market, reopens }: AddMarket): AdminOutcome {
  const problem = marketProblem(state, market, '');
  if (problem !== null) return problem;
  return withEvent(state, eventId, (event) => {
    if (event.status === 'cancelled' || (event.status === 'resolved' && reopens !== true))
      return invalid('event', `expected one that is not over, event ${eventId} is ${event.status}`);
    sayNewMarket(state, state.markets.addMarket(event, market));
    if (event.status !== 'resolved') return DONE;
    event.resolvedAt = null;
    changeEventStatus(state, event, 'open');
    return DONE;
  });
}

function eventProblem(state: State, { id, markets, minAmount, maxAmount }: EventConfig): Refused | null {
  if (state.markets.event(id) !== null) return invalid('id', `expected a new id, event ${id} exists`);
  if (minAmount > maxAmount) return invalid('minAmount', 'expected at most maxAmount');
  for (const [at, market] of markets.entries()) {
    const path = `markets.${at}.`;
    if (markets.findIndex((one) => one.id === market.id) < at)
      return invalid(`${path}id`, `expected a new id, market ${market.id} is listed twice`);
    const problem = marketProblem(state, market, path);
    if (problem !== null) return problem;
  }
  return null;
}

/** @param path of the market in the command, with a dot behind it */
function marketProblem(state: State, { id, tickUnits }: MarketConfig, path: string): Refused | null {
  if (!isTickSize(tickUnits)) return invalid(`${path}tickSize`, 'expected a divisor of one');
  if (state.markets.market(id) !== null)
    return invalid(`${path}id`, `expected a new id, market ${id} exists`);
  return null;
}

const sayNewMarket = ({ outbox }: State, market: Market): void =>
  outbox.say({ kind: 'new-market', marketId: market.id, eventId: market.event.id });

/** Which statuses an administrator may set from which; resolution and reversal have commands of their own. */
const NEXT_STATUSES: Readonly<Record<EventStatus, readonly EventStatus[]>> = {
  open: ['paused', 'stopped', 'cancelled'],
  paused: ['open', 'stopped', 'cancelled'],
  stopped: ['open', 'paused', 'cancelled'],
  reversed: ['open', 'paused', 'stopped', 'cancelled'],
  resolved: [],
  cancelled: [],
};

export function executeSetEventStatus(state: State, { eventId, status }: SetEventStatus): AdminOutcome {
  return withEvent(state, eventId, (event) => {
    if (event.status === status) return DONE;
    const allowed = NEXT_STATUSES[event.status];
    if (!allowed.includes(status)) {
      const expected = allowed.join(' or ') || 'no other';
      return invalid('status', `expected ${expected}, because the event is ${event.status}`);
    }
    if (status === 'cancelled') return cancelEvent(state, event);
    if (event.status === 'reversed') reactivateMarkets(state, event);
    changeEventStatus(state, event, status);
    return DONE;
  });
}

/** Markets of a reversed event trade again when the event does. */
function reactivateMarkets(state: State, { markets }: VenueEvent): void {
  for (const market of markets) if (market.status === 'reversed') changeMarketStatus(state, market, 'active');
}

/** What a market can be set to; the other statuses come with resolution and reversal of its event. */
const BY_HAND: readonly MarketStatus[] = ['active', 'paused', 'stopped', 'cancelled'];

export function executeSetMarketStatus(state: State, command: SetMarketStatus): AdminOutcome {
  const market = state.markets.market(command.marketId);
  if (market === null) return unknown('market');
  const { status } = command;
  if (status === 'resolved' || status === 'reversed')
    return invalid('status', `expected ${BY_HAND.join(' or ')}, a market is ${status} with its event`);
  if (!market.isUndecided && market.status !== 'reversed')
    return invalid('market', `expected one that is not over, market ${market.id} is ${market.status}`);
  if (status === 'cancelled') voidMarket(state, market);
  else adjustMarket(state, market, command);
  return DONE;
}

function adjustMarket(state: State, market: Market, { status, disabled, betEnd }: SetMarketStatus): void {
  const before = tradabilityFields(market);
  const previous = market.status;
  market.status = status ?? previous;
  market.disabled = disabled ?? market.disabled;
  if (betEnd !== undefined) {
    market.ownBetEnd = betEnd;
    if (betEnd !== null && betEnd > state.now)
      state.schedule.add({ at: betEnd, kind: 'market-window', id: market.id });
  }
  if (tradabilityFields(market) === before) return;
  settleTradability(state, market);
  sayMarketStatus(state, market, previous);
}

/** What `market-status-change` is about. The same text: there is nothing to tell. */
const tradabilityFields = ({ status, disabled, betEnd }: Market): string =>
  `${status} ${String(disabled)} ${String(betEnd)}`;

export const executeResolveEvent = (state: State, { eventId, resolutions }: ResolveEvent): AdminOutcome =>
  withEvent(state, eventId, (event) => resolveEvent(state, event, resolutions));

export const executeReverseEvent = (state: State, { eventId }: ReverseEvent): AdminOutcome =>
  withEvent(state, eventId, (event) => reverseEvent(state, event));

export function executeSetLive(state: State, { eventId, isLive, extraData }: SetLive): AdminOutcome {
  return withEvent(state, eventId, (event) => {
    event.isLive = isLive;
    event.extraData = extraData;
    sayLiveData(state, event);
    return DONE;
  });
}
