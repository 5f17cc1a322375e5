/** Shares out scarce cash: quotes with the most expected edge per unit of cash locked come first. */
import type { MarketId } from '../../../domain/ids.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import { dearerFee, lockAt } from '../../../domain/locks.js';
import type { Money, PriceUnits, Shares } from '../../../domain/units.js';
import type { OwnOrder } from '../orders/own-order.js';
import {
  type Leg,
  legsOf,
  lockOfPurchase,
  NOTHING_STANDS,
  type RouteOrder,
  sharesOf,
  type Unrouted,
} from './legs.js';
import { affordable, type Funds, type MarketTerms } from './market-terms.js';
import type { Touch } from './touch.js';

/** Price units: two cents, so k = 50 in price, about the 55 of the calibration example in the design notes. */
const REACH = 200;

interface Claimants {
  readonly bids: readonly Leg[];
  readonly asks: readonly Leg[];
  readonly funds: Funds;
  /** Long-side fair value; null: the nearest quotes come first. */
  readonly fair: PriceUnits | null;
}

/**
 * Shares out cash among purchases that need more than there is: the most expected edge per unit locked comes first. It
 * changes the legs. What cannot be bought is sold from holdings if possible, else unrouted.
 * @returns whether there was too little
 */
export function ration(claimants: Claimants, terms: MarketTerms, unrouted: Unrouted[]): boolean {
  const { bids, asks, funds } = claimants;
  let cash = (funds.cash - keptBy(bids, terms) - keptBy(asks, terms)) as Money;
  if (needOf(bids, terms) + needOf(asks, terms) <= cash) return false;
  const spare = { bid: unsold(funds.short, bids), ask: unsold(funds.long, asks) };
  for (const leg of ranked(claimants)) {
    const wanted = leg.buy;
    cash = (cash - buyWithin(leg, cash, terms)) as Money;
    const sold = Math.min(wanted - leg.buy, spare[leg.side]);
    spare[leg.side] -= sold;
    leg.sell = (leg.sell + sold) as Shares;
    const lacking = (wanted - leg.buy - sold) as Shares;
    if (lacking > 0) unrouted.push({ side: leg.side, price: leg.longPrice, shares: lacking, reason: 'cash' });
  }
  return true;
}

/** Shrinks the purchase to what the cash can lock. @returns cash locked */
function buyWithin(leg: Leg, cash: Money, terms: MarketTerms): Money {
  const fee = dearerFee(terms);
  let granted = Math.min(leg.buy, affordable(leg.buyPrice, cash, terms));
  // Every order of several rounds its fee up.
  while (granted > 0 && lockOfPurchase(leg, granted, fee) > cash) granted -= 1;
  leg.buy = (granted * leg.buyPrice < terms.minAmount ? 0 : granted) as Shares;
  return lockOfPurchase(leg, leg.buy, fee);
}

/** Cash that standing purchases have locked; they keep it. */
function keptBy(legs: readonly Leg[], terms: MarketTerms): number {
  const fee = dearerFee(terms);
  let kept = 0;
  for (const leg of legs)
    for (const { side, price, remaining } of leg.kept)
      if (side === 'bid') kept += lockAt(price, remaining, fee);
  return kept;
}

function needOf(legs: readonly Leg[], terms: MarketTerms): number {
  const fee = dearerFee(terms);
  let need = 0;
  for (const leg of legs) if (leg.buy > 0) need += lockOfPurchase(leg, leg.buy, fee);
  return need;
}

function unsold(held: Shares, legs: readonly Leg[]): number {
  let left: number = held;
  for (const leg of legs) left -= leg.sell + sharesOf(leg.kept, 'sales');
  return left;
}

/** Legs by rank; of equal ones the nearer, then bids, come first. */
function ranked({ bids, asks, fair }: Claimants): Leg[] {
  const legs: { readonly leg: Leg; readonly rank: number }[] = [];
  for (let level = 0; level < Math.max(bids.length, asks.length); level += 1)
    for (const leg of [bids[level], asks[level]])
      if (leg !== undefined && leg.buy > 0)
        legs.push({ leg, rank: fair === null ? -level : edgePerCash(leg, fair) });
  return legs.sort((a, b) => b.rank - a.rank).map(({ leg }) => leg);
}

/**
 * Expected edge per unit of cash locked: the distance to fair times the chance of a fill, which falls by e per {@link
 * REACH} (the exponential intensity of Avellaneda-Stoikov with k = 1 / REACH).
 */
function edgePerCash(leg: Pick<Leg, 'side' | 'longPrice' | 'buyPrice'>, fair: PriceUnits): number {
  const distance = leg.side === 'bid' ? fair - leg.longPrice : leg.longPrice - fair;
  return (distance * Math.exp(-Math.max(0, distance) / REACH)) / leg.buyPrice;
}

/** What one level of one market would lock. */
export interface CashClaim {
  readonly marketId: MarketId;
  readonly lock: Money;
  /** Expected edge per unit locked. */
  readonly rank: number;
}

/** A market that wants to quote. */
export interface Claimant {
  readonly intent: QuoteIntent;
  readonly terms: MarketTerms;
  /** Shares held, as if no own order stood. */
  readonly held: { readonly long: Shares; readonly short: Shares };
  readonly order: RouteOrder;
  readonly fair: PriceUnits | null;
  readonly touch: Touch;
  readonly working: readonly OwnOrder[];
}

/** A standing order gives way only to a claim so much better: a swap costs requests and a queue place. */
const STANDING_BONUS = 1.25;

/** What a market would lock with cash for everything, level by level. */
export function claimsOf(claimant: Claimant): readonly CashClaim[] {
  const { intent, terms, held, order, touch } = claimant;
  const common = { sellFirst: order === 'held-first', standing: NOTHING_STANDS, touch };
  const bids = legsOf({ levels: intent.bids, side: 'bid', held: held.short, ...common }, terms, []);
  const asks = legsOf({ levels: intent.asks, side: 'ask', held: held.long, ...common }, terms, []);
  return [...claimsIn(bids, claimant), ...claimsIn(asks, claimant)];
}

/**
 * Grants cash to the best claims; the first that does not fit gets what is left.
 * @returns cash by market; a market that got nothing is left out
 */
export function allot(claims: readonly CashClaim[], cash: Money): ReadonlyMap<MarketId, Money> {
  const granted = new Map<MarketId, Money>();
  let left: number = cash;
  for (const { marketId, lock } of claims.toSorted((a, b) => b.rank - a.rank)) {
    if (left <= 0) break;
    const given = Math.min(left, lock);
    granted.set(marketId, ((granted.get(marketId) ?? 0) + given) as Money);
    left -= given;
  }
  return granted;
}

export const totalClaimed = (claims: readonly CashClaim[]): Money =>
  claims.reduce((sum, { lock }) => sum + lock, 0) as Money;

function claimsIn(legs: readonly Leg[], { terms, fair, working }: Claimant): readonly CashClaim[] {
  return legs.flatMap((leg, level) => {
    if (leg.buy === 0) return [];
    const edge = fair === null ? -1 - level : edgePerCash(leg, fair);
    const rank = edge > 0 && stands(leg, working) ? edge * STANDING_BONUS : edge;
    return [{ marketId: terms.marketId, lock: lockOfPurchase(leg, leg.buy, dearerFee(terms)), rank }];
  });
}

const stands = ({ side, longPrice }: Leg, working: readonly OwnOrder[]): boolean =>
  working.some((order) => order.side === 'bid' && order.bookSide === side && order.longPrice === longPrice);
