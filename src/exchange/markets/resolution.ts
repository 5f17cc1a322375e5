/** Resolving, reversing and undoing events. */
import type { MarketId } from '../contract/ids.js';
import { payoutOf } from '../../domain/market.js';
import type { Resolution } from '../../domain/vocabulary.js';
import type { AdminOutcome, ResolveEvent } from '../contract.js';
import type { State } from '../state.js';
import {
  cancelOrders,
  changeEventStatus,
  changeMarketStatus,
  sayEventStatus,
  sayLiveData,
} from './lifecycle.js';
import type { Market, VenueEvent } from './markets.js';
import { payOut, refund, settlementsOf, takeBack } from '../money/settlements.js';

export type Refused = Extract<AdminOutcome, { readonly ok: false }>;

export const DONE: AdminOutcome = { ok: true };
export const invalid = (field: string, detail: string): Refused => ({
  ok: false,
  why: 'invalid',
  field,
  detail,
});

/** Resolves the named markets; the event follows when its last market does. */
export function resolveEvent(
  state: State,
  event: VenueEvent,
  resolutions: ResolveEvent['resolutions'],
): AdminOutcome {
  const refused = checkResolutions(event, resolutions);
  if (refused !== null) return refused;
  for (const { marketId, resolution } of resolutions) {
    const market = event.markets.find(({ id }) => id === marketId);
    if (market !== undefined) resolveMarket(state, market, resolution);
  }
  if (event.markets.some(({ isUndecided }) => isUndecided)) sayLiveData(state, event);
  else closeEvent(state, event);
  return DONE;
}

function closeEvent(state: State, event: VenueEvent): void {
  event.resolvedAt = state.now;
  changeEventStatus(state, event, 'resolved');
}

function checkResolutions(event: VenueEvent, resolutions: ResolveEvent['resolutions']): Refused | null {
  if (resolutions.length === 0)
    return invalid('resolutions', 'expected at least one market with its resolution');
  if (event.status === 'resolved' || event.status === 'cancelled')
    return invalid('event', `expected one that is not over, event ${event.id} is ${event.status}`);
  const named = new Map(resolutions.map(({ marketId, resolution }) => [marketId, resolution]));
  if (named.size < resolutions.length) return invalid('resolutions', 'expected each market once');
  for (const id of named.keys()) {
    const market = event.markets.find((one) => one.id === id);
    if (market === undefined)
      return invalid(`resolutions.${id}`, `expected a market of event ${event.id}, which ${id} is not`);
    if (market.resolution !== null)
      return invalid(`resolutions.${id}`, `expected a market that is not over, ${id} is ${market.status}`);
  }
  return checkExclusive(event, named);
}

/** Of mutually exclusive outcomes at most one comes true. */
function checkExclusive(event: VenueEvent, named: ReadonlyMap<MarketId, Resolution>): Refused | null {
  if (event.config.resolutionMode !== 'exclusive') return null;
  const longs = event.markets.filter(({ id, resolution }) => (named.get(id) ?? resolution) === 'long');
  if (longs.length <= 1) return null;
  const last = longs.findLast(({ id }) => named.has(id));
  return invalid(
    `resolutions.${last?.id}`,
    'expected short, because at most one market of an exclusive event resolves long',
  );
}

function resolveMarket(state: State, market: Market, resolution: Resolution): void {
  cancelOrders(state, market, 'event-resolved');
  for (const book of state.markets.both(market)) {
    if (resolution === 'void') refund(state, book);
    else payOut(state, book, payoutOf(resolution));
  }
  market.resolution = resolution;
  changeMarketStatus(state, market, resolution === 'void' ? 'cancelled' : 'resolved');
}

/** Undoes every cash flow of an event, also of the markets that are resolved already. */
export function cancelEvent(state: State, event: VenueEvent): AdminOutcome {
  for (const market of event.markets) if (market.status !== 'cancelled') voidMarket(state, market);
  changeEventStatus(state, event, 'cancelled');
  return DONE;
}

/** Undoes every cash flow of one market. */
export function voidMarket(state: State, market: Market): void {
  cancelOrders(state, market, 'event-cancelled');
  for (const book of state.markets.both(market)) refund(state, book);
  market.resolution = 'void';
  changeMarketStatus(state, market, 'cancelled');
}

/** Takes every settlement of an event back. */
export function reverseEvent(state: State, event: VenueEvent): AdminOutcome {
  const settled = event.markets.filter((market) =>
    state.markets.both(market).some((book) => settlementsOf(state, book).length > 0),
  );
  if (settled.length === 0)
    return invalid('event', `expected one with a resolved or cancelled market, event ${event.id} has none`);
  for (const market of settled) reverseMarket(state, market);
  const previous = event.status;
  event.status = 'reversed';
  event.resolvedAt = null;
  sayEventStatus(state, event, previous);
  sayLiveData(state, event);
  return DONE;
}

function reverseMarket(state: State, market: Market): void {
  for (const book of state.markets.both(market)) takeBack(state, book);
  market.resolution = null;
  changeMarketStatus(state, market, 'reversed');
}
