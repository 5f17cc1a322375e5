import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../../src/domain/units.js';
import { LastMinute } from '../../../../../src/core/engine/accounting/tally.js';

const MINUTE = 60_000_000;

describe('what happened within the last minute', () => {
  it('is what adding up all of it says', () => {
    const happening = fc.record({
      after: fc.integer({ min: 0, max: 400_000 }),
      count: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(happening, { minLength: 1, maxLength: 1_500, size: 'max' }), (happenings) => {
        const last = new LastMinute();
        const all: { at: number; count: number }[] = [];
        let now = MINUTE;
        for (const { after, count } of happenings) {
          now += after;
          last.add(count, now as Micros);
          all.push({ at: now, count });
          const young = all.filter(({ at }) => at > now - MINUTE);
          expect(last.count(now as Micros)).toBe(young.reduce((sum, one) => sum + one.count, 0));
        }
      }),
      { numRuns: 5 },
    );
  });

  it('falls to fewer when the oldest are a minute old, and to none a minute from now', () => {
    const last = new LastMinute();
    const now = 200_000_000;
    for (const [count, at] of [
      [9, 130],
      [2, 150],
      [2, 160],
      [1, 160],
      [3, 190],
    ] as const)
      last.add(count, (at * 1_000_000) as Micros);
    const falls = (limit: number): number => last.fallsTo(limit, now as Micros) / 1_000_000;
    expect([7, 6, 5, 3, 2, 0].map(falls)).toEqual([210, 210, 220, 220, 250, 250]);
    expect(falls(-1)).toBe(260);
  });
});
