import * as fc from 'fast-check';
import { returns, untilRefreshed, untilVanished } from '../../../src/venues/simulated/models/liquidity.js';
import { describe, expect, it } from 'vitest';
import { MatchingBook } from '../../../src/exchange/matching/index.js';
import type { BookSide, BookSnapshot, ForeignOptions } from '../../../src/exchange/matching/index.js';
import { front, log, power, riskAverse } from '../../../src/venues/simulated/models/queue.js';
import type { BookCommand, BookPair } from '../../support/matching/book-pair.js';
import { bookPair, expectAlike, expectSame } from '../../support/matching/book-pair.js';
import type { LevelRow } from '../../support/matching/naive-book.js';

const MIN = 3;
/** Wide enough for several words of the bitmaps. */
const WIDE = 90;
/** Narrow enough that orders, lines and prints meet. */
const MAX = 12;
const tick = fc.integer({ min: MIN, max: MAX });
const wideTick = fc.integer({ min: MIN, max: WIDE });
const shares = fc.integer({ min: 1, max: 60 });
const large = fc.oneof(shares, fc.constantFrom(2 ** 30, 2 ** 31 - 1));
/** What takes may take more than any order has. */
const beyond = fc.oneof(shares, fc.constantFrom(2 ** 31, 2 ** 40 + 1));
const side = fc.constantFrom<BookSide[]>(0, 1);
const which = fc.nat();
const id = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).filter((any) => any !== 0);

type Numbers = fc.Arbitrary<number>;

function onOrders(tick: Numbers, shares: Numbers, taken = shares): fc.Arbitrary<BookCommand> {
  const priced = { side, tick, shares };
  const taking = { side, tick, shares: taken };
  const amount = {
    amount: fc.nat(3000),
    base: fc.integer({ min: 1, max: 3 }),
    perTick: fc.constantFrom(1, 2, 0),
  };
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('add' as const), id, ...priced }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const), ...taking }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('market' as const), side, shares: taken }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('amount' as const), ...taking, ...amount }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('reduce' as const), which, shares: taken }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('replace' as const), which, tick, shares }) },
  );
}

const DEPTH = 3;
/** A book line around a mid: per side the sizes of its levels outwards, zero for none. */
const line = fc
  .record({
    mid: fc.integer({ min: 6, max: 9 }),
    sizes: fc.tuple(fc.array(fc.nat(4), { maxLength: 6 }), fc.array(fc.nat(4), { maxLength: 6 })),
  })
  .map(({ mid, sizes }): BookCommand => {
    const rows = (sizes: readonly number[], direction: number): LevelRow[] =>
      sizes
        .map((size, at) => [mid + direction * (at + 1), size * 10] as const)
        .filter(([at, size]) => size > 0 && at >= MIN && at <= MAX)
        .slice(0, DEPTH);
    return { kind: 'book', bids: rows(sizes[0], -1), asks: rows(sizes[1], 1) };
  });
/** Few enough that one follows itself often. */
const repeated: fc.Arbitrary<BookCommand> = fc.constantFrom<BookCommand[]>(
  { kind: 'book', bids: [[6, 20]], asks: [[8, 30]] },
  {
    kind: 'book',
    bids: [
      [7, 10],
      [5, 30],
      [4, 10],
    ],
    asks: [
      [8, 30],
      [9, 20],
      [11, 10],
    ],
  },
);
const print = fc.record({ kind: fc.constant('print' as const), side, tick, shares });
const withOthers = fc.oneof(
  { weight: 3, arbitrary: onOrders(tick, shares) },
  { weight: 2, arbitrary: line },
  { weight: 1, arbitrary: repeated },
  { weight: 1, arbitrary: print },
);

const foreign: fc.Arbitrary<ForeignOptions> = fc.record({
  depth: fc.constant(DEPTH),
  queue: fc.constantFrom(riskAverse, power(1), power(3), log, front),
  consumption: fc.constantFrom(untilRefreshed, untilVanished, returns),
  crossing: fc.constantFrom('fill' as const, 'ignore' as const),
});

function expectEqual(pair: BookPair, commands: readonly BookCommand[]): void {
  for (const command of commands) {
    expectAlike(pair, command);
    expectSame(pair);
  }
}

describe('the matching book', () => {
  it('equals the naive book under any commands', () => {
    const commands = fc.array(onOrders(wideTick, large, beyond), { maxLength: 80, size: 'max' });
    const property = fc.property(commands, (list) => expectEqual(bookPair(MIN, WIDE), list));
    fc.assert(property, { numRuns: 500 });
  });

  it('equals the naive book with others in it, under any queue model', () => {
    const commands = fc.array(withOthers, { maxLength: 60, size: 'max' });
    const property = fc.property(foreign, commands, (options, list) => {
      expectEqual(bookPair(MIN, MAX, options), list);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('goes on from a snapshot as the original does', () => {
    const commands = fc.array(withOthers, { maxLength: 40, size: 'max' });
    const property = fc.property(foreign, commands, commands, (options, before, after) => {
      const pair = bookPair(MIN, MAX, options);
      expectEqual(pair, before);
      const text = JSON.stringify(pair.fast.snapshot());
      const restored = MatchingBook.restore(JSON.parse(text) as BookSnapshot, { foreign: options });
      expect(JSON.stringify(restored.snapshot())).toBe(text);
      expectEqual({ ...pair, fast: restored }, after);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
