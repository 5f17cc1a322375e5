import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { money, priceUnits, shares, ticks } from '../../../../../src/domain/units.js';
import type { PlanGround } from '../../../../../src/core/engine/quoting/plan-ground.js';
import { type Purse, SettledPlan } from '../../../../../src/core/engine/quoting/settled-plan.js';
import type { OwnOrder } from '../../../../../src/core/execution/orders/own-order.js';
import { NO_PLAN, type Plan } from '../../../../../src/core/execution/planning/plan.js';
import type { Routed } from '../../../../../src/core/execution/planning/route.js';
import { limitOrder } from '../../../../support/orders/order-scenario.js';
import { marketTerms } from '../../../../support/orders/market-terms.js';

const level = (price: number, size = 1_000) => ({ price: ticks(price), shares: shares(size), reason: [] });
const TERMS = marketTerms();
const ground = (change: Partial<PlanGround> = {}): PlanGround => ({
  intent: { marketId: marketId(7), bids: [level(47), level(46)], asks: [level(53)] },
  terms: TERMS,
  long: shares(0),
  short: shares(0),
  touch: { bid: priceUnits(4_800), ask: priceUnits(5_200) },
  ...change,
});
const STANDS: Routed = { orders: [], unrouted: [], stands: true, isScarce: false };
const settled = (noted = ground(), working: readonly OwnOrder[] = []): SettledPlan => {
  const plan = new SettledPlan(() => fail('what stands spends nothing'));
  plan.note(noted, STANDS, NO_PLAN, working);
  return plan;
};

describe('a plan with nothing to do', () => {
  it('is the same for the same intent, whatever the steps that led to it and however the book moved', () => {
    const again = ground({ touch: { bid: priceUnits(4_600), ask: priceUnits(5_400) } });
    expect(settled().holds(again)).toBe(true);
  });

  it.each<[string, Partial<PlanGround>]>([
    ['a price', { intent: { ...ground().intent, bids: [level(47), level(45)] } }],
    ['a size', { intent: { ...ground().intent, asks: [level(53, 999)] } }],
    ['the number of levels', { intent: { ...ground().intent, bids: [level(47)] } }],
    ['what is held long', { long: shares(1) }],
    ['what is held short', { short: shares(1) }],
    ['the terms', { terms: { ...TERMS } }],
  ])('is made anew when %s changes', (_what, change) => {
    expect(settled().holds(ground(change))).toBe(false);
  });

  it('is made anew when the book has come so close that a level would take', () => {
    expect(settled().holds(ground({ touch: { bid: null, ask: priceUnits(4_700) } }))).toBe(false);
    expect(settled().holds(ground({ touch: { bid: priceUnits(5_300), ask: null } }))).toBe(false);
  });

  it('is not remembered while a level had to be moved to keep it from taking, nor with fills unknown', () => {
    const close = ground({ touch: { bid: null, ask: priceUnits(4_700) } });
    expect(settled(close).holds(ground())).toBe(false);
    const doubtful = { fillsUnknownSince: 5 } as Partial<OwnOrder> as OwnOrder;
    expect(settled(ground(), [doubtful]).holds(ground())).toBe(false);
  });

  it('of a market in which nothing is wanted holds until something is', () => {
    const plan = new SettledPlan(() => fail('what is not wanted spends nothing'));
    plan.note(null, { ...STANDS, stands: false }, NO_PLAN, []);
    expect(plan.holds(null)).toBe(true);
    expect(plan.holds(ground())).toBe(false);
    expect(settled().holds(null)).toBe(false);
  });

  it('is not remembered while an order that nobody wants has to go', () => {
    const plan = new SettledPlan(() => fail('what is not wanted spends nothing'));
    plan.note(null, { ...STANDS, stands: false }, { ...NO_PLAN, unwanted: [{} as OwnOrder] }, []);
    expect(plan.holds(null)).toBe(false);
  });

  it('is forgotten when somebody says so', () => {
    const plan = settled();
    plan.forget();
    expect(plan.holds(ground())).toBe(false);
  });
});

describe('a plan in which orders wait for their place', () => {
  const order = limitOrder(47, 10);
  const WAITS: Plan = { ...NO_PLAN, waiting: [{ order, reason: 'resting' }] };
  const ROUTED: Routed = { ...STANDS, orders: [order], stands: false };
  const RICH: Purse = { cash: money(1_000), share: null };
  const waiting = (later: Partial<Purse> = {}, plan = WAITS, routed = ROUTED): SettledPlan => {
    let purse = RICH;
    const memory = new SettledPlan(() => purse);
    memory.note(ground(), routed, plan, []);
    purse = { ...RICH, ...later };
    return memory;
  };

  it('is the same while what may be spent is, too', () => {
    expect(waiting().holds(ground())).toBe(true);
    expect(waiting().holds(ground({ long: shares(1) }))).toBe(false);
    expect(waiting({ cash: money(999) }).holds(ground())).toBe(false);
    expect(waiting({ share: money(1_000) }).holds(ground())).toBe(false);
  });

  it('is not remembered when it has something to send, nor when cash was scarce', () => {
    expect(waiting({}, { ...WAITS, creates: [order] }).holds(ground())).toBe(false);
    expect(waiting({}, WAITS, { ...ROUTED, isScarce: true }).holds(ground())).toBe(false);
  });
});

function fail(text: string): never {
  throw new Error(text);
}
