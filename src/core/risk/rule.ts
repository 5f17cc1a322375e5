import type { Micros, Money, PriceUnits, Shares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { Proposal, RiskTerms } from './proposal.js';
import type { Refusal } from './refusal.js';

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
   * What a share of the position must cost less than, fee of a maker fill set aside, so that it is no certain loss together
   * with the dearest own quotes in the other markets of the event; null where quotes in several markets never are.
   */
  quoteRoom(position: Position): Money | null;
  /** Worst-case loss of the event, not negative, if the order stood beside everything else that may fill. */
  eventLossWith(proposal: Proposal): Money;
  /** The same over the outcomes in which a fill of the order costs. */
  eventLossWhereItCosts(proposal: Proposal): Money;
  /** Cash that working bids of the run lock. */
  locked(): Money;
  /** Creates and updates sent in the last minute. */
  ordersLastMinute(): number;
  /** When that count falls to this number at the latest if nothing more is sent. */
  ordersFallTo(count: number): Micros;
}

/** One rule of the risk gate. It judges one order beside everything approved before. Cancels need no approval. */
export interface RiskRule {
  readonly name: string;
  /** @returns null when the rule has no objection */
  check(proposal: Proposal, view: RiskView): Refusal | null;
}
