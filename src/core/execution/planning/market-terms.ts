import type { EventId, MarketId } from '../../../domain/ids.js';
import { dearerFee, type Fees, lockAt } from '../../../domain/locks.js';
import type { TradingTerms } from '../../../domain/market.js';
import { type Money, type PriceUnits, SHARE_ONE, type Shares } from '../../../domain/units.js';

/** What orders in one market must respect. */
export interface MarketTerms extends TradingTerms {
  readonly eventId: EventId;
  readonly marketId: MarketId;
  /** Price units per tick. */
  readonly tickUnits: number;
}

/** What can be used in one market. */
export interface Funds {
  readonly cash: Money;
  /** Shares held per position. */
  readonly long: Shares;
  readonly short: Shares;
}

/** What a resting bid locks (facts, "Trading rules"): its cost and the larger fee, rounded against us. */
export const lockOf = (price: PriceUnits, shares: Shares, terms: Fees): Money =>
  lockAt(price, shares, dearerFee(terms));

/** The most shares that this much cash can lock at a price. */
export function affordable(price: PriceUnits, cash: Money, terms: MarketTerms): Shares {
  if (cash <= 0) return 0 as Shares;
  const perShare = price + dearerFee(terms) / SHARE_ONE;
  let shares = Math.floor(cash / perShare);
  while (shares > 0 && lockOf(price, shares as Shares, terms) > cash) shares -= 1;
  return shares as Shares;
}
