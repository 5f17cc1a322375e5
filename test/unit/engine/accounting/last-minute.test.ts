import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../../src/domain/units.js';
import { LastMinute } from '../../../../src/engine/accounting/last-minute.js';

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
});
