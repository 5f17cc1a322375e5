import type { EventId, MarketId, OrderId } from '../domain/ids.js';
import type { LimitOrder } from '../domain/orders.js';
import type { Micros, Money, PriceUnits, Shares } from '../domain/units.js';

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
 * What rules may look at. Orders that are creating, live, updating (old remainder and replacement), cancelling or
 * unknown all count as able to fill.
 */
export interface RiskView {
  readonly now: Micros;
  /** Fair value, else the foreign mid, in long-side price units; null when neither is known. */
  reference(market: MarketId): PriceUnits | null;
  netRange(market: MarketId): NetRange;
  /** Worst-case loss of the event, not negative, if the proposal stood beside everything else that may fill. */
  eventLossWith(event: EventId, proposal: OrderProposal): Money;
  /** The same without the proposal. */
  eventLoss(event: EventId): Money;
  /** Creates and updates sent in the last minute. */
  ordersLastMinute(): number;
  /** Profit of the run so far in its currency; negative is a loss. */
  profit(): Money;
}

/** A proposal a rule does not allow: which rule, what it found and where its limit is. Numbers in the rule's unit. */
export interface Refusal {
  readonly rule: string;
  readonly found: number;
  readonly limit: number;
  readonly text: string;
}

/** One control, one file. */
export interface RiskRule {
  readonly name: string;
  check(proposal: OrderProposal, view: RiskView): Refusal | null;
}
