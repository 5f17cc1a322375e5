/** What a strategy sees besides the book. */
import type { MarketId } from '../domain/ids.js';
import { currencyUnits, type Micros, PRICE_ONE, probability, wholeShares } from '../domain/units.js';
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

/** The question as it is now; the other markets are looked up only when the strategy asks for them. */
export class EventOf implements EventView {
  readonly id: EventView['id'];
  readonly title: string;
  readonly status: EventView['status'];
  readonly resolutionMode: EventView['resolutionMode'];
  readonly isLive: boolean;
  readonly msToClose: number | null;

  constructor(
    private readonly parts: EngineParts,
    marketId: MarketId,
    private readonly siblings: () => readonly QuotedMarket[],
    now: Micros,
  ) {
    const { mirror } = parts;
    const { event } = mirror.market(marketId);
    const close = mirror.betEnd(marketId);
    this.id = event.id;
    this.title = event.title;
    this.status = event.status;
    this.resolutionMode = event.resolutionMode;
    this.isLive = event.isLive;
    this.msToClose = close === null ? null : (close - now) / 1_000;
  }

  get markets(): EventView['markets'] {
    const { positions } = this.parts;
    return this.siblings().map(({ marketId, weightedMid }) => ({
      id: marketId,
      weightedMid,
      inventory: wholeShares(positions.net(marketId)),
    }));
  }
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
