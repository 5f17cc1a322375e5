import { dearerFee, lockAt } from '../../../domain/locks.js';
import type { Money, PriceUnits, Shares } from '../../../domain/units.js';
import { type Leg, lockOfPurchase, type Unrouted } from './legs.js';
import { affordable, type Funds, type MarketTerms } from './market-terms.js';
import { sharesOf } from './standing.js';

/** Price units: two cents, k = 50 in price, about the 55 of the calibration example in the design notes. */
const REACH = 200;

interface Claimants {
  readonly bids: readonly Leg[];
  readonly asks: readonly Leg[];
  readonly funds: Funds;
  /** Long-side fair value; null: the nearest quotes come first. */
  readonly fair: PriceUnits | null;
}

/**
 * Shares out cash among purchases that together need more than there is: the most expected edge per unit locked
 * first. Changes the legs in place; what cannot be bought is sold from holdings where some are left, else unrouted.
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

/** Shrinks the purchase to what the cash can lock, to nothing when that is no order. @returns cash locked */
function buyWithin(leg: Leg, cash: Money, terms: MarketTerms): Money {
  const fee = dearerFee(terms);
  let granted = Math.min(leg.buy, affordable(leg.buyPrice, cash, terms));
  // Every order of several rounds its fee up.
  while (granted > 0 && lockOfPurchase(leg, granted, fee) > cash) granted -= 1;
  leg.buy = (granted * leg.buyPrice < terms.minAmount ? 0 : granted) as Shares;
  return lockOfPurchase(leg, leg.buy, fee);
}

/** What the purchases that stand already have locked; they keep it. */
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

/** Of equal legs the nearer one, then bids, come first: the sort is stable. */
function ranked({ bids, asks, fair }: Claimants): Leg[] {
  const legs: { readonly leg: Leg; readonly rank: number }[] = [];
  for (let level = 0; level < Math.max(bids.length, asks.length); level += 1)
    for (const leg of [bids[level], asks[level]])
      if (leg !== undefined && leg.buy > 0)
        legs.push({ leg, rank: fair === null ? -level : edgePerCash(leg, fair) });
  return legs.sort((a, b) => b.rank - a.rank).map(({ leg }) => leg);
}

/**
 * Expected edge per unit of cash locked: distance to fair times the chance to be filled, which falls by e per
 * {@link REACH} (the exponential intensity of Avellaneda-Stoikov with k = 1 / REACH).
 */
export function edgePerCash(leg: Pick<Leg, 'side' | 'longPrice' | 'buyPrice'>, fair: PriceUnits): number {
  const distance = leg.side === 'bid' ? fair - leg.longPrice : leg.longPrice - fair;
  return (distance * Math.exp(-Math.max(0, distance) / REACH)) / leg.buyPrice;
}
