import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { QuoteLevel } from '../../../../src/domain/intent.js';
import { PRICE_ONE } from '../../../../src/domain/units.js';
import type { Quote } from '../../../../src/core/strategy/contract.js';
import { roundPassive, toIntent } from '../../../../src/core/strategy/ladder.js';
import { MARKET } from '../../../support/bot/strategy-context.js';

const GRIDS = [1, 2, 5, 10, 25, 50, 100, 125, 250, 500, 1_000, 2_500, 5_000] as const;
const grid = fc.constantFrom(...GRIDS);
const price = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
const shares = fc.double({ min: 0, max: 1e5, noNaN: true });
const quotes = fc.array(fc.record({ price, shares, reason: fc.constant([]) }), { maxLength: 30 });
/** A billionth of a tick is a float's error, not a price. */
const NOISE = 1e-9;

const stated = (level: QuoteLevel, tickUnits: number): number => (level.price * tickUnits) / PRICE_ONE;

it('rounding never makes a quote more aggressive and moves it by less than a tick', () => {
  fc.assert(
    fc.property(price, grid, (wanted, tickUnits) => {
      const tick = tickUnits / PRICE_ONE;
      const below = wanted - roundPassive(wanted, 'bid', tickUnits) * tick;
      const above = roundPassive(wanted, 'ask', tickUnits) * tick - wanted;
      expect(below).toBeGreaterThanOrEqual(-NOISE * tick);
      expect(above).toBeGreaterThanOrEqual(-NOISE * tick);
      expect(Math.max(below, above)).toBeLessThan(tick);
    }),
    { numRuns: 2_000 },
  );
});

it('every tick survives the way to a float and back, however it was computed', () => {
  fc.assert(
    fc.property(grid, fc.nat(), fc.integer({ min: -9, max: 9 }), (tickUnits, seed, steps) => {
      const last = PRICE_ONE / tickUnits - 1;
      const tick = 1 + (seed % last);
      let float = (tick * tickUnits) / PRICE_ONE;
      for (let step = 0; step < Math.abs(steps); step++) float += tickUnits / PRICE_ONE;
      for (let step = 0; step < Math.abs(steps); step++) float -= tickUnits / PRICE_ONE;
      expect(roundPassive(float, 'bid', tickUnits)).toBe(tick);
      expect(roundPassive(float, 'ask', tickUnits)).toBe(tick);
    }),
    { numRuns: 2_000 },
  );
});

it('long and short are mirror images: a bid at p rounds like an ask at 1 - p', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999 }), grid, (millionths, tickUnits) => {
      const ticks = PRICE_ONE / tickUnits;
      const bid = roundPassive(millionths / 1e6, 'bid', tickUnits);
      const ask = roundPassive((1e6 - millionths) / 1e6, 'ask', tickUnits);
      expect(bid + ask).toBe(ticks);
    }),
    { numRuns: 2_000 },
  );
});

/** Bids below a price and asks above it, so that most ladders are not crossed. */
const ladder = fc.record({ bids: quotes, asks: quotes, centre: price }).map(({ bids, asks, centre }) => ({
  bids: bids.map((quote) => ({ ...quote, price: quote.price * centre })),
  asks: asks.map((quote) => ({ ...quote, price: centre + quote.price * (1 - centre) })),
}));

it('an intent is on the grid, sorted, without two levels on one tick, not crossed, and offers no share more', () => {
  fc.assert(
    fc.property(ladder, grid, (wanted, tickUnits) => {
      const result = toIntent(wanted, MARKET, tickUnits);
      fc.pre(result.ok);
      const { bids, asks } = result.intent;
      const ticks = [...bids.toReversed(), ...asks].map((level) => level.price);
      expect(ticks).toEqual([...new Set(ticks)].toSorted((one, two) => one - two));
      for (const tick of ticks) expect(tick >= 1 && tick < PRICE_ONE / tickUnits).toBe(true);
      expectNoMore(bids, wanted.bids, 1, tickUnits);
      expectNoMore(asks, wanted.asks, -1, tickUnits);
    }),
  );
});

/** At no price is more offered than the strategy wanted at that price or a more aggressive one. */
function expectNoMore(
  levels: readonly QuoteLevel[],
  wanted: readonly Quote[],
  sign: 1 | -1,
  tickUnits: number,
): void {
  let offered = 0;
  for (const level of levels) {
    offered += level.shares / 100;
    const limit = stated(level, tickUnits);
    const most = wanted.reduce(
      (sum, quote) => ((quote.price - limit) * sign > -NOISE ? sum + quote.shares : sum),
      0,
    );
    expect(offered).toBeLessThanOrEqual(most + NOISE * (1 + most));
  }
}

it('whatever a strategy returns is an intent or a fault', () => {
  const anything = fc.anything({ withSparseArray: true, withNullPrototype: true, withBigInt: true });
  const almost = fc.record({ bids: fc.oneof(quotes, fc.array(anything)), asks: fc.oneof(quotes, anything) });
  fc.assert(
    fc.property(fc.oneof(almost, fc.record({ bids: anything, asks: anything })), (answer) => {
      const result = toIntent(answer as never, MARKET, 100);
      expect(typeof result.ok).toBe('boolean');
    }),
    { numRuns: 2_000 },
  );
});
