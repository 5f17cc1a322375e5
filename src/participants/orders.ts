/** How participants write their orders: in long-side terms, selling what they hold before they lock collateral. */
import type { MarketId } from '../domain/ids.js';
import { complement, type Micros, type PriceUnits, type Shares } from '../domain/units.js';
import type { Position, Side } from '../domain/vocabulary.js';
import type { Command, ExchangeEvent, OrderRequest } from '../exchange/contract.js';
import type { Trader } from './participant.js';

/** What a trader holds, learnt from the venue's position updates. */
export class Holdings {
  private readonly held = new Map<string, Shares>();

  constructor(private readonly trader: Trader) {}

  observe(event: ExchangeEvent): void {
    if (event.kind !== 'position-update' || event.account !== this.trader.account) return;
    if (event.currency === this.trader.currency)
      this.held.set(`${event.marketId}/${event.position}`, event.shares);
  }

  of(market: MarketId, position: Position): Shares {
    return this.held.get(`${market}/${position}`) ?? (0 as Shares);
  }

  /** Long minus short. */
  net(market: MarketId): number {
    return this.of(market, 'long') - this.of(market, 'short');
  }
}

export interface Wish {
  readonly market: MarketId;
  /** On the long side of the book. */
  readonly side: Side;
  /** Long-side price; null: whatever the book gives now. */
  readonly price: PriceUnits | null;
  readonly shares: Shares;
  readonly expiresAt: Micros | null;
}

/** A wish as an order: an ask sells held long shares if they suffice, otherwise it buys short, and mirrored. */
export function orderFor(wish: Wish, trader: Trader, holdings: Holdings): OrderRequest {
  const held: Position = wish.side === 'ask' ? 'long' : 'short';
  const sells = holdings.of(wish.market, held) >= wish.shares;
  const position: Position = sells ? held : wish.side === 'ask' ? 'short' : 'long';
  const price = wish.price === null || position === 'long' ? wish.price : complement(wish.price);
  return {
    marketId: wish.market,
    eventId: null,
    side: sells ? 'ask' : 'bid',
    position,
    currency: trader.currency,
    price,
    shares: wish.shares,
    amount: null,
    expiresAt: wish.expiresAt,
    cancelConflicting: true,
  };
}

/** One command per order, so that a refused one does not matter to the others. */
export const place = (trader: Trader, order: OrderRequest): Command => ({
  kind: 'place-order',
  account: trader.account,
  order,
  request: null,
});
