import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Series, ThinnedList } from '../../../src/analytics/series.js';
import { micros } from '../../../src/domain/units.js';

const GRID = { startedAt: micros(1_000), widthMicros: 10, buckets: 8 };

const steps = fc
  .array(
    fc.record({
      at: fc.integer({ min: 1_000, max: 3_000 }),
      value: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(Number.NaN)),
    }),
    { minLength: 1, maxLength: 50 },
  )
  .map((list) => list.toSorted((a, b) => a.at - b.at));

type Step = { readonly at: number; readonly value: number };

/** Changes alone, as the series sees them; what is replaced at the time at which it came never held. */
const changes = (list: readonly Step[]): readonly Step[] =>
  list
    .filter((step, index) => step.at !== list[index + 1]?.at)
    .filter((step, index, held) => index === 0 || !Object.is(step.value, held[index - 1]!.value));

/** All changes of a bucket, and what held at its beginning. */
function bucketOf(list: readonly Step[], from: number, to: number) {
  const inside = list.filter(({ at }) => at >= from && at < to);
  const before = list.findLast(({ at }) => at < from);
  const values = [...(before === undefined ? [] : [before.value]), ...inside.map(({ value }) => value)];
  const known = values.filter((value) => !Number.isNaN(value));
  const orNull = (value: number) => (known.length === 0 ? null : value);
  const last = inside.at(-1)?.value ?? Number.NaN;
  return {
    isEmpty: inside.length === 0,
    min: orNull(Math.min(...known)),
    max: orNull(Math.max(...known)),
    last: Number.isNaN(last) ? null : last,
  };
}

describe('a series', () => {
  it('is what one makes who has all values at hand, at whatever width it came to', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const series = new Series(GRID);
        for (const { at, value } of list) series.record(micros(at), value);
        const { widthMicros, bucket, min, max, last } = series.columns(1);
        const all = changes(list);
        const end = Math.ceil((list.at(-1)!.at - 1_000 + 1) / widthMicros);
        const slow = Array.from({ length: end }, (_, index) =>
          bucketOf(all, 1_000 + index * widthMicros, 1_000 + (index + 1) * widthMicros),
        );
        expect(bucket).toEqual(slow.flatMap(({ isEmpty }, index) => (isEmpty ? [] : [index])));
        bucket.forEach((index, nth) => {
          const { min: least, max: most, last: final } = slow[index]!;
          expect([min[nth], max[nth], last[nth]]).toEqual([least, most, final]);
        });
        expect(bucket.at(-1)!).toBeLessThan(GRID.buckets);
      }),
    );
  });
});

describe('a thinned list', () => {
  it('keeps every n-th, n a power of two, and never more than there is room for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), (count) => {
        const list = new ThinnedList<number>(16);
        for (let item = 0; item < count; item++) list.add(item);
        expect(list.items).toEqual(
          Array.from({ length: Math.ceil(count / list.every) }, (_, index) => index * list.every),
        );
        expect(list.items.length).toBeLessThan(17);
        expect(Math.log2(list.every) % 1).toBe(0);
      }),
    );
  });
});
