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

/** Which shares a quote uses first: those held (frees their value when it trades) or freshly minted ones. */
export type RouteOrder = 'held-first' | 'collateral-first';

export interface RoutePolicy {
  readonly order: RouteOrder;
  /** Fair value of the long side for sharing out scarce cash; null: the nearest quotes come first. */
  readonly fair: PriceUnits | null;
}

export interface Routed {
  /** Bids of the book before its asks, best first; a level's sale before its purchase. */
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
  const heldFirst = policy.order === 'held-first';
  const unrouted: Unrouted[] = [];
  const bids = legsOf(intent.bids, 'bid', heldFirst ? funds.short : NONE, terms, unrouted);
  const asks = legsOf(intent.asks, 'ask', heldFirst ? funds.long : NONE, terms, unrouted);
  ration({ bids, asks, funds, fair: policy.fair }, terms, unrouted);
  return { orders: [...bids, ...asks].flatMap((leg) => ordersOf(leg, terms, unrouted)), unrouted };
}

const NONE = 0 as Shares;

function ordersOf(leg: Leg, terms: MarketTerms, unrouted: Unrouted[]): LimitOrder[] {
  const { eventId, marketId, currency } = terms;
  const common = { eventId, marketId, currency, expiresAt: null };
  const sold = leg.side === 'ask' ? 'long' : 'short';
  const bought = leg.side === 'ask' ? 'short' : 'long';
  const sale = { ...common, side: 'ask', position: sold, price: leg.sellPrice, shares: leg.sell } as const;
  const purchase = {
    ...common,
    side: 'bid',
    position: bought,
    price: leg.buyPrice,
    shares: leg.buy,
  } as const;
  return [sale, purchase].filter((order) => isWorthwhile(order, leg, terms, unrouted));
}

function isWorthwhile(order: LimitOrder, leg: Leg, terms: MarketTerms, unrouted: Unrouted[]): boolean {
  if (order.shares === 0) return false;
  if (order.price * order.shares >= terms.minAmount) return true;
  unrouted.push({ side: leg.side, price: leg.longPrice, shares: order.shares, reason: 'dust' });
  return false;
}
