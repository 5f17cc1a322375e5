/** Events and markets that an administrator adds. */
import { DONE, invalid, withEvent } from '../admin-answers.js';
import type { AddEvent, AddMarket, AdminOutcome, EventConfig, MarketConfig } from '../contract.js';
import type { Floor } from '../floor.js';
import { scheduleEventWindow } from '../lifecycle.js';
import { isTickSize } from '../market-registry.js';
import type { Market } from '../markets.js';

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
