import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderIndex } from '../../../src/exchange/matching/order-index.js';
import { OrderRecords } from '../../../src/exchange/matching/order-records.js';

/** The index and a map that holds the same. */
class Pair {
  readonly records = new OrderRecords(32);
  readonly index = new OrderIndex(this.records, 1);
  map = new Map<number, number>();
}

const MOVES = {
  insert: (pair: Pair, id: number): void => {
    const { records, index, map } = pair;
    if (index.isFull) pair.map = grown(pair);
    const record = index.insert(id);
    expect(record === 0).toBe(map.has(id));
    if (record === 0) return;
    expect([...pair.map.values()]).not.toContain(record);
    records.give(record, id);
    pair.map.set(id, record);
  },
  remove: ({ index, map }: Pair, id: number): void => {
    expect(index.find(id)).toBe(map.get(id) ?? 0);
    if (map.has(id)) index.remove(map.get(id)!);
    map.delete(id);
  },
  find: ({ index, map }: Pair, id: number): void => {
    expect(index.find(id)).toBe(map.get(id) ?? 0);
  },
};

/** Lets the index grow. @returns where it says the records are now */
function grown({ records, index, map }: Pair): Map<number, number> {
  const places = Array.from(map, ([id, record]) => [id, records.place(record)] as const);
  const moved = index.grow();
  return new Map(places.map(([id, place]) => [id, moved[place]!]));
}

/** Undoes the multiplication of the hash: its multiples hash to 0, 1, 2 and so on, all in the first bucket. */
const INVERSE = 0x0e8b2f51;
/** Few enough ids to meet again, of every sign and size; and some that share a bucket, a tag or both. */
const id = fc.oneof(
  fc.integer({ min: -40, max: 40 }),
  fc.constantFrom(2 ** 31 - 1, -(2 ** 31)),
  fc.integer({ min: 0, max: 600 }).map((hash) => Math.imul(hash, INVERSE)),
  fc.integer({ min: 0, max: 30 }).map((hash) => Math.imul(hash << 16, INVERSE)),
);
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

  it('holds more orders of one bucket than a byte counts, and lets go of them', () => {
    const pair = new Pair();
    const ids = Array.from({ length: 700 }, (_, hash) => Math.imul(hash, INVERSE));
    for (let round = 0; round < 2; round++) {
      for (const which of ids) MOVES.insert(pair, which);
      for (const which of ids.filter((_, at) => at % 3 !== round)) MOVES.remove(pair, which);
      for (const which of ids) MOVES.find(pair, which);
    }
    for (const which of ids) MOVES.remove(pair, which);
    expect(pair.index.size).toBe(0);
    for (const which of ids) MOVES.find(pair, which);
  });
});
