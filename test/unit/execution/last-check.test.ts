import { describe, expect, it } from 'vitest';
import type { Money, PriceUnits } from '../../../src/domain/units.js';
import { mayStand, meets, repriced, type Touch } from '../../../src/execution/last-check.js';
import { limitOrder } from '../../support/order-scenario.js';

const TOUCH: Touch = { bid: 4_800 as PriceUnits, ask: 5_200 as PriceUnits };
const RESTING_ONLY = { leastEdgeUnits: null, fair: null };
const fee = (units: number) => ({ takerFee: units as Money });

describe('the last check', () => {
  it('lets an order rest up to one tick before the touch of the other side', () => {
    expect(meets(limitOrder(51, 1), TOUCH)).toEqual({ kind: 'rests' });
    expect(meets(limitOrder(52, 1), TOUCH)).toEqual({ kind: 'takes', at: 5_200 });
    expect(meets(limitOrder(48, 1, { side: 'ask' }), TOUCH)).toEqual({ kind: 'takes', at: 4_800 });
  });

  it('sees through the complement', () => {
    expect(meets(limitOrder(52, 1, { position: 'short' }), TOUCH)).toEqual({ kind: 'takes', at: 4_800 });
    expect(meets(limitOrder(51, 1, { position: 'short' }), TOUCH)).toEqual({ kind: 'rests' });
  });

  it('drops what could take although it was meant to rest', () => {
    expect(mayStand(limitOrder(52, 1), TOUCH, fee(0), RESTING_ONLY)).toBe(false);
    expect(mayStand(limitOrder(51, 1), TOUCH, fee(0), RESTING_ONLY)).toBe(true);
  });

  it('lets taking pass where it is meant and leaves the edge after the fee', () => {
    const meant = { leastEdgeUnits: 100, fair: 5_310 as PriceUnits };
    expect(mayStand(limitOrder(52, 1), TOUCH, fee(1_000), meant)).toBe(true);
    expect(mayStand(limitOrder(52, 1), TOUCH, fee(2_000), meant)).toBe(false);
    expect(mayStand(limitOrder(52, 1), TOUCH, fee(0), { ...meant, fair: null })).toBe(false);
  });

  it('knows nothing to take on an empty side', () => {
    expect(meets(limitOrder(99, 1), { bid: null, ask: null })).toEqual({ kind: 'rests' });
  });

  it('moves an order one tick behind what it would take, never further', () => {
    expect(repriced(limitOrder(55, 1), TOUCH, 100)?.price).toBe(5_100);
    expect(repriced(limitOrder(55, 1, { position: 'short' }), TOUCH, 100)?.price).toBe(5_100);
    const order = limitOrder(50, 1);
    expect(repriced(order, TOUCH, 100)).toBe(order);
    expect(repriced(limitOrder(5, 1), { bid: null, ask: 100 as PriceUnits }, 100)).toBeNull();
  });
});
