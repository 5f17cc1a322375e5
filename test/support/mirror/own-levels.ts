import type { Shares, Ticks } from '../../../src/domain/units.js';
import type { Side } from '../../../src/domain/vocabulary.js';
import { OwnLevels, type OwnSide } from '../../../src/core/mirror/books/own-levels.js';

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
export const rowsOf = (side: OwnSide): (readonly [number, number, number])[] =>
  Array.from({ length: side.count }, (_, at) => [side.price(at), side.shares(at), side.spared(at)] as const);
