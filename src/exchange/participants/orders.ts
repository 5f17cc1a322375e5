/** How participants write their orders: wishes in long-side terms, turned into what this venue knows. */
import { complement, type Micros, type PriceUnits, type Shares } from '../../domain/units.js';
import type { Position, Side } from '../../domain/vocabulary.js';
import type { Command, ExchangeCore, OrderRequest, OrderView } from '../contract.js';
import type { TraderHoldings } from './trader-holdings.js';
import type { TradedMarket, Trader } from './participant.js';

export interface Wish {
  readonly market: TradedMarket;
  /** On the long side of the book. */
  readonly side: Side;
  /** Long-side price; null: whatever the book gives now. */
  readonly price: PriceUnits | null;
  readonly shares: Shares;
  readonly expiresAt: Micros | null;
}

/** Whether the venue takes orders in the market at this moment. */
export function isOpen({ id, eventId }: TradedMarket, venue: ExchangeCore): boolean {
  const event = venue.event(eventId);
  const market = event?.markets.find((one) => one.id === id);
  return event?.wagerable === true && market?.status === 'active' && !market.disabled;
}

/** The trader's orders that rest in the market. */
export function restingOrders(
  { id }: TradedMarket,
  trader: Trader,
  venue: ExchangeCore,
): readonly OrderView[] {
  const page = { marketId: id, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  return (['open', 'partial_filled'] as const).flatMap(
    (status) => venue.orders(trader.account, { ...page, status }).results,
  );
}

/** Buys long for a bid, short for an ask: needs collateral and nothing else. */
export const buying = (wish: Wish, trader: Trader): Command =>
  place(wish, { side: 'bid', position: wish.side === 'bid' ? 'long' : 'short' }, trader);

/** Sells held shares of the other position where enough of them are free, and buys otherwise. */
export function sellingFirst(
  wish: Wish,
  trader: Trader,
  holdings: TraderHoldings,
  venue: ExchangeCore,
): Command {
  const position: Position = wish.side === 'ask' ? 'long' : 'short';
  const held = holdings.of(wish.market.id, position);
  if (held < wish.shares || held - onSale(wish.market, position, trader, venue) < wish.shares)
    return buying(wish, trader);
  return place(wish, { side: 'ask', position }, trader);
}

/** Shares that resting asks have locked. */
function onSale(market: TradedMarket, position: Position, trader: Trader, venue: ExchangeCore): number {
  return restingOrders(market, trader, venue)
    .filter((order) => order.side === 'ask' && order.position === position)
    .reduce((sum, { shares, filled }) => sum + shares - filled, 0);
}

/** One command per order, so that a refused one does not matter to the others. */
function place(wish: Wish, how: Pick<OrderRequest, 'side' | 'position'>, trader: Trader): Command {
  const { market, price, shares, expiresAt } = wish;
  return {
    kind: 'place-order',
    account: trader.account,
    request: null,
    order: {
      ...how,
      marketId: market.id,
      eventId: null,
      currency: trader.currency,
      price: price === null || how.position === 'long' ? price : complement(price),
      shares,
      amount: null,
      expiresAt,
      cancelConflicting: true,
    },
  };
}
