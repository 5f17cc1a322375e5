import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import { money, priceUnits, shares } from '../../../../src/domain/units.js';
import { type EventEndings, WorstCase } from '../../../../src/core/portfolio/worst-case.js';
import { costsOf, type PricedOrder } from '../../../support/orders/order-costs.js';

const [A, B] = [marketId(1), marketId(2)];
const EXCLUSIVE: EventEndings = { resolutionMode: 'exclusive', nonePossible: true, voidPossible: false };

/** Whole shares and currency units. */
const held = (long: number, short: number, cost: number) => ({
  long: shares(Math.round(long * 100)),
  short: shares(Math.round(short * 100)),
  cost: money(Math.round(cost * 1_000_000)),
});

const order = (changes: Partial<PricedOrder> = {}): PricedOrder => ({
  side: 'bid',
  position: 'long',
  price: priceUnits(4_000),
  shares: shares(1_000),
  fee: money(0),
  ...changes,
});

const worstOf = (endings: EventEndings, ...markets: ReturnType<typeof held>[]): number => {
  const event = new WorstCase(endings);
  for (const [at, market] of markets.entries()) event.hold(marketId(at + 1), market);
  return event.worst() / 1_000_000;
};

describe('worst case of holdings', () => {
  it('is the least W_j: L=(100,0,30), S=(0,50,0), C=88.5 gives (61.5,-88.5,-8.5), none -38.5', () => {
    const [first, second, third] = [held(100, 0, 88.5), held(0, 50, 0), held(0, 0, 0)];
    expect(worstOf(EXCLUSIVE, first, second, held(30, 0, 0))).toBe(-88.5);
    expect(worstOf(EXCLUSIVE, first, second, third)).toBe(-88.5);
  });

  it('lists every ending with its profit', () => {
    const event = new WorstCase({ ...EXCLUSIVE, voidPossible: true });
    for (const [at, market] of [held(100, 0, 88.5), held(0, 50, 0), held(30, 0, 0)].entries())
      event.hold(marketId(at + 1), market);
    const listed = event
      .scenarios()
      .map(({ ending, market, profit }) => [ending, market, profit / 1_000_000]);
    expect(listed).toEqual([
      ['wins', '1', 61.5],
      ['wins', '2', -88.5],
      ['wins', '3', -8.5],
      ['none', null, -38.5],
      ['void', null, -88.5],
    ]);
  });

  it('is asked without the open orders of one market, for a ladder that replaces them', () => {
    const event = new WorstCase(EXCLUSIVE);
    event.hold(A, held(10, 0, 5));
    event.order(A, costsOf(order()));
    event.order(B, costsOf(order()));
    expect([event.worst(), event.worstInstead(A)]).toEqual([-13_000_000, -9_000_000]);
  });

  it('counts the ending in which nothing counted wins only where it is possible', () => {
    const markets = [held(100, 0, 50), held(100, 0, 40)];
    expect(worstOf(EXCLUSIVE, ...markets)).toBe(-90);
    expect(worstOf({ ...EXCLUSIVE, nonePossible: false }, ...markets)).toBe(10);
  });

  it('grows when the least-variance hedge is bought: 100 of the first, 71.4 of the second', () => {
    expect(worstOf(EXCLUSIVE, held(100, 0, 50), held(0, 0, 0), held(0, 0, 0))).toBe(-50);
    expect(worstOf(EXCLUSIVE, held(100, 0, 50), held(71.4, 0, 21.42), held(0, 0, 0))).toBe(-71.42);
  });

  it('adds up markets that are not exclusive: sum of min(L,S) less cost', () => {
    const event = { ...EXCLUSIVE, resolutionMode: 'non_exclusive' } as const;
    expect(worstOf(event, held(100, 40, 60), held(0, 30, 12))).toBe(40 - 60 - 12);
  });

  it('is zero without markets, and the cost alone when everything is sold', () => {
    expect(new WorstCase({ ...EXCLUSIVE, nonePossible: false }).worst()).toBe(0);
    expect(worstOf(EXCLUSIVE, held(0, 0, -12))).toBe(12);
  });

  it('loses an earned profit where a void takes the cash flow back', () => {
    expect(worstOf({ ...EXCLUSIVE, voidPossible: true }, held(0, 0, -12))).toBe(0);
    expect(worstOf({ ...EXCLUSIVE, voidPossible: true }, held(0, 10, 4))).toBe(-4);
  });

  it('a void of one market takes its profit away while another one wins', () => {
    const hedged = [held(100, 0, 50), held(0, 100, 20)];
    expect(worstOf(EXCLUSIVE, ...hedged)).toBe(-70);
    expect(worstOf({ ...EXCLUSIVE, voidPossible: true }, ...hedged)).toBe(-70);
    expect(worstOf(EXCLUSIVE, held(0, 100, 20), held(0, 0, 0))).toBe(-20);
    expect(worstOf(EXCLUSIVE, held(0, 100, 20), held(100, 0, 90))).toBe(-110);
  });
});

describe('worst case with open orders', () => {
  it('counts an order where it loses and not where it wins', () => {
    const event = new WorstCase(EXCLUSIVE);
    event.order(A, costsOf(order()));
    expect(event.worst()).toBe(-4_000 * 1_000);
    event.order(A, costsOf(order({ position: 'short' })));
    expect(event.worst()).toBe(-4_000 * 1_000);
  });

  it('counts a sale by what it forgoes: held 10 at no cost, sold at .40', () => {
    const event = new WorstCase({ ...EXCLUSIVE, nonePossible: false });
    event.hold(A, held(10, 0, 0));
    event.order(A, costsOf(order({ side: 'ask' })));
    expect(event.worst()).toBe(4_000 * 1_000);
  });

  it('counts both sides of a pair: only the one that loses in each ending', () => {
    const event = new WorstCase(EXCLUSIVE);
    event.order(
      A,
      costsOf(order({ price: priceUnits(4_500) }), order({ position: 'short', price: priceUnits(4_500) })),
    );
    expect(event.worst()).toBe(-4_500 * 1_000);
  });

  it('rounds fees up and counts rebates', () => {
    const event = new WorstCase(EXCLUSIVE);
    event.order(A, costsOf(order({ shares: shares(33), fee: money(1_000) })));
    expect(event.worst()).toBe(-(4_000 * 33 + 330));
    event.order(A, costsOf(order({ shares: shares(33), fee: money(1_001) })));
    expect(event.worst()).toBe(-(4_000 * 33 + 331));
    event.order(A, costsOf(order({ shares: shares(100), fee: money(-1_000) })));
    expect(event.worst()).toBe(-(4_000 * 100 - 1_000));
  });

  it('answers what would be, without changing what is', () => {
    const event = new WorstCase(EXCLUSIVE, [A, B]);
    event.order(A, costsOf(order()));
    expect(event.worstWith(B, costsOf(order()))).toBe(-2 * 4_000 * 1_000);
    expect(event.worstWith(A, costsOf(order()))).toBe(-2 * 4_000 * 1_000);
    expect(event.worst()).toBe(-4_000 * 1_000);
  });
});
