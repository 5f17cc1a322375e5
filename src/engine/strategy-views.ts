/** What a strategy sees besides the book. */
import type { MarketId } from '../domain/ids.js';
import {
  currencyUnits,
  type Micros,
  PRICE_ONE,
  probability,
  type Shares,
  wholeShares,
} from '../domain/units.js';
import type { MarketTerms } from '../execution/market-terms.js';
import type { OwnOrder } from '../execution/own-order.js';
import type { EventView, InventoryView, MarketView, WorkingQuote } from '../strategy/contract.js';
import type { EngineParts, QuotedMarket } from './parts.js';

export function marketViewOf({ mirror }: EngineParts, terms: MarketTerms): MarketView {
  return {
    id: terms.marketId,
    title: mirror.market(terms.marketId).title,
    tick: terms.tickUnits / PRICE_ONE,
    currency: terms.currency,
    takerFee: currencyUnits(terms.takerFee),
    makerFee: currencyUnits(terms.makerFee),
    minAmount: currencyUnits(terms.minAmount),
  };
}

export function inventoryViewOf({ positions, funds }: EngineParts, market: MarketId): InventoryView {
  const long = wholeShares(positions.held(market, 'long'));
  const short = wholeShares(positions.held(market, 'short'));
  return {
    long,
    short,
    net: long - short,
    paired: Math.min(long, short),
    averageLong: positions.averageCost(market, 'long'),
    averageShort: positions.averageCost(market, 'short'),
    cashFree: currencyUnits(funds.freeCash()),
  };
}

/** The other markets are looked up only when the strategy asks for them. */
export function eventViewOf(
  parts: EngineParts,
  quoter: QuotedMarket,
  siblings: () => readonly QuotedMarket[],
  now: Micros,
): EventView {
  const { mirror, positions } = parts;
  const { event } = mirror.market(quoter.marketId);
  const close = mirror.betEnd(quoter.marketId);
  return {
    id: event.id,
    title: event.title,
    status: event.status,
    resolutionMode: event.resolutionMode,
    isLive: event.isLive,
    msToClose: close === null ? null : (close - now) / 1_000,
    get markets() {
      return siblings().map(({ marketId, weightedMid }) => ({
        id: marketId,
        weightedMid,
        inventory: wholeShares(
          (positions.held(marketId, 'long') - positions.held(marketId, 'short')) as Shares,
        ),
      }));
    },
  };
}

export function workingQuotesOf(working: readonly OwnOrder[]): readonly WorkingQuote[] {
  const quotes: WorkingQuote[] = [];
  for (const order of working)
    if (order.ownership === 'ours' && order.state !== 'done')
      quotes.push({
        side: order.bookSide,
        price: probability(order.longPrice),
        shares: wholeShares(order.remaining),
        state: order.state,
      });
  return quotes;
}
