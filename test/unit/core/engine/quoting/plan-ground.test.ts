import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { priceUnits, shares, ticks } from '../../../../../src/domain/units.js';
import { type GroundSource, TemperedGround } from '../../../../../src/core/engine/quoting/plan-ground.js';
import { AT_EASE, sized } from '../../../../../src/core/risk/stance.js';
import { marketTerms } from '../../../../support/orders/market-terms.js';

const level = (price: number, size = 1_000) => ({ price: ticks(price), shares: shares(size), reason: [] });
const SOURCE: GroundSource = {
  intent: { marketId: marketId(7), bids: [level(47)], asks: [level(53)] },
  stance: AT_EASE,
  terms: marketTerms(),
  long: shares(0),
  short: shares(0),
  touch: { bid: priceUnits(4_800), ask: priceUnits(5_200) },
};

describe('the ground of a plan', () => {
  it('is what the guards leave of the intent, and what else the plan rests on', () => {
    const { terms, touch, long, short } = SOURCE;
    const ground = new TemperedGround().of({ ...SOURCE, stance: sized(0.5) });
    const intent = { marketId: marketId(7), bids: [level(47, 500)], asks: [level(53, 500)] };
    expect(ground).toEqual({ intent, terms, touch, long, short });
  });

  it('is the same object while nothing of it has changed', () => {
    const tempered = new TemperedGround();
    expect(tempered.of({ ...SOURCE })).toBe(tempered.of({ ...SOURCE }));
  });

  it.each<[string, Partial<GroundSource>]>([
    ['the intent', { intent: { ...SOURCE.intent, bids: [] } }],
    ['the stance', { stance: sized(0.5) }],
    ['the terms', { terms: { ...SOURCE.terms } }],
    ['what is held long', { long: shares(1) }],
    ['what is held short', { short: shares(1) }],
    ['the touch', { touch: { bid: null, ask: null } }],
  ])('is made anew when %s changes', (_what, change) => {
    const tempered = new TemperedGround();
    const before = tempered.of(SOURCE);
    expect(tempered.of({ ...SOURCE, ...change })).not.toBe(before);
  });
});
