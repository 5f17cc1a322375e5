import { describe, expect, it } from 'vitest';
import { orderId } from '../../../../src/domain/ids.js';
import type { LimitOrder } from '../../../../src/domain/orders.js';
import { micros, money, priceUnits, shares } from '../../../../src/domain/units.js';
import {
  approveOrder,
  approveReplacement,
  describeRefusal,
  type GateKeeping,
  KillSwitch,
  type RiskLimits,
  rulesOf,
} from '../../../../src/core/risk/index.js';
import { limitsOf, orderOf, riskTerms, riskView, wanted } from '../../../support/bot/risk-view.js';

const gateOf = (limits: Partial<RiskLimits> = {}, view = riskView()): GateKeeping => ({
  rules: rulesOf(limitsOf(limits)),
  view,
  killSwitch: new KillSwitch(),
});

const named = (id: number) => ({
  orderId: orderId(id),
  side: 'bid' as const,
  price: priceUnits(4_500),
  requested: shares(500),
  expiresAt: null,
});

describe('the gate', () => {
  it('approves the very order that no rule objects to', () => {
    const order = orderOf();
    const verdict = approveOrder(order, gateOf());
    expect(verdict.ok && verdict.approved).toBe(order);
  });

  it('approves a replacement with its whole size', () => {
    const verdict = approveReplacement(orderOf({ expiresAt: micros(7) }), named(55), gateOf());
    expect(verdict).toMatchObject({
      ok: true,
      approved: {
        orderId: '55',
        place: { marketId: '2231', eventId: '873', side: 'bid', position: 'long', currency: 'OOM' },
        price: 4_800,
        shares: 1_000,
        expiresAt: 7,
        says: 'all',
      },
    });
  });

  it('has a replacement say what changes, and of a size or an expiry that stays nothing', () => {
    const said = (order: Partial<LimitOrder>) => {
      const to = orderOf({ shares: shares(500), ...order });
      const verdict = approveReplacement(to, named(55), gateOf());
      return verdict.ok ? verdict.approved.says : null;
    };
    expect(said({})).toBe('price');
    expect(said({ shares: shares(501) })).toBe('price-and-shares');
    expect(said({ expiresAt: micros(7) })).toBe('price-and-expiry');
    expect(said({ shares: shares(501), expiresAt: micros(7) })).toBe('all');
  });

  it('knows every control, the cheap ones first, and each refuses under its own name', () => {
    const none = money(0);
    const limits = limitsOf({ maxLocked: none, maxCategoryLoss: none, maxAccountLoss: none });
    expect(rulesOf(limits).map(({ name }) => name)).toEqual([
      'price-range',
      'order-size',
      'price-collar',
      'position-limit',
      'capital-locked',
      'coherent-quotes',
      'event-loss',
      'category-loss',
      'account-loss',
    ]);
    const worst = riskView({
      terms: () => riskTerms({ tickUnits: 7 }),
      fairValue: () => null,
      bookMid: () => null,
      netRange: () => ({ low: shares(0), high: shares(1e9) }),
      locked: () => money(1e15),
      quoteRoom: () => money(0),
      eventLossWith: () => money(1e15),
      eventLossWhereItCosts: () => money(1e15),
    });
    const huge = wanted({ shares: shares(1e9) }, worst.terms());
    for (const rule of rulesOf(limits)) expect(rule.check(huge, worst)?.rule).toBe(rule.name);
  });

  it('tells the first objection', () => {
    const verdict = approveOrder(
      orderOf(),
      gateOf({ maxOrderShares: shares(1), priceCollar: priceUnits(0) }),
    );
    expect(verdict).toMatchObject({ ok: false, refusal: { rule: 'order-size' } });
  });

  it('is shut while the kill switch is latched', () => {
    const gate = gateOf();
    gate.killSwitch.latch('operator', micros(1));
    expect(approveOrder(orderOf(), gate)).toMatchObject({
      ok: false,
      refusal: { rule: 'kill-switch', text: 'operator' },
    });
    expect(approveReplacement(orderOf(), named(1), gate).ok).toBe(false);
    gate.killSwitch.reset();
    expect(approveOrder(orderOf(), gate).ok).toBe(true);
  });
});

describe('a refusal in words', () => {
  it('is in whole shares, currency units and probabilities', () => {
    const refusal = { rule: 'order-size', found: 120_000, limit: 50_000, text: 'x' } as const;
    expect(describeRefusal({ ...refusal, unit: 'shares' })).toBe('order-size: 1200 exceeds 500 (x)');
    expect(describeRefusal({ ...refusal, unit: 'money' })).toBe('order-size: 0.12 exceeds 0.05 (x)');
    expect(describeRefusal({ ...refusal, unit: 'price', found: 2_001, limit: 2_000 })).toBe(
      'order-size: 0.2001 exceeds 0.2 (x)',
    );
    expect(describeRefusal({ ...refusal, unit: 'count', found: 4, limit: 3 })).toBe(
      'order-size: 4 exceeds 3 (x)',
    );
  });
});
