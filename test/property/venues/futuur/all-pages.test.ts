import { array, assert, asyncProperty, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros } from '../../../../src/domain/units.js';
import { allPages } from '../../../../src/venues/futuur/rest/all-pages.js';

const change = record({
  leaving: array(integer({ min: 0, max: 300 }), { maxLength: 40 }),
  coming: integer({ min: 0, max: 5 }),
});

describe('a listing that changes while it is read', () => {
  it('contains every record that was there throughout, or is a failure', async () => {
    const scenario = record({
      count: integer({ min: 0, max: 300 }),
      size: integer({ min: 2, max: 60 }),
      changes: array(change, { maxLength: 12 }),
    });
    await assert(
      asyncProperty(scenario, async ({ count, size, changes }) => {
        let records = Array.from({ length: count }, (_, index) => index);
        const gone = new Set<number>();
        let pages = 0;
        const outcome = await allPages({
          keyOf: (id: number) => id,
          page(offset) {
            const items = records.slice(offset, offset + size);
            const nextOffset = offset + size < records.length ? offset + size : null;
            const { leaving = [], coming = 0 } = changes[pages++] ?? {};
            leaving.forEach((id) => gone.add(id));
            records = records.filter((id) => !gone.has(id));
            for (let extra = 0; extra < coming; extra++) records.push(1_000 * pages + extra);
            return Promise.resolve({ ok: true, value: { items, nextOffset }, sentAt: micros(pages) });
          },
        });
        const throughout = Array.from({ length: count }, (_, index) => index).filter((id) => !gone.has(id));
        const found = new Set(outcome.ok ? outcome.value : throughout);
        expect(throughout.filter((id) => !found.has(id))).toEqual([]);
      }),
    );
  });
});
