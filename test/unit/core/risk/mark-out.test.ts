import { describe, expect, it } from 'vitest';
import { marketId, orderId } from '../../../../src/domain/ids.js';
import { type Micros, micros, money, priceUnits } from '../../../../src/domain/units.js';
import { MarkOutWatch } from '../../../../src/core/risk/mark-out.js';
import { UNRESTRICTED } from '../../../../src/core/risk/quote-restriction.js';
import { fillOf } from '../../../support/orders/fills.js';

const HERE = marketId(2231);
const at = (seconds: number): Micros => micros(1_000_000_000 + seconds * 1_000_000);
const watchOf = (maxLoss: number | null = 100): MarkOutWatch =>
  new MarkOutWatch({
    horizonMs: 5_000,
    fills: 2,
    maxLoss: maxLoss === null ? null : priceUnits(maxLoss),
    reduceTo: 0.5,
  });
/** Two long shares bought at 0.50 each, and the mid afterwards. */
const twoFills = (watch: MarkOutWatch, mid: number, from: number) => {
  watch.filled(fillOf(50, 10), at(from));
  watch.filled(fillOf(50, 10), at(from + 1));
  return [watch.marked(HERE, mid, at(from + 5)), watch.marked(HERE, mid, at(from + 6))];
};

describe('the mark-out limit', () => {
  it('judges a fill at its horizon, not before', () => {
    const watch = watchOf();
    watch.filled(fillOf(50, 10), at(0));
    watch.filled(fillOf(50, 10), at(0));
    expect(watch.dueAt(HERE)).toBe(at(5));
    expect(watch.marked(HERE, 1_000, at(4.9))).toBeNull();
    expect(watch.marked(HERE, 5_000, at(5))).toBeNull();
    expect(watch.dueAt(HERE)).toBeNull();
    expect(watch.restriction(HERE)).toBe(UNRESTRICTED);
  });

  it('reduces the size first, then stops', () => {
    const watch = watchOf();
    const [, reduced] = twoFills(watch, 4_850, 0);
    expect(reduced).toEqual({
      kind: 'reduced',
      text: 'the last 2 fills made -0.0150 a share 5 s later, limit -0.0100',
    });
    expect(watch.restriction(HERE)).toMatchObject({ out: null, size: 0.5 });
    expect(twoFills(watch, 4_850, 10)[1]?.kind).toBe('stopped');
    expect(watch.restriction(HERE).out).toBe('mark-out');
  });

  it('restores the size when the next fills do well', () => {
    const watch = watchOf();
    twoFills(watch, 4_850, 0);
    expect(twoFills(watch, 5_000, 10)[1]?.kind).toBe('restored');
    expect(watch.restriction(HERE)).toBe(UNRESTRICTED);
  });

  it('is not exceeded at the limit, and weighs fills by their shares', () => {
    const watch = watchOf();
    expect(twoFills(watch, 4_900, 0)).toEqual([null, null]);
    watch.filled(fillOf(60, 1), at(10));
    watch.filled(fillOf(50, 99), at(10));
    expect(watch.marked(HERE, 5_000, at(15))).toBeNull();
  });

  it('sees sales and the short position from the same side', () => {
    for (const fill of [
      fillOf(50, 10, { side: 'ask' }),
      fillOf(50, 10, { position: 'short' }),
      fillOf(50, 10, { position: 'short', side: 'bid' }),
    ]) {
      const watch = watchOf();
      watch.filled(fill, at(0));
      watch.filled(fill, at(0));
      expect(watch.marked(HERE, 5_150, at(5))?.kind).toBe('reduced');
    }
  });

  it.each([
    ['long', 50_000],
    ['short', 350_000],
  ] as const)('judges a fill that is %s by the price that a later report tells', (position, gained) => {
    const watch = watchOf();
    // Said to be at 0.50 and really at 0.48; whoever is short at 0.48 sold long at 0.52.
    watch.filled(fillOf(50, 10, { orderId: orderId(7), position }), at(0));
    watch.filled(fillOf(50, 10, { orderId: orderId(8), position }), at(1));
    watch.filled(fillOf(0, 0, { orderId: orderId(7), position, amount: money(-200_000) }), at(2));
    watch.filled(fillOf(0, 0, { orderId: orderId(9), position, amount: money(900_000) }), at(2));
    watch.marked(HERE, 4_850, at(5));
    expect(watch.countOf(HERE)).toMatchObject({ fills: 1, shares: 1_000, gained });
  });

  it('waits while nobody knows the mid', () => {
    const watch = watchOf();
    watch.filled(fillOf(50, 10), at(0));
    watch.filled(fillOf(50, 10), at(0));
    expect(watch.marked(HERE, null, at(60))).toBeNull();
    expect(watch.marked(HERE, 4_000, at(61))?.kind).toBe('reduced');
  });

  it('goes on in another run where it was', () => {
    const watch = watchOf();
    twoFills(watch, 4_000, 0);
    expect(watch.stops()).toEqual([{ marketId: HERE, level: 'reduced' }]);
    const next = watchOf();
    for (const stop of watch.stops()) next.restore(stop);
    expect(next.restriction(HERE)).toEqual(watch.restriction(HERE));
    expect(twoFills(next, 4_000, 10)).toContainEqual(expect.objectContaining({ kind: 'stopped' }));
    const unlimited = watchOf(null);
    unlimited.restore({ marketId: HERE, level: 'stopped' });
    expect(unlimited.restriction(HERE)).toBe(UNRESTRICTED);
  });

  it('is over when a person resumes, and absent where no limit is stated', () => {
    const watch = watchOf();
    twoFills(watch, 4_000, 0);
    twoFills(watch, 4_000, 10);
    watch.resume();
    expect(watch.restriction(HERE)).toBe(UNRESTRICTED);
    expect(twoFills(watchOf(null), 0, 0)).toEqual([null, null]);
  });
});

describe('a restart', () => {
  it('judges together what was filled before it and after', () => {
    const before = watchOf();
    before.filled(fillOf(50, 10), at(0));
    before.filled(fillOf(50, 10), at(2));
    before.marked(HERE, 4_850, at(5));
    const count = before.countOf(HERE);
    expect(count).toEqual({ marketId: HERE, through: at(0), fills: 1, shares: 1_000, gained: -150_000 });
    const after = watchOf();
    after.recount(count);
    after.filled(fillOf(50, 10), at(2));
    expect(after.dueAt(HERE)).toBe(at(7));
    expect(after.marked(HERE, 4_850, at(8))).toEqual(before.marked(HERE, 4_850, at(8)));
    expect(after.restriction(HERE)).toMatchObject({ size: 0.5 });
  });

  it('still finds the fill whose price is told better only after it, and no other', () => {
    const told = fillOf(0, 0, { orderId: orderId(7), amount: money(-200_000) });
    const fills = [7, 8].map((order) => fillOf(50, 10, { orderId: orderId(order) }));
    const after = watchOf();
    fills.forEach((fill, second) => after.filled(fill, at(second)));
    after.filled(told, at(2));
    after.marked(HERE, 5_000, at(5));
    expect(after.countOf(HERE)).toMatchObject({ fills: 1, gained: 200_000 });
    const judgedBefore = watchOf();
    judgedBefore.filled(fills[1]!, at(1));
    judgedBefore.filled(told, at(2));
    judgedBefore.marked(HERE, 5_000, at(6));
    expect(judgedBefore.countOf(HERE)).toMatchObject({ fills: 1, gained: 0 });
  });

  it('counts nothing where there is no limit any more', () => {
    const watch = watchOf(null);
    watch.recount({ marketId: HERE, through: at(0), fills: 1, shares: 1_000, gained: -150_000 });
    expect(watch.countOf(HERE)).toMatchObject({ fills: 0 });
  });
});
