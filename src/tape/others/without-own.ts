import type { Levels } from '../../domain/inputs.js';
import type { PriceUnits, Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import type { OwnShares } from './standing-orders.js';

/** One side of a book without the shares of whoever recorded it. */
export interface OthersSide {
  readonly levels: Levels;
  /** Levels that were nobody else's and are left out. */
  readonly emptied: number;
}

/** Takes own shares off the levels of a side, at most what a level shows. */
export function withoutOwn(levels: Levels, side: Side, own: readonly OwnShares[]): OthersSide {
  const ours = own.filter((one) => one.side === side);
  if (ours.length === 0) return { levels, emptied: 0 };
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  levels.prices.forEach((price, at) => {
    const left = levels.shares[at]! - sharesAt(ours, price);
    if (left <= 0) return;
    prices.push(price);
    shares.push(left as Shares);
  });
  return { levels: { prices, shares }, emptied: levels.prices.length - prices.length };
}

const sharesAt = (own: readonly OwnShares[], price: number): number =>
  own.reduce((sum, one) => (one.price === price ? sum + one.shares : sum), 0);
