import { describe, expect, it } from 'vitest';
import { LearnedRules, type RefusalContext } from '../../../../../src/core/engine/quoting/venue-rules.js';
import type { PriceUnits, Shares } from '../../../../../src/domain/units.js';

const order = (price: number, shares: number) => ({
  price: price as PriceUnits,
  shares: shares as Shares,
});
const context = (
  taken: RefusalContext['taken'] = [],
  bookPrices: readonly number[] = [],
): RefusalContext => ({
  taken,
  bookPrices: bookPrices as readonly PriceUnits[],
  tickUnits: 10,
});

describe('an amount that was refused', () => {
  it('was too little where more was taken: nothing less is asked for', () => {
    const rules = new LearnedRules();
    expect(rules.refused('amount', order(4_000, 100), context([order(5_000, 100)]))).toBe(
      'orders of 0.4 and less',
    );
    expect([4_000, 3_000, 4_001].map((price) => rules.forbids(order(price, 100)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('was too much where less was taken: nothing more is asked for', () => {
    const rules = new LearnedRules();
    rules.refused('amount', order(4_000, 100), context([order(3_000, 100)]));
    expect([4_000, 5_000, 3_999].map((price) => rules.forbids(order(price, 100)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is nobody knows what where nothing was taken: amounts between the refused ones are not asked for', () => {
    const rules = new LearnedRules();
    rules.refused('amount', order(4_000, 100), context());
    expect(rules.refused('amount', order(5_000, 100), context())).toBe('orders of 0.4 to 0.5');
    expect([3_999, 4_500, 5_001].map((price) => rules.forbids(order(price, 100)))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('forgets neither end of the amounts', () => {
    const rules = new LearnedRules();
    rules.refused('amount', order(4_000, 100), context([order(5_000, 100)]));
    rules.refused('amount', order(6_000, 100), context([order(5_000, 100)]));
    expect([4_000, 5_000, 6_000].map((price) => rules.forbids(order(price, 100)))).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('a number of shares that was refused', () => {
  it('is not asked for at other prices either', () => {
    const rules = new LearnedRules();
    rules.refused('shares', order(4_000, 101), context());
    expect([order(5_000, 101), order(4_000, 100)].map((one) => rules.forbids(one))).toEqual([true, false]);
  });
});

describe('a price that was refused', () => {
  it('tells a coarser grid, on which everything is that stands', () => {
    const rules = new LearnedRules();
    const text = rules.refused('price', order(5_130, 100), context([order(5_100, 100)], [4_000, 6_000]));
    expect(text).toBe('prices off a grid of 0.002');
    rules.refused('price', order(5_140, 100), context([order(5_100, 100)], [4_000, 6_000]));
    rules.refused('price', order(5_150, 100), context([order(5_100, 100)], [4_000, 6_000]));
    expect([5_110, 5_130, 5_190].every((price) => rules.forbids(order(price, 100)))).toBe(true);
    expect([5_100, 5_200, 9_900].some((price) => rules.forbids(order(price, 100)))).toBe(false);
  });

  it('is not asked for, and that is all, where no grid explains it', () => {
    const rules = new LearnedRules();
    expect(rules.refused('price', order(5_130, 100), context([], [5_120, 5_130]))).toBe('the price 0.513');
    expect([5_130, 5_140].map((price) => rules.forbids(order(price, 100)))).toEqual([true, false]);
  });
});
