/** Resolving, reversing and undoing events. */
import type { MarketId } from '../../domain/ids.js';
import type { MarketStatus, Resolution } from '../../domain/vocabulary.js';
import { DONE, invalid } from '../admin-answers.js';
import { LONG, SHORT } from '../codes.js';
import type { AdminOutcome, ResolveEvent } from '../contract.js';
import type { Floor } from '../floor.js';
import { sayEventStatus, sayLiveData, sayMarketStatus } from './announcements.js';
import { cancelOrders, changeEventStatus } from './lifecycle.js';
import type { Market, VenueEvent } from './markets.js';
import { payOut, refund, takeBack } from '../money/payout.js';

type Verdict = Extract<AdminOutcome, { ok: false }> | null;

/** Resolves the named markets; the event follows when its last market does. */
export function resolveEvent(
  floor: Floor,
  event: VenueEvent,
  resolutions: ResolveEvent['resolutions'],
): AdminOutcome {
  const refused = checkResolutions(event, resolutions);
  if (refused !== null) return refused;
  for (const { marketId, resolution } of resolutions) {
    const market = event.markets.find(({ id }) => id === marketId);
    if (market !== undefined) resolveMarket(floor, market, resolution);
  }
  if (event.markets.some(({ isUndecided }) => isUndecided)) sayLiveData(floor, event);
  else closeEvent(floor, event);
  return DONE;
}

function closeEvent(floor: Floor, event: VenueEvent): void {
  event.resolvedAt = floor.now;
  changeEventStatus(floor, event, 'resolved');
}

function checkResolutions(event: VenueEvent, resolutions: ResolveEvent['resolutions']): Verdict {
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
function checkExclusive(event: VenueEvent, named: ReadonlyMap<MarketId, Resolution>): Verdict {
  if (event.config.resolutionMode !== 'exclusive') return null;
  const longs = event.markets.filter(({ id, resolution }) => (named.get(id) ?? resolution) === 'long');
  if (longs.length <= 1) return null;
  const last = longs.findLast(({ id }) => named.has(id));
  return invalid(
    `resolutions.${last?.id}`,
    'expected short, because at most one market of an exclusive event resolves long',
  );
}

function resolveMarket(floor: Floor, market: Market, resolution: Resolution): void {
  cancelOrders(floor, market, 'event-resolved');
  const winner = resolution === 'long' ? LONG : SHORT;
  for (const book of floor.markets.both(market)) {
    const settlement = resolution === 'void' ? refund(floor, book) : payOut(floor, book, winner);
    floor.settlements.add(book, settlement);
  }
  market.resolution = resolution;
  changeMarketStatus(floor, market, resolution === 'void' ? 'cancelled' : 'resolved');
}

function changeMarketStatus(floor: Floor, market: Market, status: MarketStatus): void {
  const previous = market.status;
  market.status = status;
  sayMarketStatus(floor, market, previous);
}

/** Undoes every cash flow of an event, also of the markets that are resolved already. */
export function cancelEvent(floor: Floor, event: VenueEvent): AdminOutcome {
  for (const market of event.markets) if (market.status !== 'cancelled') voidMarket(floor, market);
  changeEventStatus(floor, event, 'cancelled');
  return DONE;
}

/** Undoes every cash flow of one market. */
export function voidMarket(floor: Floor, market: Market): void {
  cancelOrders(floor, market, 'event-cancelled');
  for (const book of floor.markets.both(market)) floor.settlements.add(book, refund(floor, book));
  market.resolution = 'void';
  changeMarketStatus(floor, market, 'cancelled');
}

/** Takes every settlement of an event back. */
export function reverseEvent(floor: Floor, event: VenueEvent): AdminOutcome {
  const settled = event.markets.filter((market) =>
    floor.markets.both(market).some((book) => floor.settlements.of(book).length > 0),
  );
  if (settled.length === 0)
    return invalid('event', `expected one with a resolved or cancelled market, event ${event.id} has none`);
  for (const market of settled) reverseMarket(floor, market);
  const previous = event.status;
  event.status = 'reversed';
  event.resolvedAt = null;
  sayEventStatus(floor, event, previous);
  sayLiveData(floor, event);
  return DONE;
}

function reverseMarket(floor: Floor, market: Market): void {
  for (const book of floor.markets.both(market)) {
    for (const settlement of floor.settlements.takeAll(book)) takeBack(floor, book, settlement);
  }
  market.resolution = null;
  changeMarketStatus(floor, market, 'reversed');
}
