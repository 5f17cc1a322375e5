import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderIndex } from '../../../src/exchange/matching/order-index.js';
import { OrderRecords } from '../../../src/exchange/matching/order-records.js';

/** The index and a map that holds the same. */
class Pair {
  readonly records = new OrderRecords(32, 1);
  readonly index = new OrderIndex(this.records, 1);
  readonly map = new Map<number, number>();
}

const MOVES = {
  insert: ({ records, index, map }: Pair, id: number): void => {
    const record = records.create(id, 0);
    expect(index.insert(id, record)).toBe(!map.has(id));
    if (!map.has(id)) map.set(id, record);
  },
  remove: ({ index, map }: Pair, id: number): void => {
    expect(index.remove(id)).toBe(map.get(id) ?? 0);
    map.delete(id);
  },
  find: ({ index, map }: Pair, id: number): void => {
    expect(index.find(id)).toBe(map.get(id) ?? 0);
  },
};

/** Few enough ids to meet again, of every sign and size; a small table makes them share chains. */
const id = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.constantFrom(2 ** 31 - 1, -(2 ** 31)));
const move = fc.constantFrom<(keyof typeof MOVES)[]>('insert', 'insert', 'remove', 'find');

describe('the index of orders', () => {
  it('answers as a map does, however it grows', () => {
    const steps = fc.array(fc.tuple(move, id), { maxLength: 200, size: 'max' });
    const property = fc.property(steps, (list) => {
      const pair = new Pair();
      for (const [name, which] of list) MOVES[name](pair, which);
      expect(pair.index.size).toBe(pair.map.size);
      for (const [which, record] of pair.map) expect(pair.index.find(which)).toBe(record);
    });
    fc.assert(property, { numRuns: 200 });
  });
});
