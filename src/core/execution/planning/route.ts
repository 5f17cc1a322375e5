/**
 * Intent to orders. The venue has no short selling (facts, "Trading rules"): an ask sells long shares held or buys
 * short ones at the complement; a bid sells short shares held or buys long ones. Both stand on the same side of
 * the one book.
 */
import { invariant } from '../../../domain/errors.js';
import type { QuoteIntent } from '../../../domain/intent.js';
import type { PriceUnits } from '../../../domain/units.js';
import { type Routed, routeLegs, type RouteSource } from './leg-route.js';
import type { Funds, MarketTerms } from './market-terms.js';
import { routePurchases } from './purchase-route.js';
import { type Standing, StandingSides } from './standing.js';
import type { Touch } from './touch.js';

export type { Routed } from './leg-route.js';

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

/** Read anew for every intent: nothing is left in it but the memory that it took. */
const STANDING = new StandingSides();

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
  STANDING.read(terms.currency, policy.standing ?? null);
  const source = sourceOf(intent, funds, policy);
  return routePurchases(source, terms) ?? routeLegs(source, terms);
}

function sourceOf(intent: QuoteIntent, funds: Funds, policy: RoutePolicy): RouteSource {
  const { order, fair, touch = null } = policy;
  const sellFirst = order === 'held-first';
  const { bids, asks } = STANDING;
  return {
    bids: { levels: intent.bids, side: 'bid', held: funds.short, sellFirst, standing: bids, touch },
    asks: { levels: intent.asks, side: 'ask', held: funds.long, sellFirst, standing: asks, touch },
    funds,
    fair,
  };
}
