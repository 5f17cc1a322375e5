import type { LimitOrder } from '../../../domain/orders.js';
import type { PriceUnits, Shares } from '../../../domain/units.js';
import { ration } from './collateral.js';
import { type Leg, type LegSource, legsOf, nextPiece, type Unrouted } from './legs.js';
import type { Funds, MarketTerms } from './market-terms.js';
import { purchaseOf, saleOf } from './quote-orders.js';

/** An intent, side by side, and what may be used for it. */
export interface RouteSource {
  readonly bids: LegSource;
  readonly asks: LegSource;
  readonly funds: Funds;
  /** Fair value of the long side for sharing out scarce cash; null: the nearest quotes come first. */
  readonly fair: PriceUnits | null;
}

/** What an intent is expressed by. */
export interface Routed {
  /** Bids of the book before its asks, best first; of a level first what stands, then sales before purchases. */
  readonly orders: readonly LimitOrder[];
  readonly unrouted: readonly Unrouted[];
  /** Every level is made of orders that stand, whole: nothing is to be asked for. */
  readonly stands: boolean;
  /** The cash did not suffice for every purchase: which quotes got it depends on the fair value. */
  readonly isScarce: boolean;
}

/** Splits every level into what stands, sales and purchases, and shares out the cash where it is scarce. */
export function routeLegs(source: RouteSource, terms: MarketTerms): Routed {
  const { funds, fair } = source;
  const unrouted: Unrouted[] = [];
  const bids = legsOf(source.bids, terms, unrouted);
  const asks = legsOf(source.asks, terms, unrouted);
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
    orders.push(
      side === 'ask'
        ? saleOf(leg.side, leg.sellPrice, remaining, terms)
        : purchaseOf(leg.side, leg.buyPrice, remaining, terms),
    );
  for (let left: number = leg.sell; left > 0;) {
    const shares = nextPiece(left, leg.largest);
    if (isWorthwhile(leg, shares, leg.sellPrice, terms, unrouted))
      orders.push(saleOf(leg.side, leg.sellPrice, shares, terms));
    left -= shares;
  }
  for (let left: number = leg.buy; left > 0;) {
    const shares = nextPiece(left, leg.largest);
    if (isWorthwhile(leg, shares, leg.buyPrice, terms, unrouted))
      orders.push(purchaseOf(leg.side, leg.buyPrice, shares, terms));
    left -= shares;
  }
}

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
