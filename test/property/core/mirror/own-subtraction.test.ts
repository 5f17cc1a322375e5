import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Levels } from '../../../../src/domain/levels.js';
import { priceUnits, shares } from '../../../../src/domain/units.js';
import {
  type ForeignLevel,
  NO_OWN_LEVELS,
  type OwnLevel,
} from '../../../../src/core/mirror/books/foreign-book.js';
import { MARKET, MirrorDriver } from '../../../support/mirror/mirror-driver.js';

const DEPTH = 5;

/** Best first; bids below 50 ticks, asks above. */
const side = (which: 'bid' | 'ask'): fc.Arbitrary<Levels> =>
  fc
    .uniqueArray(
      fc.record({ tick: fc.integer({ min: 1, max: 12 }), size: fc.integer({ min: 1, max: 500 }) }),
      {
        selector: ({ tick }) => tick,
        maxLength: DEPTH,
      },
    )
    .map((levels) => {
      const sorted = levels.toSorted((a, b) => a.tick - b.tick);
      return {
        prices: sorted.map(({ tick }) => priceUnits((which === 'bid' ? 50 - tick : 50 + tick) * 100)),
        shares: sorted.map(({ size }) => shares(size)),
      };
    });

const own: fc.Arbitrary<OwnLevel[]> = fc.array(
  fc.record({
    side: fc.constantFrom('bid', 'ask'),
    price: fc.integer({ min: 38, max: 62 }).map((tick) => priceUnits(tick * 100)),
    shares: fc.integer({ min: 1, max: 600 }).map(shares),
    spared: fc.constant(shares(0)),
  }),
  { maxLength: 12 },
);

const shown = (foreign: readonly ForeignLevel[]): Map<number, number> =>
  new Map(foreign.map(({ price, shares: units }) => [price, units]));

/** The definition: level by level, clamped at zero, nothing left over. */
function expected(levels: Levels, mine: readonly OwnLevel[], which: 'bid' | 'ask'): Map<number, number> {
  const left = new Map<number, number>();
  levels.prices.forEach((price, level) => {
    const ours = mine
      .filter((one) => one.side === which && one.price === price)
      .reduce((sum, one) => sum + one.shares, 0);
    const foreign = Math.max(0, levels.shares[level]! - ours);
    if (foreign > 0) left.set(price, foreign);
  });
  return left;
}

describe('subtracting our own orders', () => {
  it('leaves per level what is not ours, never less than nothing, and hides rather than empties a side', () => {
    fc.assert(
      fc.property(side('bid'), side('ask'), own, (bids, asks, mine) => {
        const driver = new MirrorDriver({ depth: DEPTH }).goLive().update({ bids, asks });
        const view = driver.mirror.view(MARKET, mine, driver.now);
        const left = { bid: expected(bids, mine, 'bid'), ask: expected(asks, mine, 'ask') };
        expect([...shown(view.bids)]).toEqual([...left.bid]);
        expect([...shown(view.asks)]).toEqual([...left.ask]);
        expect(view.hidden.bids).toBe(left.bid.size === 0 && bids.prices.length > 0);
        expect(view.hidden.asks).toBe(left.ask.size === 0 && asks.prices.length > 0);
        expect(view.freshness.state).toBe(view.hidden.bids || view.hidden.asks ? 'hidden' : 'live');
      }),
    );
  });

  it('leaves of a level in doubt what is nearest to what others had there', () => {
    const whole = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(whole, whole, whole, (there, mine, spared) => {
        const bids = { prices: [priceUnits(4_800)], shares: [shares(there)] };
        const driver = new MirrorDriver({ depth: DEPTH }).goLive().update({ bids });
        const doubtful = {
          side: 'bid',
          price: priceUnits(4_800),
          shares: shares(mine),
          spared: shares(spared),
        } as const;
        const view = driver.mirror.view(MARKET, [doubtful], driver.now);
        const least = Math.max(0, there - mine);
        const [, nearest] = [least, spared, there].toSorted((a, b) => a - b);
        expect(shown(view.bids).get(4_800) ?? 0).toBe(nearest);
      }),
    );
  });

  it('does not touch the book itself', () => {
    fc.assert(
      fc.property(side('bid'), side('ask'), own, (bids, asks, mine) => {
        const driver = new MirrorDriver({ depth: DEPTH }).goLive().update({ bids, asks });
        driver.mirror.view(MARKET, mine, driver.now);
        const view = driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now);
        expect([...shown(view.bids)]).toEqual([...expected(bids, [], 'bid')]);
        expect([...shown(view.asks)]).toEqual([...expected(asks, [], 'ask')]);
      }),
    );
  });
});
