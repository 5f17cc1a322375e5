import type { Micros, Money, PriceUnits, Shares } from '../../domain/units.js';
import type { Position } from '../../domain/vocabulary.js';
import type { Proposal, Reckoning } from './proposal.js';
import type { Refusal } from './refusal.js';

/** Net long shares a market may end at when any subset of its orders fills; holdings included. */
export interface NetRange {
  readonly low: Shares;
  readonly high: Shares;
}

/**
 * What rules may look at: the market of the proposals, its event, and the run. Orders that are creating, live, updating
 * (old remainder and replacement), cancelling or unknown all count as able to fill.
 */
export interface RiskView {
  reckoning(): Reckoning;
  /** In long-side price units; null when nobody knows. */
  fairValue(): PriceUnits | null;
  /** Half way between the best foreign prices, long-side price units; null on a one-sided book. */
  bookMid(): PriceUnits | null;
  netRange(): NetRange;
  /** The same if nothing fills: of what is held in doubt, both ends. */
  heldRange(): NetRange;
  /**
   * What a share of the position, the fee of a fill that rested put by, has to cost less than, so that it is no certain loss
   * together with the dearest own quotes in the other markets of the event; null where quotes in several markets never are.
   */
  quoteRoom(position: Position): Money | null;
  /** Worst-case loss of the event, not negative, if these orders stood beside everything else that may fill. */
  eventLossWith(proposal: Proposal): Money;
  /** The same over those endings alone in which a fill of one of them costs. */
  eventLossWhereTheyCost(proposal: Proposal): Money;
  /** Cash that working bids of the run would lock with these orders beside them. */
  lockedWith(proposal: Proposal): Money;
  /** The same without them. */
  locked(): Money;
  /** Creates and updates sent in the last minute. */
  ordersLastMinute(): number;
  /** When they may be this many at most, though nothing comes in: after now. */
  ordersFallTo(count: number): Micros;
}

/**
 * One control, one file. It judges orders of one market that want to stand together, new or in the places of others:
 * those of a plan, and where it objects to them, one after the other, each beside those that passed. So what it lets pass
 * together it lets pass in that way, too: none may depend on another that it comes with. It allocates nothing while it has
 * no objection. Cancels need no approval: they only ever reduce what can happen.
 */
export interface RiskRule {
  readonly name: string;
  /**
   * @param proposal what they come to
   * @returns null when it has no objection to any of them, whichever of the others fill; of several orders a refusal names
   *   one that is refused, or what all of them reach
   */
  check(proposal: Proposal, view: RiskView): Refusal | null;
}
