import { bookOf, marketOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import { PRICE_ONE } from '../../../../src/domain/units.js';
import type { BookView, WorkingQuote } from '../../../../src/core/strategy/contract.js';
import { roundPassive } from '../../../../src/core/strategy/ladder.js';
import { passiveAsk, passiveBid, quoteAt, reachesMinimum } from '../../../../src/core/strategy/quoting.js';

const market = marketOf();
const own = (side: 'bid' | 'ask', price: number): WorkingQuote => ({
  side,
  price,
  shares: 10,
  state: 'live',
});
const hidden = (book: BookView): BookView => ({ ...book, hidden: { bids: true, asks: true } });

describe('a passive bid', () => {
  it('stands where it likes below the best ask', () => {
    expect(passiveBid(0.4, { book: bookOf(0.45, 0.5), working: [], market })).toBe(0.4);
  });

  it('stops one tick below the best ask', () => {
    expect(passiveBid(0.55, { book: bookOf(0.45, 0.5), working: [], market })).toBeCloseTo(0.49, 12);
  });

  it('needs a tick of room', () => {
    expect(passiveBid(0.4, { book: bookOf(null, 0.01), working: [], market })).toBeNull();
    expect(passiveBid(0.4, { book: bookOf(null, 0.02), working: [], market })).toBe(0.01);
    expect(passiveBid(0.009, { book: bookOf(null, null), working: [], market })).toBeNull();
  });

  it('may go to the last tick of an empty book', () => {
    expect(passiveBid(2, { book: bookOf(null, null), working: [], market })).toBe(0.99);
  });

  it('lets a NaN pass, so that the fault is seen', () => {
    expect(passiveBid(NaN, { book: bookOf(null, null), working: [], market })).toBeNaN();
  });

  it('lands on the tick strictly below, for every ask of every grid', () => {
    for (const tickUnits of [1, 5, 10, 25, 50, 100, 125, 250, 500, 1_000, 2_500])
      for (let ask = 2; ask < PRICE_ONE / tickUnits; ask++) {
        const book = bookOf(null, (ask * tickUnits) / PRICE_ONE);
        const bid = passiveBid(1, { book, working: [], market: marketOf({ tick: tickUnits / PRICE_ONE }) });
        expect(roundPassive(bid ?? 0, 'bid', tickUnits)).toBe(ask - 1);
      }
  });
});

describe('a passive ask', () => {
  it('mirrors the bid', () => {
    expect(passiveAsk(0.6, { book: bookOf(0.45, 0.5), working: [], market })).toBe(0.6);
    expect(passiveAsk(0.4, { book: bookOf(0.45, 0.5), working: [], market })).toBeCloseTo(0.46, 12);
    expect(passiveAsk(0.6, { book: bookOf(0.99, null), working: [], market })).toBeNull();
    expect(passiveAsk(-1, { book: bookOf(null, null), working: [], market })).toBe(0.01);
  });

  it('lands on the tick strictly above, for every bid of every grid', () => {
    for (const tickUnits of [1, 5, 10, 25, 50, 100, 125, 250, 500, 1_000, 2_500])
      for (let bid = 1; bid < PRICE_ONE / tickUnits - 1; bid++) {
        const book = bookOf((bid * tickUnits) / PRICE_ONE, null);
        const ask = passiveAsk(0, { book, working: [], market: marketOf({ tick: tickUnits / PRICE_ONE }) });
        expect(roundPassive(ask ?? 1, 'ask', tickUnits)).toBe(bid + 1);
      }
  });
});

describe('a hidden side', () => {
  it('bounds quotes by our own best one, because what stands behind is unseen', () => {
    const view = { book: hidden(bookOf(null, null)), working: [own('ask', 0.55), own('ask', 0.52)], market };
    expect(passiveBid(0.6, view)).toBeCloseTo(0.51, 12);
    expect(passiveAsk(0.4, { ...view, working: [own('bid', 0.45), own('bid', 0.47)] })).toBeCloseTo(0.48, 12);
  });

  it('never makes a quote more aggressive than the levels known behind it would', () => {
    const view = { book: hidden(bookOf(0.4, 0.6)), working: [own('ask', 0.55), own('bid', 0.45)], market };
    expect(passiveBid(0.7, view)).toBeCloseTo(0.54, 12);
    expect(passiveBid(0.7, { ...view, working: [] })).toBeCloseTo(0.59, 12);
    expect(passiveAsk(0.3, view)).toBeCloseTo(0.46, 12);
  });

  it('permits no quote against it when nothing at all is known', () => {
    const view = { book: hidden(bookOf(null, null)), working: [], market };
    expect(passiveBid(0.1, view)).toBeNull();
    expect(passiveAsk(0.9, view)).toBeNull();
  });

  it('does not concern our own quotes on a visible side', () => {
    const view = { book: bookOf(null, null), working: [own('ask', 0.52)], market };
    expect(passiveBid(0.6, view)).toBe(0.6);
  });
});

describe('the least amount', () => {
  it('is reached when both ways of routing the order cost enough', () => {
    const strict = marketOf({ minAmount: 1 });
    expect(reachesMinimum(0.5, 2, strict)).toBe(true);
    expect(reachesMinimum(0.5, 1.99, strict)).toBe(false);
    expect(reachesMinimum(0.1, 10, strict)).toBe(true);
    expect(reachesMinimum(0.9, 9, strict)).toBe(false);
    expect(reachesMinimum(0.9, 10, strict)).toBe(true);
  });

  it('is never reached by nothing', () => {
    expect(reachesMinimum(0.5, 0, market)).toBe(false);
    expect(reachesMinimum(0.5, -5, market)).toBe(false);
    expect(reachesMinimum(0.5, -1e-12, marketOf({ minAmount: 0 }))).toBe(false);
  });
});

describe('the steps of a quote', () => {
  it('add up to its price', () => {
    expect(quoteAt(0.48, 10, { fair: 0.5, 'half-spread': -0.02 })).toEqual({
      price: 0.48,
      shares: 10,
      reason: [
        { label: 'fair', value: 0.5 },
        { label: 'half-spread', value: -0.02 },
      ],
    });
  });

  it('name what it took to stay passive', () => {
    const { reason } = quoteAt(0.45, 10, { fair: 0.5, 'half-spread': -0.02 });
    expect(reason.map(({ label }) => label)).toEqual(['fair', 'half-spread', 'passive']);
    expect(reason.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(0.45, 12);
  });

  it('given as a list are not written to: the same list serves another quote', () => {
    const steps = [{ label: 'fair', value: 0.5 }];
    expect(quoteAt(0.45, 10, steps).reason).toHaveLength(2);
    expect(steps).toEqual([{ label: 'fair', value: 0.5 }]);
    expect(quoteAt(0.5, 10, steps).reason).toEqual(steps);
  });
});
