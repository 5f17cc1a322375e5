import { describe, expect, it } from 'vitest';
import type { Ladder, Quote } from '../../../../src/core/strategy/contract.js';
import { roundPassive, toIntent } from '../../../../src/core/strategy/ladder.js';
import { MARKET } from '../../../support/bot/strategy-context.js';

const CENT = 100;
const at = (price: number, shares = 10): Quote => ({ price, shares, reason: [] });
const intentOf = (bids: readonly Quote[], asks: readonly Quote[], tickUnits = CENT) => {
  const result = toIntent({ bids, asks }, MARKET, tickUnits);
  if (!result.ok) throw new Error(result.fault.text);
  return result.intent;
};
const faultOf = (ladder: unknown): string | null => {
  const result = toIntent(ladder as Ladder, MARKET, CENT);
  return result.ok ? null : result.fault.code;
};
const bid = (quote: unknown): unknown => ({ bids: [quote], asks: [] });
const ask = (quote: unknown): unknown => ({ bids: [], asks: [quote] });

describe('rounding a ladder to ticks', () => {
  it('rounds bids down and asks up', () => {
    const { bids, asks } = intentOf([at(0.4799)], [at(0.5201)]);
    expect([bids[0]?.price, asks[0]?.price]).toEqual([47, 53]);
  });

  it('takes a float beside a tick for that tick', () => {
    expect(roundPassive(0.1 + 0.2, 'ask', CENT)).toBe(30);
    expect(roundPassive(0.57 - 0.01, 'bid', CENT)).toBe(56);
    expect(roundPassive(0.7 * 0.1, 'ask', 10)).toBe(70);
  });

  it('does not take a ten-thousandth of a tick for noise', () => {
    expect(roundPassive(0.299999, 'bid', CENT)).toBe(29);
    expect(roundPassive(0.300001, 'ask', CENT)).toBe(31);
  });

  it('rounds shares down to a hundredth', () => {
    expect(intentOf([at(0.4, 12.349)], []).bids[0]?.shares).toBe(1_234);
    expect(intentOf([at(0.4, 0.29)], []).bids[0]?.shares).toBe(29);
  });

  it('leaves out what rounds away: to price zero, to price one, to no shares', () => {
    expect(intentOf([at(0.009)], [at(0.991)])).toEqual({ marketId: MARKET, bids: [], asks: [] });
    expect(intentOf([at(0.4, 0.009), at(0.39, 0)], []).bids).toEqual([]);
  });

  it('keeps the outermost ticks of the grid', () => {
    const { bids, asks } = intentOf([at(0.01)], [at(0.99)]);
    expect([bids[0]?.price, asks[0]?.price]).toEqual([1, 99]);
  });

  it('sorts levels best first', () => {
    const { bids, asks } = intentOf([at(0.4), at(0.45), at(0.42)], [at(0.6), at(0.55), at(0.57)]);
    expect(bids.map(({ price }) => price)).toEqual([45, 42, 40]);
    expect(asks.map(({ price }) => price)).toEqual([55, 57, 60]);
  });

  it('joins levels on one tick and keeps the reason of the first', () => {
    const first = { ...at(0.4), reason: [{ label: 'fair', value: 0.4 }] };
    const { bids } = intentOf([first, at(0.403, 2.5), at(0.39)], []);
    expect(bids).toEqual([
      { price: 40, shares: 1_250, reason: [{ label: 'fair', value: 0.4 }] },
      { price: 39, shares: 1_000, reason: [] },
    ]);
  });

  it('counts in the ticks of the market', () => {
    expect(intentOf([at(0.4799)], [at(0.5201)], 10)).toMatchObject({
      bids: [{ price: 479 }],
      asks: [{ price: 521 }],
    });
    expect(intentOf([at(0.4799)], [at(0.5201)], 1)).toMatchObject({
      bids: [{ price: 4799 }],
      asks: [{ price: 5201 }],
    });
  });
});

describe('a ladder that cannot be used', () => {
  it('has an unknown price or size', () => {
    expect(faultOf(bid(at(NaN)))).toBe('not-a-number');
    expect(faultOf(ask(at(0.5, NaN)))).toBe('not-a-number');
  });

  it.each([0, 1, -0.1, 1.2, Infinity, -Infinity])('has a price outside (0, 1): %s', (price) => {
    expect(faultOf(bid(at(price)))).toBe('price-out-of-range');
    expect(faultOf(ask(at(price)))).toBe('price-out-of-range');
  });

  it.each([-1, -0.001, 1e9 + 1, Infinity])('has a size out of range: %s', (shares) => {
    expect(faultOf(bid(at(0.5, shares)))).toBe('shares-out-of-range');
  });

  it('has too many shares on one side together', () => {
    expect(faultOf({ bids: [at(0.5, 6e8), at(0.4, 6e8)], asks: [] })).toBe('shares-out-of-range');
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['text', '0.5'],
  ])('is no ladder but %s', (_name, sides) => {
    expect(faultOf({ bids: sides, asks: [] })).toBe('malformed');
    expect(faultOf({ bids: [], asks: sides })).toBe('malformed');
    expect(faultOf(bid(sides))).toBe('malformed');
  });

  it('has a hole', () => {
    expect(faultOf({ bids: Array.from({ length: 3 }), asks: [] })).toBe('malformed');
  });

  it('has texts where numbers belong', () => {
    expect(faultOf(bid({ price: '0.5', shares: 1, reason: [] }))).toBe('malformed');
    expect(faultOf(bid({ price: 0.5, shares: '1', reason: [] }))).toBe('malformed');
  });

  it('has more levels than any grid', () => {
    expect(faultOf({ bids: Array.from({ length: 1_001 }, () => at(0.5)), asks: [] })).toBe('malformed');
  });

  it('does not explain itself', () => {
    expect(faultOf(bid({ price: 0.5, shares: 1 }))).toBe('malformed');
    expect(faultOf(bid({ price: 0.5, shares: 1, reason: ['fair'] }))).toBe('malformed');
    expect(faultOf(bid({ price: 0.5, shares: 1, reason: [{ label: 'fair', value: NaN }] }))).toBe(
      'not-a-number',
    );
  });

  it('is crossed, whatever the order of its levels', () => {
    expect(faultOf({ bids: [at(0.4), at(0.6)], asks: [at(0.9), at(0.55)] })).toBe('crossed');
  });

  it('is locked', () => {
    expect(faultOf({ bids: [at(0.5)], asks: [at(0.5)] })).toBe('crossed');
  });

  it('is locked after rounding only, because both sides are float noise around one tick', () => {
    expect(faultOf({ bids: [at(0.5 - 1e-14)], asks: [at(0.5 + 1e-14)] })).toBe('crossed');
  });
});

describe('a ladder with getters', () => {
  it('is read once, so what was checked is what is used', () => {
    let reads = 0;
    const shifty = {
      get price() {
        reads += 1;
        return reads === 1 ? 0.4 : NaN;
      },
      shares: 1,
      reason: [],
    };
    expect(intentOf([shifty], []).bids[0]?.price).toBe(40);
  });
});
