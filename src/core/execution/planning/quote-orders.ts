/** The two orders that a quote can be. Written out: literals of one shape are an order of magnitude faster here than spreading what they share. */
import type { LimitOrder } from '../../../domain/orders.js';
import type { PriceUnits, Shares } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import type { MarketTerms } from './market-terms.js';

/** @param price of what is sold: of long shares for an ask of the book, of short ones for a bid */
export const saleOf = (side: Side, price: PriceUnits, shares: Shares, terms: MarketTerms): LimitOrder => ({
  eventId: terms.eventId,
  marketId: terms.marketId,
  side: 'ask',
  position: side === 'ask' ? 'long' : 'short',
  currency: terms.currency,
  price,
  shares,
  expiresAt: null,
});

/** @param price of what is bought: of short shares for an ask of the book, of long ones for a bid */
export const purchaseOf = (
  side: Side,
  price: PriceUnits,
  shares: Shares,
  terms: MarketTerms,
): LimitOrder => ({
  eventId: terms.eventId,
  marketId: terms.marketId,
  side: 'bid',
  position: side === 'ask' ? 'short' : 'long',
  currency: terms.currency,
  price,
  shares,
  expiresAt: null,
});
