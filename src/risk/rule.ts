import type { OrderId } from '../domain/ids.js';
import type { LimitOrder } from '../domain/orders.js';
import type { Money, PriceUnits, Shares } from '../domain/units.js';
import type { Refusal } from './refusal.js';

/**
 * An order that wants to stand at the venue. Cancels need no approval: they only ever reduce what can happen.
 * `replaces` is the order whose place it takes (batch update), null for a new one.
 */
export interface OrderProposal {
  readonly order: LimitOrder;
  readonly replaces: OrderId | null;
}

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
  /** Price units per tick. */
  tickUnits(): number;
  /** In long-side price units; null when nobody knows. */
  fairValue(): PriceUnits | null;
  /** Half way between the best foreign prices, long-side price units; null on a one-sided book. */
  bookMid(): PriceUnits | null;
  netRange(): NetRange;
  /** Worst-case loss of the event, not negative, if the proposal stood beside everything else that may fill. */
  eventLossWith(proposal: OrderProposal): Money;
  /** The same over those endings alone in which a fill of the proposal costs. */
  eventLossWhereItCosts(proposal: OrderProposal): Money;
  /** Cash that working bids of the run would lock with the proposal beside them. */
  lockedWith(proposal: OrderProposal): Money;
  /** The same without the proposal. */
  locked(): Money;
  /** Creates and updates sent in the last minute. */
  ordersLastMinute(): number;
}

/** One control, one file. It allocates nothing while it has no objection. */
export interface RiskRule {
  readonly name: string;
  /** @returns null when it has no objection */
  check(proposal: OrderProposal, view: RiskView): Refusal | null;
}
