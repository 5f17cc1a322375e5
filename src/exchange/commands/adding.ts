/** Accounts, events and markets that come while the exchange runs. */
import { DONE, invalid, type Refused, withEvent } from '../admin-answers.js';
import type {
  AddAccount,
  AddEvent,
  AddMarket,
  AdminOutcome,
  EventConfig,
  MarketConfig,
} from '../contract.js';
import type { Floor } from '../floor.js';
import { scheduleEventWindow } from '../markets/lifecycle.js';
import { isTickSize } from '../markets/market-registry.js';
import type { Market } from '../markets/markets.js';

export function executeAddAccount(floor: Floor, { account }: AddAccount): AdminOutcome {
  if (floor.accounts.find(account.id) !== null)
    return invalid('id', `expected a new id, account ${account.id} exists`);
  floor.balanceDeposits(floor.accounts.add(account));
  return DONE;
}

export function executeAddEvent(floor: Floor, { event }: AddEvent): AdminOutcome {
  const problem = eventProblem(floor, event);
  if (problem !== null) return problem;
  const added = floor.markets.addEvent(event);
  scheduleEventWindow(floor, added);
  for (const market of added.markets) sayNewMarket(floor, market);
  return DONE;
}

export function executeAddMarket(floor: Floor, { eventId, market }: AddMarket): AdminOutcome {
  const problem = marketProblem(floor, market, '');
  if (problem !== null) return problem;
  return withEvent(floor, eventId, (event) => {
    if (event.status === 'resolved' || event.status === 'cancelled')
      return invalid('event', `expected one that is not over, event ${eventId} is ${event.status}`);
    sayNewMarket(floor, floor.markets.addMarket(event, market));
    return DONE;
  });
}

function eventProblem(floor: Floor, { id, markets, minAmount, maxAmount }: EventConfig): Refused | null {
  if (floor.markets.event(id) !== null) return invalid('id', `expected a new id, event ${id} exists`);
  if (minAmount > maxAmount) return invalid('minAmount', 'expected at most maxAmount');
  for (const [at, market] of markets.entries()) {
    const path = `markets.${at}.`;
    if (markets.findIndex((one) => one.id === market.id) < at)
      return invalid(`${path}id`, `expected a new id, market ${market.id} is listed twice`);
    const problem = marketProblem(floor, market, path);
    if (problem !== null) return problem;
  }
  return null;
}

/** @param path of the market in the command, with a dot behind it */
function marketProblem(floor: Floor, { id, tickUnits }: MarketConfig, path: string): Refused | null {
  if (!isTickSize(tickUnits)) return invalid(`${path}tickSize`, 'expected a divisor of one');
  if (floor.markets.market(id) !== null)
    return invalid(`${path}id`, `expected a new id, market ${id} exists`);
  return null;
}

const sayNewMarket = (floor: Floor, market: Market): void =>
  floor.outbox.say({ kind: 'new-market', marketId: market.id, eventId: market.event.id });
