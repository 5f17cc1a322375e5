import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MarketId } from '../../../src/domain/ids.js';
import { MarketNumbers } from '../../../src/domain/market-numbers.js';
import { MarketTable } from '../../../src/domain/market-table.js';

/** Mostly close together, as a venue counts; some far away. */
const id = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 5_000, max: 7_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
  { weight: 1, arbitrary: fc.maxSafeNat() },
);
const act = fc.record({ id, value: fc.option(fc.nat(9), { freq: 4 }) });

it('a table of markets holds what a map would', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 300, size: 'max' }), fc.array(id), (acts, others) => {
      const table = new MarketTable<number>();
      const map = new Map<number, number>();
      for (const { id: market, value } of acts) {
        if (value === null) table.delete(market as MarketId);
        else table.set(market as MarketId, value);
        if (value === null) map.delete(market);
        else map.set(market, value);
      }
      for (const market of [...acts.map((one) => one.id), ...others, -1, 0])
        expect(table.get(market as MarketId)).toBe(map.get(market));
    }),
    { numRuns: 500 },
  );
});

it('numbers of markets are what a map would hold', () => {
  const given = fc.tuple(id, fc.integer({ min: 0, max: 2 ** 31 - 1 }));
  fc.assert(
    fc.property(fc.array(given, { maxLength: 300, size: 'max' }), fc.array(id), (acts, others) => {
      const numbers = new MarketNumbers();
      for (const [market, number] of acts) numbers.set(market as MarketId, number);
      const map = new Map(acts);
      for (const market of [...map.keys(), ...others, -1, 0])
        expect(numbers.get(market as MarketId)).toBe(map.get(market));
    }),
    { numRuns: 500 },
  );
});
