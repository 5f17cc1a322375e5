import type { Shares, Ticks } from '../../../src/domain/units.js';
import type { Side } from '../../../src/domain/vocabulary.js';
import { OwnLevels } from '../../../src/core/mirror/books/foreign-book.js';

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
