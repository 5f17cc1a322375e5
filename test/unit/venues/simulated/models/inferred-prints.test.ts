import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  inferPrints,
  type InferredPrint,
  type SideChange,
} from '../../../../../src/venues/simulated/models/inferred-prints.js';
import type { Side } from '../../../../../src/domain/vocabulary.js';

type Step = readonly [price: number, before: number, after: number];

const change = (
  side: Side,
  steps: readonly Step[],
  own: {
    readonly filled?: Record<number, number>;
    readonly left?: Record<number, number>;
    readonly took?: Record<number, number>;
  } = {},
): SideChange => ({
  side,
  steps: steps.map(([price, before, after]) => ({ price, before, after }) as never),
  ownFilled: byPrice(own.filled),
  ownLeft: byPrice(own.left),
  ownTook: byPrice(own.took),
});

const byPrice = (shares: Record<number, number> = {}): ReadonlyMap<number, number> =>
  new Map(Object.entries(shares).map(([price, count]) => [Number(price), count]));

const NOTHING = change('ask', []);
const told = (prints: readonly InferredPrint[]) =>
  prints.map(({ takerSide, price, shares, others }) => [takerSide, price, shares, others]);

describe('what left a book without a print', () => {
  it('was cancelled when the volume did not grow', () => {
    expect(inferPrints([change('bid', [[4_700, 500, 200]]), NOTHING], { left: 0 })).toEqual([]);
  });

  it('was traded as far as the growth of the volume pays for it', () => {
    const growth = { left: 200 * 4_700 };
    const prints = inferPrints([change('bid', [[4_700, 500, 200]]), NOTHING], growth);
    expect(told(prints)).toEqual([['ask', 4_700, 200, 200]]);
    expect(growth.left).toBe(0);
  });

  it('was cancelled where a better price still stands', () => {
    const bids = change('bid', [
      [4_700, 500, 400],
      [4_600, 500, 100],
    ]);
    expect(told(inferPrints([bids, NOTHING], { left: 1e9 }))).toEqual([['ask', 4_700, 100, 100]]);
  });

  it('was cancelled where an order of ours stands before it', () => {
    const bids = change('bid', [[4_600, 500, 100]], { left: { 4_700: 10 } });
    expect(inferPrints([bids, NOTHING], { left: 1e9 })).toEqual([]);
  });

  it('tells of a taker who swept two levels', () => {
    const asks = change('ask', [
      [5_300, 100, 0],
      [5_400, 300, 250],
    ]);
    expect(told(inferPrints([change('bid', []), asks], { left: 150 * 10_000 }))).toEqual([
      ['bid', 5_300, 100, 100],
      ['bid', 5_400, 50, 50],
    ]);
  });

  it('includes what takers took from us, alone on its level or not', () => {
    const bids = change('bid', [[4_700, 300, 0]], { filled: { 4_800: 40, 4_700: 10 } });
    expect(told(inferPrints([bids, NOTHING], { left: 1e9 }))).toEqual([
      ['ask', 4_800, 40, 40 - 40],
      ['ask', 4_700, 310, 300],
    ]);
  });

  it('is no trade of others when our own fill explains all of the growth', () => {
    for (const price of [10_000, 4_700, 5_300]) {
      const bids = change('bid', [[4_700, 300, 0]], { filled: { 4_700: 10 } });
      expect(told(inferPrints([bids, NOTHING], { left: 10 * price }))).toEqual([['ask', 4_700, 10, 0]]);
    }
  });

  it('is paid for by what is left of the growth without what we took', () => {
    const bids = change('bid', [[4_700, 500, 200]]);
    const asks = change('ask', [[5_300, 90, 90]], { took: { 5_300: 10 } });
    const growth = { left: 10 * 4_700 + 25 * 4_700 };
    expect(told(inferPrints([bids, asks], growth))).toEqual([['ask', 4_700, 25, 25]]);
    expect(inferPrints([bids, asks], { left: 10 * 10_000 })).toEqual([]);
  });

  it('belongs to the side that the growth can pay for', () => {
    const bids = change('bid', [[1_000, 900, 0]]);
    const asks = change('ask', [[1_200, 50, 0]]);
    expect(told(inferPrints([bids, asks], { left: 50 * 1_200 }))).toEqual([['bid', 1_200, 50, 50]]);
  });

  it('never costs more than the volume grew, and never more than was there', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 500 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(steps, steps, fc.integer({ min: 0, max: 5_000_000 }), (bids, asks, left) => {
        const sides = [
          change(
            'bid',
            bids.map(([before, after], at): Step => [4_700 - at * 100, before, after]),
          ),
          change(
            'ask',
            asks.map(([before, after], at): Step => [5_100 + at * 100, before, after]),
          ),
        ] as const;
        const prints = inferPrints(sides, { left });
        const cost = prints.reduce(
          (sum, { price, others }) => sum + others * Math.min(price, 10_000 - price),
          0,
        );
        expect(cost).toBeLessThanOrEqual(left);
        for (const { takerSide, price, shares } of prints) {
          const side = takerSide === 'ask' ? sides[0] : sides[1];
          const step = side.steps.find((one) => one.price === price)!;
          expect(shares).toBeLessThanOrEqual(step.before - step.after);
        }
      }),
    );
  });
});
