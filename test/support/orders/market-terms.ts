import type { Money } from '../../../src/domain/units.js';
import type { MarketTerms } from '../../../src/core/execution/planning/market-terms.js';
import { EVENT, MARKET } from './order-scenario.js';

/** One-cent ticks, no fees, least amount 0.01, unless told otherwise. */
export const marketTerms = (terms: Partial<MarketTerms> = {}): MarketTerms => ({
  eventId: EVENT,
  marketId: MARKET,
  currency: 'OOM',
  mode: 'play_money',
  tickUnits: 100,
  takerFee: 0 as Money,
  makerFee: 0 as Money,
  minAmount: 10_000 as Money,
  maxAmount: 1e12 as Money,
  ...terms,
});

/** So many whole currency units. */
export const cash = (units: number): Money => (units * 1_000_000) as Money;
