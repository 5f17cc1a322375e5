/** Fills as short as tests want them: prices in cents of the named position, whole shares. */
import type { Fill } from '../../../src/domain/fill.js';
import { eventId, marketId, orderId } from '../../../src/domain/ids.js';
import { micros, money, notional, priceUnits, shares } from '../../../src/domain/units.js';

/** @param cents price of the position; the amount follows from it unless stated */
export function fillOf(cents: number, whole: number, changes: Partial<Fill> = {}): Fill {
  const size = shares(Math.round(whole * 100));
  return {
    id: 1,
    orderId: orderId(1),
    eventId: eventId(873),
    marketId: marketId(2231),
    side: 'bid',
    position: 'long',
    currency: 'OOM',
    shares: size,
    amount: notional(priceUnits(Math.round(cents * 100)), size),
    fee: money(0),
    liquidity: 'unknown',
    at: micros(0),
    isInferred: false,
    replaces: null,
    ...changes,
  };
}
