import {
  type Micros,
  type Money,
  type PriceUnits,
  type Shares,
  MONEY_ONE,
  PRICE_ONE,
  SHARE_ONE,
} from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { Proposal, RiskTerms } from './proposal.js';

/** Net long shares a market may end at when any subset of its orders fills; holdings included. */
export interface NetRange {
  readonly low: Shares;
  readonly high: Shares;
}

/**
 * What rules may look at: the market of the order, its event, and the run. Orders that are creating, live, updating
 * (old remainder and replacement), cancelling or unknown all count as able to fill. So do orders approved but not sent yet.
 */
export interface RiskView {
  terms(): RiskTerms;
  /** Fair value, long-side price units; null when unknown. */
  fairValue(): PriceUnits | null;
  /** Half way between the best foreign prices, long-side price units; null on a one-sided book. */
  bookMid(): PriceUnits | null;
  netRange(): NetRange;
  /** The range if no order fills: fills and the venue may disagree about what is held. */
  heldRange(): NetRange;
  /**
   * The price limit of a share of the position, maker fee set aside: at this price it would be a certain loss together
   * with the dearest own quotes in the event's other markets. Null where quotes in several markets never are.
   */
  quoteRoom(position: Position): Money | null;
  /** Worst-case loss of the event, not negative, if the order stood beside everything else that may fill. */
  eventLossWith(proposal: Proposal): Money;
  /** The same over the outcomes in which a fill of the order costs. */
  eventLossWhereItCosts(proposal: Proposal): Money;
  /** Worst-case losses of the other events of the category, or of the run, added up; null: the event has no category. */
  lossElsewhere(scope: 'category' | 'account'): Money | null;
  /** Cash that working bids of the run lock. */
  locked(): Money;
}

/** One rule of the risk gate. It judges one order beside everything approved before. Cancels need no approval. */
export interface RiskRule {
  readonly name: string;
  /** @returns null when the rule has no objection */
  check(proposal: Proposal, view: RiskView): Refusal | null;
}

/** Unit of the numbers in a refusal. */
export type RefusalUnit = 'shares' | 'money' | 'price' | 'count';

/** Why an order is not allowed: the rule, what it found and its limit. */
export interface Refusal {
  readonly rule: string;
  readonly unit: RefusalUnit;
  readonly found: number;
  readonly limit: number;
  /** What was counted, for people. */
  readonly text: string;
  /** When time alone may lift it; left out where it does not. */
  readonly until?: Micros;
  /** Set where it may be lifted once own quotes in other markets of the event step back. */
  readonly awaitsQuotes?: true;
}

const ONE: Readonly<Record<RefusalUnit, number>> = {
  shares: SHARE_ONE,
  money: MONEY_ONE,
  price: PRICE_ONE,
  count: 1,
};

/** One line in whole shares, currency units or probabilities: `order-size: 1200 exceeds 1000 (shares of one order)`. */
export function describeRefusal({ rule, unit, found, limit, text }: Refusal): string {
  const one = ONE[unit];
  return `${rule}: ${found / one} exceeds ${limit / one} (${text})`;
}
