import { describe, expect, it } from 'vitest';
import { marketId } from '../../../src/domain/ids.js';
import { priceUnits, shares, ticks } from '../../../src/domain/units.js';
import { type PlanGround, SettledPlan } from '../../../src/engine/settled-plan.js';
import type { OwnOrder } from '../../../src/execution/own-order.js';
import { marketTerms } from '../../support/market-terms.js';

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
const settled = (noted = ground(), working: readonly OwnOrder[] = []): SettledPlan => {
  const plan = new SettledPlan();
  plan.note(noted, working);
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

  it('is forgotten when somebody says so', () => {
    const plan = settled();
    plan.forget();
    expect(plan.holds(ground())).toBe(false);
  });
});
