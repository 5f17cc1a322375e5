import { describe, expect, it } from 'vitest';
import type { Levels } from '../../../../../src/domain/levels.js';
import { micros, priceUnits, shares } from '../../../../../src/domain/units.js';
import { Book, BookHistory, MOST_KEPT } from '../../../../../src/core/mirror/books/book.js';
import { levels } from '../../../../support/mirror/mirror-driver.js';

const sides = (bids: Levels, asks: Levels = levels()) => ({ bids, asks });

describe('the levels of a book', () => {
  it('an empty book is sound once it was shown', () => {
    const book = new Book(100);
    expect(book.condition).toBe('unread');
    expect(book.show(sides(levels()), 5)).toBe(true);
    expect(book.condition).toBe('sound');
    expect(book.show(sides(levels()), 5)).toBe(false);
  });

  it.each([
    1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 125, 200, 250, 400, 500, 625, 1_000, 1_250, 2_000, 2_500,
  ])('every price on a grid of %i price units is exact, every other one is refused', (tickUnits) => {
    const book = new Book(tickUnits);
    const wrong: number[] = [];
    for (let price = 1; price < 10_000; price++) {
      book.show(sides({ prices: [priceUnits(price)], shares: [shares(1)] }), 5);
      const isOnGrid = price % tickUnits === 0;
      const isExact = !isOnGrid || book.tick('bid', 0)! * tickUnits === price;
      if (book.condition !== (isOnGrid ? 'sound' : 'off-grid') || !isExact) wrong.push(price);
    }
    expect(wrong).toEqual([]);
  });

  it.each([0, -100, 10_000, 10_100, 2 ** 32 + 4_800, 4_800.5, NaN])(
    'a price of %d is in no book, whichever side and level it is on',
    (price) => {
      const book = new Book(100);
      const two = (first: number, second: number): Levels =>
        ({ prices: [first, second], shares: [100, 100] }) as unknown as Levels;
      for (const [bids, asks] of [
        [two(price, 4_700), levels()],
        [two(4_800, price), levels()],
        [levels(), two(price, 5_300)],
        [levels(), two(5_200, price)],
      ] as const) {
        book.show(sides(bids, asks), 5);
        expect(book.condition).toBe('off-grid');
      }
    },
  );

  it.each<[string, Levels]>([
    ['out of order', levels([47, 1], [48, 1])],
    ['twice at one price', levels([48, 1], [48, 1])],
    ['without shares', levels([48, 0])],
  ])('are malformed %s', (_what, bids) => {
    const book = new Book(100);
    book.show(sides(bids), 5);
    expect(book.condition).toBe('malformed');
  });

  it('tell whether they changed, share counts beyond 32 bits included', () => {
    const book = new Book(100);
    const many = (count: number): Levels => ({ prices: [priceUnits(4_800)], shares: [shares(count)] });
    book.show(sides(many(2 ** 52 + 1)), 5);
    expect(book.show(sides(many(2 ** 52 + 1)), 5)).toBe(false);
    expect(book.show(sides(many(2 ** 52)), 5)).toBe(true);
  });

  it('are no more than the source covers', () => {
    const book = new Book(100);
    book.show(sides(levels([48, 1], [47, 1], [46, 1]), levels([52, 1])), 2);
    expect(book.bids.prices).toEqual([4_800, 4_700]);
    expect(book.covered).toBe(2);
  });
});

describe('the history of a book', () => {
  const at = (ms: number) => micros(1_800_000_000_000_000 + ms * 1_000);
  const [first, second, third] = [levels([48, 1]), levels([47, 1]), levels([46, 1])].map((bids) =>
    sides(bids),
  );

  it('recalls what the book showed at some time of the interval', () => {
    const history = new BookHistory();
    expect(history.recall(first!, at(0))).toBe('forgotten');
    history.note(first!, at(0));
    history.note(second!, at(10));
    history.note(third!, at(20));
    expect(history.recall(third!, at(30))).toBe('seen');
    // The second state was in force until 20.
    expect(history.recall(second!, at(20))).toBe('seen');
    expect(history.recall(second!, at(21))).toBe('unseen');
    expect(history.recall(first!, at(5))).toBe('seen');
    expect(history.recall(sides(levels([45, 1])), at(-1))).toBe('forgotten');
  });

  it('forgets everything when it begins anew', () => {
    const history = new BookHistory();
    history.note(first!, at(0));
    history.forget();
    expect([history.isEmpty, history.recall(first!, at(0))]).toEqual([true, 'forgotten']);
  });

  it('keeps half a minute, and never more than a bounded number of states', () => {
    const history = new BookHistory();
    history.note(first!, at(0));
    for (let second = 1; second <= 100; second += 1)
      history.note(sides(levels([second % 2 === 0 ? 40 : 41, second])), at(second * 1_000));
    expect(history.recall(sides(levels([40, 72])), at(72_500))).toBe('seen');
    expect(history.recall(first!, at(0))).toBe('forgotten');
    for (let change = 0; change < 2 * MOST_KEPT; change += 1)
      history.note(sides(levels([20, 1 + change])), at(100_001));
    expect(history.recall(sides(levels([40, 100])), at(100_000))).toBe('forgotten');
    expect(history.recall(sides(levels([20, 2 * MOST_KEPT])), at(100_001))).toBe('seen');
  });
});
