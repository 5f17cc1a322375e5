import type { Shares, Ticks } from '../../../src/domain/units.js';
import type { Side } from '../../../src/domain/vocabulary.js';
import { OwnLevels, type OwnLevel as LevelOfOurs } from '../../../src/core/mirror/books/foreign-book.js';

/** What one of our own orders shows in a book, in long-side terms. */
export interface OwnLevel {
  readonly side: Side;
  readonly price: Ticks;
  readonly shares: Shares;
  readonly spared: Shares;
}

export function ownLevels(...levels: readonly OwnLevel[]): OwnLevels {
  const own = new OwnLevels();
  for (const { side, price, shares, spared } of levels) own.add(side, price, shares, spared);
  return own;
}

/** Every level of a side: price in ticks, shares, and how many of those are spared. */
export const rowsOf = (side: readonly LevelOfOurs[]): (readonly [number, number, number])[] =>
  side.map(({ price, shares, spared }) => [price, shares, spared] as const);
