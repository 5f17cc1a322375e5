import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/domain/units.js';
import { Fifo, Numbered } from '../../../src/exchange/records.js';
import { PriceHistory } from '../../../src/exchange/markets/markets.js';
import { type DueItem, Schedule } from '../../../src/exchange/state.js';

describe('a price history', () => {
  test('is thinned in its older half when it grows too long', () => {
    const history = new PriceHistory();
    for (let second = 0; second < 30_000; second++) {
      history.record(
        (second * 1_000_000) as Micros,
        [{ prices: { play_money: second + 1, real_money: null } }],
        'play_money',
      );
    }
    expect(history.samples.length).toBeLessThanOrEqual(20_000);
    expect(history.samples[0]?.at).toBe(0);
    expect(history.samples.at(-1)).toEqual({ at: 29_999_000_000, prices: [30_000] });
    const latest = history.samples.slice(-5_000).map(({ at }) => at / 1_000_000);
    expect(latest).toEqual(Array.from({ length: 5_000 }, (_, at) => 25_000 + at));
  });

  test('remembers nothing where nobody asks', () => {
    const history = new PriceHistory(0);
    history.record(1_000_000 as Micros, [{ prices: { play_money: 1, real_money: null } }], 'play_money');
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
            expect(fifo.shift()).toBe(taken);
          }
        }
        expect(fifo.first()).toBe(taken < pushed ? taken : undefined);
        expect(fifo.last()).toBe(taken < pushed ? pushed - 1 : undefined);
        expect([...fifo]).toEqual(Array.from({ length: pushed - taken }, (_, at) => taken + at));
        expect(fifo.size).toBe(pushed - taken);
      }),
    );
  });
});

describe('what falls due', () => {
  test('does not pile up when it need not happen any more, and nothing else is lost', () => {
    const schedule = new Schedule();
    const item = (id: number): DueItem => ({ at: (1_000_000 - id) as Micros, kind: 'expire-order', id });
    const isStale = ({ id }: DueItem): boolean => id % 1_000 !== 0;
    for (let id = 0; id <= 20_000; id++) {
      schedule.add(item(id));
      schedule.drop(isStale);
    }
    expect(schedule.items().length).toBeLessThan(2_100);
    const left = schedule.items().filter((each) => !isStale(each));
    expect(left.map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, index) => 1_000 * (20 - index)));
  });
});

describe('records by number', () => {
  test('are found until they are forgotten, and no other number finds them', () => {
    const records = new Numbered<string>();
    for (let id = 1; id <= 5_000; id++) records.set(id, `record ${id}`);
    for (let id = 1; id <= 4_000; id++) if (id !== 1_500) records.forget(id);
    expect(records.get(1_500)).toBe('record 1500');
    expect(records.get(5_000)).toBe('record 5000');
    for (const id of [0, 1, 4_000, 5_001, 2 ** 32 + 4_500, 999_999_999_999_999])
      expect(records.get(id)).toBeUndefined();
    records.forget(1_500);
    expect(records.get(1_500)).toBeUndefined();
  });
});
