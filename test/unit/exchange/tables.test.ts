import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/domain/units.js';
import { Due, type DueItem } from '../../../src/exchange/due.js';
import { Fifo } from '../../../src/exchange/fifo.js';
import { OrderIds } from '../../../src/exchange/orders/order-ids.js';
import { OwnSide } from '../../../src/exchange/books/own-side.js';
import { PriceHistory } from '../../../src/exchange/books/price-history.js';
import { RingTable } from '../../../src/exchange/ring-table.js';

describe('a ring of rows', () => {
  test('keeps the latest rows and knows which they are', () => {
    const ring = new RingTable(2, 3);
    for (let row = 1; row <= 5; row++) ring.set(ring.append(), 1, row * 10);
    expect([ring.oldest, ring.last, ring.isFull]).toEqual([3, 5, true]);
    expect([3, 4, 5].map((row) => ring.get(row, 1))).toEqual([30, 40, 50]);
  });

  test('goes on where it was saved, also in a smaller one', () => {
    const ring = new RingTable(1, 5_000);
    for (let row = 1; row <= 3_000; row++) ring.set(ring.append(), 0, row);
    for (const keep of [5_000, 3_000, 700]) {
      const loaded = new RingTable(1, keep);
      loaded.load(ring.save());
      loaded.set(loaded.append(), 0, 3_001);
      const rows = Array.from({ length: 3_001 - loaded.oldest + 1 }, (_, at) => loaded.oldest + at);
      expect(rows.map((row) => loaded.get(row, 0))).toEqual(rows);
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(keep, 3_001) - 1);
    }
  });

  test('of nothing is refused', () => {
    expect(() => new RingTable(1, 0)).toThrow(/keeps 0 rows/);
  });
});

describe('finding orders by id', () => {
  test('finds whoever is still there, however old, and nobody else', () => {
    const moves = fc.array(fc.tuple(fc.nat(2), fc.nat(10_000)), { maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(moves, (steps) => {
        const at = new Map<number, number>();
        const ids = new OrderIds(8, (place) => at.has(-place));
        const whereOf = new Map<number, number>();
        let last = 0;
        let place = 0;
        for (const [kind, pick] of steps) {
          const known = [...whereOf.keys()];
          const id = known[pick % Math.max(known.length, 1)] ?? 0;
          const isWorking = (whereOf.get(id) ?? 0) > 0;
          if (kind === 0 || id === 0) {
            last += 1;
            at.set(1_000 + last, last);
            whereOf.set(last, 1_000 + last);
            ids.add(last, 1_000 + last);
          } else if (kind === 1 || isWorking) {
            const from = whereOf.get(id)!;
            place += 1;
            at.delete(from);
            at.set(-place, id);
            whereOf.set(id, -place);
            ids.end(id, -place, 100 + id);
          } else {
            at.delete(whereOf.get(id)!);
            whereOf.delete(id);
          }
        }
        for (let id = 1; id <= last; id++) {
          const where = whereOf.get(id) ?? 0;
          expect(ids.find(id)).toBe(where);
          const ending = where < 0 ? 100 + id : 0;
          expect(ids.ending(id)).toBeOneOf(id > last - 8 ? [ending] : [ending, 0]);
        }
      }),
    );
  });

  test('forgets elders that are gone', () => {
    let last = 0;
    const ids = new OrderIds(2, (place) => place > last - 100);
    for (let id = 1; id <= 10_000; id++) {
      last = id;
      ids.add(id, -id);
    }
    expect(ids.find(9_950)).toBe(-9_950);
    expect(ids.find(9_000)).toBe(0);
  });
});

describe('own orders of one side', () => {
  test.each([0, 1])('side %d stays sorted by price, then age', (side) => {
    const orders = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 20 }), fc.nat(1_000)), {
      maxLength: 200,
      size: 'max',
    });
    fc.assert(
      fc.property(orders, (steps) => {
        const own = new OwnSide(side);
        const rows: { row: number; tick: number }[] = [];
        const better = (a: number, b: number): number => (side === 0 ? b - a : a - b);
        for (const [at, [isNew, tick, pick]] of steps.entries()) {
          if (isNew || rows.length === 0) {
            own.add(at + 1, tick);
            rows.push({ row: at + 1, tick });
          } else {
            const [gone] = rows.splice(pick % rows.length, 1);
            own.remove(gone!.row, gone!.tick);
          }
          const sorted = rows.toSorted((a, b) => better(a.tick, b.tick) || a.row - b.row);
          expect(own.toArray()).toEqual(sorted.map(({ row }) => row));
          const crossed = sorted.filter((one) => better(one.tick, tick) <= 0);
          expect(own.countCrossed(tick)).toBe(crossed.length);
        }
      }),
    );
  });
});

describe('a price history', () => {
  test('is thinned in its older half when it grows too long', () => {
    const history = new PriceHistory();
    for (let second = 0; second < 30_000; second++) {
      history.record((second * 1_000_000) as Micros, [{ prices: [second + 1, null] }], 0);
    }
    expect(history.samples.length).toBeLessThanOrEqual(20_000);
    expect(history.samples[0]?.at).toBe(0);
    expect(history.samples.at(-1)).toEqual({ at: 29_999_000_000, prices: [30_000] });
    const latest = history.samples.slice(-5_000).map(({ at }) => at / 1_000_000);
    expect(latest).toEqual(Array.from({ length: 5_000 }, (_, at) => 25_000 + at));
  });

  test('remembers nothing where nobody asks', () => {
    const history = new PriceHistory(0);
    history.record(1_000_000 as Micros, [{ prices: [1, null] }], 0);
    expect(history.within('all_time', 2_000_000 as Micros)).toEqual([]);
  });
});

describe('first in, first out', () => {
  test('gives items back in their order, however many come and go', () => {
    const steps = fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(steps, (counts) => {
        const fifo = new Fifo<number>();
        let [pushed, taken] = [0, 0];
        for (const count of counts) {
          for (let step = 0; step < count; step++) fifo.push(pushed++);
          for (let step = 0; step > count && taken < pushed; step--, taken++) {
            expect(fifo.first()).toBe(taken);
            fifo.shift();
          }
        }
        expect(fifo.first()).toBe(taken < pushed ? taken : undefined);
      }),
    );
  });
});

describe('what falls due', () => {
  test('does not pile up when it need not happen any more, and nothing else is lost', () => {
    const due = new Due();
    const item = (id: number): DueItem => ({ at: (1_000_000 - id) as Micros, kind: 'expire-order', id });
    const isStale = (kept: number, { id }: DueItem): boolean => id % kept !== 0;
    for (let id = 0; id <= 20_000; id++) {
      due.schedule(item(id));
      due.drop(1_000, isStale);
    }
    expect(due.items().length).toBeLessThan(2_100);
    const left = due.items().filter((each) => !isStale(1_000, each));
    expect(left.map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, index) => 1_000 * (20 - index)));
  });
});
