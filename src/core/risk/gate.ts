import type { Approved } from '../../domain/effects.js';
import type { OrderId } from '../../domain/ids.js';
import { type LimitOrder, type OrderPlace, type OrderReplacement, saidBetween } from '../../domain/orders.js';
import type { PlanSpan } from '../../domain/plan-span.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';
import type { Proposal, Replaced, Wanted } from './proposal.js';
import type { Refusal } from './refusal.js';
import type { RiskRule, RiskView } from './rule.js';
import { capitalLocked } from './rules/capital-locked.js';
import { coherentQuotes } from './rules/coherent-quotes.js';
import { eventLoss } from './rules/event-loss.js';
import { orderRate } from './rules/order-rate.js';
import { orderSize } from './rules/order-size.js';
import { positionLimit } from './rules/position-limit.js';
import { priceCollar } from './rules/price-collar.js';
import { priceRange } from './rules/price-range.js';

const NONE: readonly never[] = [];

/** The controls of one instance, cheap ones first. */
export function rulesOf(limits: RiskLimits): readonly RiskRule[] {
  return [
    priceRange,
    orderSize(limits),
    orderRate(limits),
    priceCollar(limits),
    positionLimit(limits),
    capitalLocked(limits),
    coherentQuotes(limits),
    eventLoss(limits),
  ];
}

/** What the gate decides by. */
export interface GateKeeping {
  readonly rules: readonly RiskRule[];
  readonly view: RiskView;
  readonly killSwitch: KillSwitch;
  /** What the orders judged last come to. */
  readonly proposal: Proposal;
}

export type Verdict<Value> =
  | { readonly ok: true; readonly approved: Approved<Value> }
  | { readonly ok: false; readonly refusal: Refusal };

/** Orders of one market that passed together. */
export interface ApprovedOrders {
  readonly replacements: readonly Approved<OrderReplacement>[];
  readonly creates: readonly Approved<LimitOrder>[];
  readonly span: PlanSpan;
}

/**
 * Passes orders of one market together: all of them are the most that any of them could stand beside. Only in this file
 * an order becomes {@link Approved}.
 * @returns null when a rule objects, or one to be replaced has no name yet: which of them pass one after the other is to be
 *   found out
 */
export function approveTogether(wanted: Wanted, gate: GateKeeping): ApprovedOrders | null {
  const { replacements, creates } = wanted;
  const isNothing = replacements.length === 0 && creates.length === 0;
  if (isNothing || replacements.some(isUnnamed) || objectionTo(wanted, gate) !== null) return null;
  return {
    replacements: replacementsOf(replacements),
    creates: creates as readonly Approved<LimitOrder>[],
    span: gate.proposal.spanOn(gate.view.reckoning().tickUnits),
  };
}

const isUnnamed = ({ order }: { readonly order: Replaced }): boolean => order.orderId === null;

/** Passes an order by itself. The first rule that objects decides. */
export function approveOrder(order: LimitOrder, gate: GateKeeping): Verdict<LimitOrder> {
  const refusal = objectionTo({ replacements: NONE, creates: [order] }, gate);
  return refusal === null ? { ok: true, approved: order as Approved<LimitOrder> } : { ok: false, refusal };
}

/**
 * The same for a replacement.
 * @param to what would stand in the place of the other
 */
export function approveReplacement(
  to: LimitOrder,
  order: Replaced & { readonly orderId: OrderId },
  gate: GateKeeping,
): Verdict<OrderReplacement> {
  const refusal = objectionTo({ replacements: [{ order, to }], creates: NONE }, gate);
  if (refusal !== null) return { ok: false, refusal };
  return { ok: true, approved: replacementOf(to, order, placeOf(to, null)) };
}

function objectionTo(wanted: Wanted, { rules, view, killSwitch, proposal }: GateKeeping): Refusal | null {
  const killed = killSwitch.state;
  if (killed !== null) return { rule: 'kill-switch', unit: 'count', found: 1, limit: 0, text: killed.reason };
  proposal.read(wanted, view.reckoning());
  for (const rule of rules) {
    const refusal = rule.check(proposal, view);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** They follow each other side by side: neighbours mostly share a place. */
function replacementsOf(wanted: Wanted['replacements']): Approved<OrderReplacement>[] {
  const replacements: Approved<OrderReplacement>[] = [];
  let place: OrderPlace | null = null;
  for (const { order, to } of wanted) {
    place = placeOf(to, place);
    replacements.push(replacementOf(to, order, place));
  }
  return replacements;
}

// Written out: a rest of the properties costs as much as all the rules.

function replacementOf(
  { price, shares, expiresAt }: LimitOrder,
  { orderId, requested, expiresAt: expiredAt }: Replaced,
  place: OrderPlace,
): Approved<OrderReplacement> {
  const says = saidBetween(requested, expiredAt, shares, expiresAt);
  const replacement: OrderReplacement = { orderId: orderId!, place, price, shares, expiresAt, says };
  return replacement as Approved<OrderReplacement>;
}

/** @param last the place of the order before, which mostly serves again; null: there is none */
function placeOf(
  { eventId, marketId, side, position, currency }: LimitOrder,
  last: OrderPlace | null,
): OrderPlace {
  const isSame =
    last !== null &&
    last.side === side &&
    last.position === position &&
    last.marketId === marketId &&
    last.eventId === eventId &&
    last.currency === currency;
  return isSame ? last : { eventId, marketId, side, position, currency };
}
