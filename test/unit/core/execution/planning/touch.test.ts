import { describe, expect, it } from 'vitest';
import type { PriceUnits } from '../../../../../src/domain/units.js';
import { restingPrice, type Touch, wouldTake } from '../../../../../src/core/execution/planning/touch.js';
import { limitOrder } from '../../../../support/orders/order-scenario.js';

const TOUCH: Touch = { bid: 4_800 as PriceUnits, ask: 5_200 as PriceUnits };
const EMPTY: Touch = { bid: null, ask: null };
const price = (cents: number): PriceUnits => (cents * 100) as PriceUnits;

describe('the touch', () => {
  it('lets an order rest up to one tick before the other side', () => {
    expect(wouldTake(limitOrder(51, 1), TOUCH)).toBe(false);
    expect(wouldTake(limitOrder(52, 1), TOUCH)).toBe(true);
    expect(wouldTake(limitOrder(49, 1, { side: 'ask' }), TOUCH)).toBe(false);
    expect(wouldTake(limitOrder(48, 1, { side: 'ask' }), TOUCH)).toBe(true);
  });

  it('is seen through the complement', () => {
    expect(wouldTake(limitOrder(52, 1, { position: 'short' }), TOUCH)).toBe(true);
    expect(wouldTake(limitOrder(51, 1, { position: 'short' }), TOUCH)).toBe(false);
  });

  it('has nothing to take on an empty side', () => {
    expect(wouldTake(limitOrder(99, 1), EMPTY)).toBe(false);
  });

  it('moves a quote one tick behind what it would take, never further and never bolder', () => {
    expect(restingPrice('bid', price(55), TOUCH, 100)).toBe(5_100);
    expect(restingPrice('ask', price(45), TOUCH, 100)).toBe(4_900);
    expect(restingPrice('bid', price(50), TOUCH, 100)).toBe(5_000);
    expect(restingPrice('bid', price(55), EMPTY, 100)).toBe(5_500);
  });

  it('leaves no price where the grid has none', () => {
    expect(restingPrice('bid', price(5), { bid: null, ask: price(1) }, 100)).toBeNull();
  });
});
