import type { Approved } from '../../domain/effects.js';
import { type LimitOrder, type OrderReplacement, saidBetween } from '../../domain/orders.js';
import {
  accountLoss,
  capitalLocked,
  categoryLoss,
  coherentQuotes,
  eventLoss,
  positionLimit,
} from './exposure-rules.js';
import type { KillSwitch } from './kill-switch.js';
import type { RiskLimits } from '../../domain/risk-limits.js';
import type { Refusal, RiskRule, RiskView } from './rule.js';
import { orderSize, priceCollar, priceRange } from './order-rules.js';
import { type Proposal, proposalOf, type Replaced } from './proposal.js';

/** The rules of one instance, cheap ones first. */
export function rulesOf(limits: RiskLimits): readonly RiskRule[] {
  return [
    priceRange,
    orderSize(limits),
    priceCollar(limits),
    positionLimit(limits),
    capitalLocked(limits),
    coherentQuotes(limits),
    eventLoss(limits),
    categoryLoss(limits),
    accountLoss(limits),
  ];
}

/** What the gate decides by. */
export interface GateKeeping {
  readonly rules: readonly RiskRule[];
  readonly view: RiskView;
  readonly killSwitch: KillSwitch;
}

export type Verdict<Value> =
  | { readonly ok: true; readonly approved: Approved<Value>; readonly proposal: Proposal }
  | { readonly ok: false; readonly refusal: Refusal };

/** Judges a new order. The first rule that objects decides. Only in this file an order becomes {@link Approved}. */
export const approveOrder = (order: LimitOrder, gate: GateKeeping): Verdict<LimitOrder> =>
  judge(order, proposalOf(order, null, gate.view.terms()), gate);

/** Judges an order that is to stand in the place of another one. */
export const approveReplacement = (
  to: LimitOrder,
  replaced: Replaced,
  gate: GateKeeping,
): Verdict<OrderReplacement> =>
  judge(replacementOf(to, replaced), proposalOf(to, replaced, gate.view.terms()), gate);

function judge<Value>(
  value: Value,
  proposal: Proposal,
  { rules, view, killSwitch }: GateKeeping,
): Verdict<Value> {
  const killed = killSwitch.state;
  if (killed !== null) return { ok: false, refusal: killRefusal(killed.reason) };
  for (const rule of rules) {
    const refusal = rule.check(proposal, view);
    if (refusal !== null) return { ok: false, refusal };
  }
  return { ok: true, approved: value as Approved<Value>, proposal };
}

const killRefusal = (text: string): Refusal => ({
  rule: 'kill-switch',
  unit: 'count',
  found: 1,
  limit: 0,
  text,
});

function replacementOf(
  { price, shares, expiresAt, eventId, marketId, side, position, currency }: LimitOrder,
  { orderId, requested, expiresAt: expiredAt }: Replaced,
): OrderReplacement {
  const place = { eventId, marketId, side, position, currency };
  const says = saidBetween(requested, expiredAt, shares, expiresAt);
  return { orderId, place, price, shares, expiresAt, says };
}
