import type { Approved } from '../domain/effects.js';
import type { OrderId } from '../domain/ids.js';
import type { LimitOrder, OrderPlace, OrderReplacement } from '../domain/orders.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from './limits.js';
import type { Refusal } from './refusal.js';
import type { OrderProposal, RiskRule, RiskView } from './rule.js';
import { capitalLocked } from './rules/capital-locked.js';
import { eventLoss } from './rules/event-loss.js';
import { orderRate } from './rules/order-rate.js';
import { orderSize } from './rules/order-size.js';
import { positionLimit } from './rules/position-limit.js';
import { priceCollar } from './rules/price-collar.js';
import { priceRange } from './rules/price-range.js';

/** The controls of one instance, cheap ones first. */
export function rulesOf(limits: RiskLimits): readonly RiskRule[] {
  return [
    priceRange,
    orderSize(limits),
    orderRate(limits),
    priceCollar(limits),
    positionLimit(limits),
    capitalLocked(limits),
    eventLoss(limits),
  ];
}

/** What the gate decides by. */
export interface GateKeeping {
  readonly rules: readonly RiskRule[];
  readonly view: RiskView;
  readonly killSwitch: KillSwitch;
}

export type Verdict<Value> =
  | { readonly ok: true; readonly approved: Approved<Value> }
  | { readonly ok: false; readonly refusal: Refusal };

/** The only place where an order becomes {@link Approved}. The first rule that objects decides. */
export function approveOrder(order: LimitOrder, gate: GateKeeping): Verdict<LimitOrder> {
  const refusal = objectionTo({ order, replaces: null }, gate);
  return refusal === null ? { ok: true, approved: order as Approved<LimitOrder> } : { ok: false, refusal };
}

/**
 * The same for a replacement.
 * @param to what would stand in the place of the order `replaces`
 */
export function approveReplacement(
  to: LimitOrder,
  replaces: OrderId,
  gate: GateKeeping,
): Verdict<OrderReplacement> {
  const refusal = objectionTo({ order: to, replaces }, gate);
  if (refusal !== null) return { ok: false, refusal };
  // Written out: a rest of the properties costs as much as all the rules.
  const { eventId, marketId, side, position, currency, price, shares, expiresAt } = to;
  const place: OrderPlace = { eventId, marketId, side, position, currency };
  const replacement: OrderReplacement = { orderId: replaces, place, price, shares, expiresAt };
  return { ok: true, approved: replacement as Approved<OrderReplacement> };
}

function objectionTo(proposal: OrderProposal, { rules, view, killSwitch }: GateKeeping): Refusal | null {
  const killed = killSwitch.state;
  if (killed !== null) return { rule: 'kill-switch', unit: 'count', found: 1, limit: 0, text: killed.reason };
  for (const rule of rules) {
    const refusal = rule.check(proposal, view);
    if (refusal !== null) return refusal;
  }
  return null;
}
