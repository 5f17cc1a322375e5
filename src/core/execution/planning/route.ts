/**
 * Turns an intent into orders. The venue has no short selling (facts, "Trading rules"): an ask sells long shares held or
 * buys short ones at the complement; a bid sells short shares held or buys long ones. Both stand on the same side of the
 * one book.
 */
import { invariant } from '../../../domain/errors.js';
import type { QuoteIntent, QuoteLevel } from '../../../domain/intent.js';
import type { LimitOrder } from '../../../domain/orders.js';
import type { PriceUnits, Shares } from '../../../domain/units.js';
import type { Side } from '../../../domain/vocabulary.js';
import {
  type Leg,
  legsOf,
  NOTHING_STANDS,
  piecesOf,
  type RouteOrder,
  type Standing,
  type Unrouted,
} from './legs.js';
import type { Funds, MarketTerms } from './market-terms.js';
import { ration } from './rationing.js';
import type { Touch } from './touch.js';

export interface RoutePolicy {
  readonly order: RouteOrder;
  /** Fair value of the long side for sharing out scarce cash; null: the nearest quotes come first. */
  readonly fair: PriceUnits | null;
  /** Orders that keep their place where they fit; left out or null: routed as if nothing stood. */
  readonly standing?: Standing | null;
  /** Best foreign prices; levels that would take are moved just behind them. Left out or null: not looked at. */
  readonly touch?: Touch | null;
}

/** The orders that express an intent. */
export interface Routed {
  /** Bids of the book before its asks, best first; of a level first what stands, then sales before purchases. */
  readonly orders: readonly LimitOrder[];
  readonly unrouted: readonly Unrouted[];
  /** Every level is made of orders that stand, whole: nothing is to be asked for. */
  readonly stands: boolean;
  /** The cash did not suffice for every purchase: which quotes got it depends on the fair value. */
  readonly isScarce: boolean;
}

/**
 * @param intent  bids below asks, best first
 * @param funds   shares held and cash usable here, both as if no own order stood in this market
 * @returns orders that together sell no more than is held and lock no more than the cash
 * @throws InvariantError when the intent's bids reach its asks
 */
export function route(intent: QuoteIntent, funds: Funds, terms: MarketTerms, policy: RoutePolicy): Routed {
  const [bid] = intent.bids;
  const [ask] = intent.asks;
  invariant(bid === undefined || ask === undefined || bid.price < ask.price, 'the intent crosses itself');
  const { fair, touch = null } = policy;
  const sellFirst = policy.order === 'held-first';
  const standing = policy.standing ?? NOTHING_STANDS;
  const unrouted: Unrouted[] = [];
  const legsOn = (side: Side, levels: readonly QuoteLevel[], held: Shares): Leg[] =>
    legsOf({ levels, side, held, sellFirst, standing, touch }, terms, unrouted);
  const bids = legsOn('bid', intent.bids, funds.short);
  const asks = legsOn('ask', intent.asks, funds.long);
  const isScarce = ration({ bids, asks, funds, fair }, terms, unrouted);
  const legs = [...bids, ...asks];
  const orders: LimitOrder[] = [];
  for (const leg of legs) addOrders(orders, leg, terms, unrouted);
  const stands = unrouted.length === 0 && legs.every(({ sell, buy }) => sell === 0 && buy === 0);
  return { orders, unrouted, stands, isScarce };
}

function addOrders(orders: LimitOrder[], leg: Leg, terms: MarketTerms, unrouted: Unrouted[]): void {
  for (const { side, remaining } of leg.kept)
    orders.push(side === 'ask' ? saleOf(leg, remaining, terms) : purchaseOf(leg, remaining, terms));
  const add = (order: LimitOrder): void => {
    if (order.price * order.shares >= terms.minAmount) orders.push(order);
    else unrouted.push({ side: leg.side, price: leg.longPrice, shares: order.shares, reason: 'dust' });
  };
  for (const shares of piecesOf(leg.sell, leg.largest)) add(saleOf(leg, shares, terms));
  for (const shares of piecesOf(leg.buy, leg.largest)) add(purchaseOf(leg, shares, terms));
}

/** Sells long shares for an ask of the book, short ones for a bid. */
const saleOf = ({ side, sellPrice }: Leg, shares: Shares, terms: MarketTerms): LimitOrder => ({
  eventId: terms.eventId,
  marketId: terms.marketId,
  side: 'ask',
  position: side === 'ask' ? 'long' : 'short',
  currency: terms.currency,
  price: sellPrice,
  shares,
  expiresAt: null,
});

/** Buys short shares for an ask of the book, long ones for a bid. */
const purchaseOf = ({ side, buyPrice }: Leg, shares: Shares, terms: MarketTerms): LimitOrder => ({
  eventId: terms.eventId,
  marketId: terms.marketId,
  side: 'bid',
  position: side === 'ask' ? 'short' : 'long',
  currency: terms.currency,
  price: buyPrice,
  shares,
  expiresAt: null,
});
