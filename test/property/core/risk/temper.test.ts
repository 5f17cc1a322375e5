import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import type { QuoteIntent, QuoteLevel } from '../../../../src/domain/intent.js';
import { shares, type Ticks } from '../../../../src/domain/units.js';
import {
  UNRESTRICTED,
  type Restriction,
  stricter,
  restrict,
} from '../../../../src/core/risk/quote-restriction.js';

const TICK_UNITS = 100;
const levelAt = (price: number, size: number): QuoteLevel => ({
  price: price as Ticks,
  shares: shares(size),
  reason: [{ label: 'wish', value: price / 100 }],
});
const size = fc.integer({ min: 1, max: 10_000 });
const intent: fc.Arbitrary<QuoteIntent> = fc
  .record({
    bids: fc.array(size, { maxLength: 4 }),
    asks: fc.array(size, { maxLength: 4 }),
    top: fc.integer({ min: 5, max: 90 }),
  })
  .map(({ bids, asks, top }) => ({
    marketId: marketId(1),
    bids: bids.map((one, depth) => levelAt(top - depth, one)),
    asks: asks.map((one, depth) => levelAt(top + 1 + depth, one)),
  }));
const restriction: fc.Arbitrary<Restriction> = fc.record({
  out: fc.constantFrom(null, 'some-reason'),
  reduceOnly: fc.boolean(),
  widenTicks: fc.integer({ min: 0, max: 20 }),
  size: fc.constantFrom(0, 0.25, 0.5, 1),
});
const net = fc.integer({ min: -20_000, max: 20_000 }).map(shares);

const total = (levels: readonly QuoteLevel[]): number => levels.reduce((sum, level) => sum + level.shares, 0);

describe('restricting', () => {
  it('never adds shares and never moves a quote towards the other side', () => {
    fc.assert(
      fc.property(intent, restriction, net, (wanted, how, held) => {
        const left = restrict(wanted, how, { tickUnits: TICK_UNITS, net: held });
        expect(total(left.bids)).toBeLessThanOrEqual(total(wanted.bids) * how.size);
        expect(total(left.asks)).toBeLessThanOrEqual(total(wanted.asks) * how.size);
        const highest = wanted.bids[0]?.price ?? 0;
        const lowest = wanted.asks[0]?.price ?? 100;
        for (const { price } of left.bids) expect(price).toBeLessThanOrEqual(highest - how.widenTicks);
        for (const { price } of left.asks) expect(price).toBeGreaterThanOrEqual(lowest + how.widenTicks);
        for (const { price } of [...left.bids, ...left.asks]) {
          expect(price).toBeGreaterThanOrEqual(1);
          expect(price).toBeLessThanOrEqual(99);
        }
      }),
    );
  });

  it('when it only reduces, whatever fills leads towards zero and not beyond', () => {
    fc.assert(
      fc.property(intent, restriction, net, (wanted, how, held) => {
        const left = restrict(wanted, { ...how, reduceOnly: true }, { tickUnits: TICK_UNITS, net: held });
        expect(total(left.bids)).toBeLessThanOrEqual(Math.max(0, -held));
        expect(total(left.asks)).toBeLessThanOrEqual(Math.max(0, held));
      }),
    );
  });

  it('leaves everything at ease, and nothing when out', () => {
    fc.assert(
      fc.property(intent, net, (wanted, held) => {
        const market = { tickUnits: TICK_UNITS, net: held };
        expect(restrict(wanted, UNRESTRICTED, market)).toBe(wanted);
        const { bids, asks } = restrict(wanted, { ...UNRESTRICTED, out: 'closed' }, market);
        expect([...bids, ...asks]).toEqual([]);
      }),
    );
  });

  it('keeps the steps of every price adding up to it', () => {
    fc.assert(
      fc.property(intent, restriction, net, (wanted, how, held) => {
        const { bids, asks } = restrict(wanted, how, { tickUnits: TICK_UNITS, net: held });
        for (const { price, reason } of [...bids, ...asks])
          expect(reason.reduce((sum, step) => sum + step.value, 0)).toBeCloseTo(price / 100, 9);
      }),
    );
  });
});

it('of two restrictions the stricter holds, in either order', () => {
  fc.assert(
    fc.property(restriction, restriction, (one, other) => {
      const both = stricter(one, other);
      expect({ ...stricter(other, one), out: null }).toEqual({ ...both, out: null });
      expect(both.size).toBe(Math.min(one.size, other.size));
      expect(both.out === null).toBe(one.out === null && other.out === null);
    }),
  );
});
