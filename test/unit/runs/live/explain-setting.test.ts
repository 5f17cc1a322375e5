import { expect, test } from 'vitest';
import { settingOf } from '../../../../src/runs/explain/order-story.js';
import { BookPane } from '../../../../src/core/engine/quoting/book-view.js';
import type { MarketLook } from '../../../../src/core/engine/observing/observer.js';
import type { ForeignBook } from '../../../../src/core/mirror/books/foreign-book.js';

type Levels = readonly (readonly [tick: number, shares: number])[];

/** A book in cents as the mirror gives it to a pane. */
const bookOf = (bids: Levels, asks: Levels, hidden: boolean): ForeignBook => {
  const side = (levels: Levels) => ({
    count: levels.length,
    hidden,
    tick: (at: number) => levels[at]![0],
    shares: (at: number) => levels[at]![1] * 100,
  });
  return { bids: side(bids), asks: side(asks), ageMs: 4 } as unknown as ForeignBook;
};

test('what the strategy saw stays as it was, whatever its book shows later', () => {
  const pane = new BookPane();
  const early = bookOf([[50, 20], [49, 10], [47, 5]], [[52, 30]], false); // prettier-ignore
  const book = pane.show(early, 100);
  const inventory = { long: 0, short: 0, net: 0, cashFree: 100 };
  const look = {
    owner: { instance: { name: 'rain', strategy: { name: 'fixed-spread' }, parameters: {} } },
    context: { book, inventory, fair: null, working: [] },
  } as unknown as MarketLook;

  const setting = settingOf(look);
  pane.show(bookOf([[42, 51]], [[49, 20], [50, 46]], true), 100); // prettier-ignore

  expect(setting).toMatchObject({
    bids: [
      { price: 0.5, shares: 20 },
      { price: 0.49, shares: 10 },
      { price: 0.47, shares: 5 },
    ],
    asks: [{ price: 0.52, shares: 30 }],
    hidden: { bids: false, asks: false },
  });
});
