import { describe, expect, it } from 'vitest';
import type { Levels } from '../../../../../src/domain/levels.js';
import { priceUnits, shares } from '../../../../../src/domain/units.js';
import { BookLevels, CONDITION, fingerprint } from '../../../../../src/core/mirror/books/book-levels.js';
import { BookMemory } from '../../../../../src/core/mirror/books/book-memory.js';
import { levels } from '../../../../support/mirror/mirror-driver.js';

const booksOf = (tickUnits: number, depth = 5, markets = 1): { memory: BookMemory; book: BookLevels } => {
  const memory = new BookMemory(depth, 1);
  for (let market = 0; market < markets; market++) memory.add(tickUnits);
  return { memory, book: new BookLevels(memory) };
};

describe('levels in memory', () => {
  it('an empty book is sound once it was written', () => {
    const { book } = booksOf(100);
    expect(book.condition(0)).toBe(CONDITION.unread);
    expect(book.write(0, levels(), levels(), 5)).toBe(true);
    expect(book.condition(0)).toBe(CONDITION.sound);
    expect(book.write(0, levels(), levels(), 5)).toBe(false);
  });

  it.each([
    1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 125, 200, 250, 400, 500, 625, 1_000, 1_250, 2_000, 2_500,
  ])('every price on a grid of %i price units is exact, every other one is refused', (tickUnits) => {
    const { book } = booksOf(tickUnits);
    for (let price = 1; price < 10_000; price++) {
      const bids: Levels = { prices: [priceUnits(price)], shares: [shares(1)] };
      book.write(0, bids, levels(), 5);
      const isOnGrid = price % tickUnits === 0;
      expect(book.condition(0)).toBe(isOnGrid ? CONDITION.sound : CONDITION.offGrid);
      expect(isOnGrid ? book.tick(0, 'bid', 0) * tickUnits : price).toBe(price);
    }
  });

  it('each market has its own grid, also when markets take turns', () => {
    const memory = new BookMemory(5, 3);
    const grids = [100, 50, 2_500];
    for (const grid of grids) memory.add(grid);
    const book = new BookLevels(memory);
    const write = (market: number, price: number): number => {
      book.write(market, { prices: [priceUnits(price)], shares: [shares(1)] }, levels(), 5);
      return book.condition(market) === CONDITION.sound ? book.tick(market, 'bid', 0) : NaN;
    };
    const { length } = grids;
    const turns = Array.from({ length: 2 * length }, (_, turn) => turn % length);
    expect(turns.map((market) => write(market, 5_000))).toEqual([50, 100, 2, 50, 100, 2]);
    expect(turns.map((market) => write(market, 5_050))).toEqual([NaN, 101, NaN, NaN, 101, NaN]);
  });

  it.each([0, -100, 10_000, 10_100, 2 ** 32 + 4_800, 4_800.5, NaN])(
    'a price of %d is in no book, whichever side and level it is on',
    (price) => {
      const { book } = booksOf(100);
      const sides = (first: number, second: number): Levels =>
        ({ prices: [first, second], shares: [100, 100] }) as unknown as Levels;
      for (const [bids, asks] of [
        [sides(price, 4_700), levels()],
        [sides(4_800, price), levels()],
        [levels(), sides(price, 5_300)],
        [levels(), sides(5_200, price)],
      ] as const) {
        book.write(0, bids, asks, 5);
        expect(book.condition(0)).toBe(CONDITION.offGrid);
      }
    },
  );

  it('keeps share counts beyond 32 bits exactly', () => {
    const many: Levels = { prices: [priceUnits(4_800)], shares: [shares(2 ** 52 + 1)] };
    const { book } = booksOf(100);
    book.write(0, many, levels(), 5);
    expect(book.shares(0, 'bid', 0)).toBe(2 ** 52 + 1);
  });

  it('keeps no more levels than its depth', () => {
    const { book } = booksOf(100, 2);
    book.write(0, levels([48, 1], [47, 1], [46, 1]), levels([52, 1]), 5);
    expect([book.count(0, 'bid'), book.covered(0)]).toEqual([2, 2]);
  });

  it('a market written does not touch its neighbours, and growing keeps all', () => {
    const { memory, book } = booksOf(100, 5, 3);
    for (const market of [0, 1, 2]) book.write(market, levels([10 + market, 1]), levels(), 5);
    for (let market = 3; market < 100; market++) memory.add(100);
    expect([0, 1, 2].map((market) => book.tick(market, 'bid', 0))).toEqual([10, 11, 12]);
    expect(book.condition(99)).toBe(CONDITION.unread);
  });

  it('keeps numbers of shares beyond 31 bits, next to others and after a smaller one', () => {
    const { book } = booksOf(100);
    const [large, larger] = [2 ** 31, 2 ** 40];
    book.write(0, levels([48, 7], [47, large / 100]), levels([52, larger / 100]), 5);
    expect([book.shares(0, 'bid', 0), book.shares(0, 'bid', 1)]).toEqual([700, large]);
    expect(book.shares(0, 'ask', 0)).toBe(larger);
    expect(book.write(0, levels([48, 7], [47, large / 100]), levels([52, larger / 100]), 5)).toBe(false);
    expect(book.write(0, levels([48, 7], [47, 1]), levels([52, larger / 100]), 5)).toBe(true);
    expect(book.shares(0, 'bid', 1)).toBe(100);
  });

  it('takes two lines of the cache a market', () => {
    expect(new BookMemory(5, 1).bytesPerBook).toBe(2 * 64);
  });
});

describe('the fingerprint of a book', () => {
  it('is the same for what was written and for a read that shows it', () => {
    const { book } = booksOf(100, 2);
    const [bids, asks] = [levels([48, 3], [47, 2], [46, 1]), levels([52, 1])];
    book.write(0, bids, asks, 2);
    expect(book.fingerprint).toBe(fingerprint(bids, asks, 2));
  });

  it('tells apart sides, prices, shares, order and number of levels', () => {
    const [one, two] = [levels([48, 3]), levels([48, 3], [47, 2])];
    const books: [Levels, Levels][] = [
      [one, levels()],
      [levels(), one],
      [two, levels()],
      [levels([47, 3]), levels()],
      [levels([48, 4]), levels()],
      [levels([48, 2], [47, 3]), levels()],
      [{ prices: one.prices, shares: [shares(300 + 2 ** 32)] }, levels()],
      [levels(), levels()],
    ];
    expect(new Set(books.map(([bids, asks]) => fingerprint(bids, asks, 5))).size).toBe(books.length);
  });
});
