import type { EventId, MarketId } from '../../domain/ids.js';
import type { TradingTerms } from '../../domain/market.js';
import {
  type Money,
  type PriceUnits,
  SHARE_ONE,
  type Shares,
  ZERO_MONEY,
  money,
} from '../../domain/units.js';

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

/** The dearer of both fees on these shares, rounded against us; a rebate is not counted on. */
export function worstFee(shares: Shares, terms: Pick<TradingTerms, 'takerFee' | 'makerFee'>): Money {
  const perShare = Math.max(terms.takerFee, terms.makerFee, 0);
  return perShare === 0 ? ZERO_MONEY : (Math.ceil((perShare * shares) / SHARE_ONE) as Money);
}

/** What a resting bid locks (facts, "Trading rules"): its cost and the larger fee. */
export const lockOf = (price: PriceUnits, shares: Shares, terms: MarketTerms): Money =>
  money(price * shares + worstFee(shares, terms));

/** The most shares that this much cash can lock at a price. */
export function affordable(price: PriceUnits, cash: Money, terms: MarketTerms): Shares {
  if (cash <= 0) return 0 as Shares;
  const perShare = price + Math.max(terms.takerFee, terms.makerFee, 0) / SHARE_ONE;
  let shares = Math.floor(cash / perShare);
  while (shares > 0 && lockOf(price, shares as Shares, terms) > cash) shares -= 1;
  return shares as Shares;
}
