import type { Micros } from '../../../domain/units.js';
import type { OwnOrder } from '../../execution/orders/own-order.js';
import { depthOf } from '../observing/observation.js';
import type { EngineParts } from '../parts.js';
import type { RuleGround } from './learned-rules.js';

/** What is known of a market at the moment in which it refuses an order. */
export function ruleGroundOf(parts: EngineParts, { marketId }: OwnOrder, at: Micros): RuleGround {
  const { tickUnits } = parts.terms.get(marketId)!;
  const { bids, asks } = depthOf(parts, marketId, at);
  const taken = parts.desk.orders
    .own(marketId)
    .working.filter(({ state, ownership }) => state === 'live' && ownership === 'ours')
    .map(({ price, requested }) => ({ price, shares: requested }));
  return { taken, bookPrices: [...bids.prices, ...asks.prices], tickUnits };
}
