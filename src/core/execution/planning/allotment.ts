/** One cash for many markets: where it does not suffice, the quotes with the most expected edge per unit locked get it. */
import type { MarketId } from '../../../domain/ids.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import { dearerFee } from '../../../domain/locks.js';
import type { Money, PriceUnits, Shares } from '../../../domain/units.js';
import { edgePerCash } from './collateral.js';
import { type Leg, legsOf, lockOfPurchase } from './legs.js';
import type { MarketTerms } from './market-terms.js';
import { StandingSide } from './standing.js';
import type { OwnOrder } from '../orders/own-order.js';
import type { RouteOrder } from './route.js';
import type { Touch } from './touch.js';

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

/** What stands is moved for another only when that is better by so much: a swap costs requests and a place in a queue. */
const STANDING_BONUS = 1.25;

const NOTHING_STANDS = new StandingSide('bid');

/** What a market would lock if there were cash for everything, level by level. */
export function claimsOf(claimant: Claimant): readonly CashClaim[] {
  const { intent, terms, held, order, touch } = claimant;
  const common = { sellFirst: order === 'held-first', standing: NOTHING_STANDS, touch };
  const bids = legsOf({ levels: intent.bids, side: 'bid', held: held.short, ...common }, terms, []);
  const asks = legsOf({ levels: intent.asks, side: 'ask', held: held.long, ...common }, terms, []);
  return [...claimsIn(bids, claimant), ...claimsIn(asks, claimant)];
}

/**
 * Shares out the cash: the best claims whole, of the first that does not fit what is left.
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
