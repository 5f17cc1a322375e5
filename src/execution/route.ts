/**
 * Intent to orders. The venue has no short selling (facts, "Trading rules"): an ask sells long shares held or buys
 * short ones at the complement; a bid sells short shares held or buys long ones. Both stand on the same side of
 * the one book.
 */
import { invariant } from '../domain/errors.js';
import type { QuoteIntent } from '../domain/intent.js';
import type { LimitOrder } from '../domain/orders.js';
import type { PriceUnits, Shares } from '../domain/units.js';
import { ration } from './collateral.js';
import { type Leg, type Unrouted, legsOf } from './legs.js';
import type { Funds, MarketTerms } from './market-terms.js';
import type { Standing } from './standing.js';
import type { Touch } from './touch.js';

/** Which shares a quote uses first: those held (frees their value when it trades) or freshly minted ones. */
export type RouteOrder = 'held-first' | 'collateral-first';

export interface RoutePolicy {
  readonly order: RouteOrder;
  /** Fair value of the long side for sharing out scarce cash; null: the nearest quotes come first. */
  readonly fair: PriceUnits | null;
  /** Orders that keep their place where they fit; left out or null: routed as if nothing stood. */
  readonly standing?: Standing | null;
  /** Best foreign prices; levels that would take are moved just behind them. Left out or null: not looked at. */
  readonly touch?: Touch | null;
}

export interface Routed {
  /** Bids of the book before its asks, best first; of a level first what stands, sales before purchases. */
  readonly orders: readonly LimitOrder[];
  readonly unrouted: readonly Unrouted[];
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
  const { order, fair, standing = null, touch = null } = policy;
  const common = { sellFirst: order === 'held-first', standing, touch };
  const unrouted: Unrouted[] = [];
  const bids = legsOf({ levels: intent.bids, side: 'bid', held: funds.short, ...common }, terms, unrouted);
  const asks = legsOf({ levels: intent.asks, side: 'ask', held: funds.long, ...common }, terms, unrouted);
  ration({ bids, asks, funds, fair }, terms, unrouted);
  return { orders: [...bids, ...asks].flatMap((leg) => ordersOf(leg, terms, unrouted)), unrouted };
}

function ordersOf(leg: Leg, terms: MarketTerms, unrouted: Unrouted[]): LimitOrder[] {
  const { eventId, marketId, currency } = terms;
  const common = { eventId, marketId, currency, expiresAt: null };
  const sold = leg.side === 'ask' ? 'long' : 'short';
  const bought = leg.side === 'ask' ? 'short' : 'long';
  const sale = (shares: Shares): LimitOrder => ({
    ...common,
    side: 'ask',
    position: sold,
    price: leg.sellPrice,
    shares,
  });
  const purchase = (shares: Shares): LimitOrder => ({
    ...common,
    side: 'bid',
    position: bought,
    price: leg.buyPrice,
    shares,
  });
  const standing = [...leg.kept.sales.map(sale), ...leg.kept.purchases.map(purchase)];
  const fresh = [sale(leg.sell), purchase(leg.buy)];
  return [...standing, ...fresh.filter((order) => isWorthwhile(order, leg, terms, unrouted))];
}

function isWorthwhile(order: LimitOrder, leg: Leg, terms: MarketTerms, unrouted: Unrouted[]): boolean {
  if (order.shares === 0) return false;
  if (order.price * order.shares >= terms.minAmount) return true;
  unrouted.push({ side: leg.side, price: leg.longPrice, shares: order.shares, reason: 'dust' });
  return false;
}
