/**
 * Intent to orders. The venue has no short selling (facts, "Trading rules"): an ask sells long shares held or buys
 * short ones at the complement; a bid sells short shares held or buys long ones. Both stand on the same side of
 * the one book.
 */
import { invariant } from '../../domain/errors.js';
import type { QuoteIntent } from '../../domain/intent.js';
import type { LimitOrder } from '../../domain/orders.js';
import type { PriceUnits, Shares } from '../../domain/units.js';
import { ration } from './collateral.js';
import { type Leg, type Unrouted, legsOf, nextPiece } from './legs.js';
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
  const { order, fair, standing = null, touch = null } = policy;
  const sellFirst = order === 'held-first';
  const unrouted: Unrouted[] = [];
  const bids = legsOf(
    { levels: intent.bids, side: 'bid', held: funds.short, sellFirst, standing, touch },
    terms,
    unrouted,
  );
  const asks = legsOf(
    { levels: intent.asks, side: 'ask', held: funds.long, sellFirst, standing, touch },
    terms,
    unrouted,
  );
  const isScarce = ration({ bids, asks, funds, fair }, terms, unrouted);
  const orders: LimitOrder[] = [];
  for (const leg of bids) express(leg, terms, orders, unrouted);
  for (const leg of asks) express(leg, terms, orders, unrouted);
  const stands = unrouted.length === 0 && bids.every(isKept) && asks.every(isKept);
  return { orders, unrouted, stands, isScarce };
}

const isKept = ({ sell, buy }: Leg): boolean => sell === 0 && buy === 0;

function express(leg: Leg, terms: MarketTerms, orders: LimitOrder[], unrouted: Unrouted[]): void {
  for (const { side, remaining } of leg.kept)
    orders.push(side === 'ask' ? saleOf(leg, remaining, terms) : purchaseOf(leg, remaining, terms));
  for (let left: number = leg.sell; left > 0;) {
    const shares = nextPiece(left, leg.largest);
    if (isWorthwhile(leg, shares, leg.sellPrice, terms, unrouted)) orders.push(saleOf(leg, shares, terms));
    left -= shares;
  }
  for (let left: number = leg.buy; left > 0;) {
    const shares = nextPiece(left, leg.largest);
    if (isWorthwhile(leg, shares, leg.buyPrice, terms, unrouted)) orders.push(purchaseOf(leg, shares, terms));
    left -= shares;
  }
}

// Written out: literals of one shape are an order of magnitude faster here than spreading what they share.
const saleOf = (leg: Leg, shares: Shares, terms: MarketTerms): LimitOrder => ({
  eventId: terms.eventId,
  marketId: terms.marketId,
  side: 'ask',
  position: leg.side === 'ask' ? 'long' : 'short',
  currency: terms.currency,
  price: leg.sellPrice,
  shares,
  expiresAt: null,
});

const purchaseOf = (leg: Leg, shares: Shares, terms: MarketTerms): LimitOrder => ({
  eventId: terms.eventId,
  marketId: terms.marketId,
  side: 'bid',
  position: leg.side === 'ask' ? 'short' : 'long',
  currency: terms.currency,
  price: leg.buyPrice,
  shares,
  expiresAt: null,
});

function isWorthwhile(
  { side, longPrice }: Leg,
  shares: Shares,
  price: PriceUnits,
  terms: MarketTerms,
  unrouted: Unrouted[],
): boolean {
  if (price * shares >= terms.minAmount) return true;
  unrouted.push({ side, price: longPrice, shares, reason: 'dust' });
  return false;
}
