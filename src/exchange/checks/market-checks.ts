import type { Micros } from '../../domain/units.js';
import type { OrderRequest } from '../contract.js';
import type { Market } from '../markets/markets.js';
import { isOpen } from '../markets/tradability.js';
import { refuse, refuseField, type Verdict } from './refusals.js';

/** Does the market take orders now, and is it the event's? */
export function checkMarket(market: Market, { eventId }: OrderRequest, now: Micros): Verdict {
  if (eventId !== null && eventId !== market.event.id) {
    return refuseField('event', `Market ${market.id} does not belong to event ${eventId}.`);
  }
  if (market.disabled) return refuse('OutcomeDisabled');
  if (!isOpen(market, now)) return refuse('MarketClosed');
  return market.status === 'active' ? null : refuse('OrderBookMarketClosed');
}
