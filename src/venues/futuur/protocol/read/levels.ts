/** Book levels of both sources: realtime top-N and REST. */
import type { Levels } from '../../../../domain/levels.js';
import type { PriceUnits, Shares } from '../../../../domain/units.js';
import type { Side } from '../../../../domain/vocabulary.js';
import { readPrice, readShares } from '../decimals.js';
import { PlacementError } from './placed.js';

interface WireLevel {
  readonly price: number;
  readonly total_shares: number;
}

/**
 * Levels best first. The levels are absolute, so one that stands out of order is put in its place. Shares finer
 * than 0.01 are floored; a level that is empty then is left out.
 * @throws PlacementError when a price occurs twice; DecimalError when it is off the grid of 0.0001
 */
export function readLevels(side: Side, wire: readonly WireLevel[]): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  for (const level of bestFirst(side, wire)) {
    const amount = readShares(level.total_shares, side, 'floor');
    if (amount === 0) continue;
    prices.push(readPrice(level.price, side));
    shares.push(amount);
  }
  return { prices, shares };
}

/** Best level first, each price once; the very array when it was so already. @throws PlacementError */
export function bestFirst<Level extends WireLevel>(side: Side, levels: readonly Level[]): readonly Level[] {
  if (isStrictlyWorsening(side, levels)) return levels;
  const sorted = levels.toSorted((left, right) =>
    side === 'bid' ? right.price - left.price : left.price - right.price,
  );
  if (isStrictlyWorsening(side, sorted)) return sorted;
  throw new PlacementError(`${side}: a price stands twice`);
}

function isStrictlyWorsening(side: Side, levels: readonly WireLevel[]): boolean {
  for (let index = 1; index < levels.length; index++) {
    const step = levels[index]!.price - levels[index - 1]!.price;
    if (side === 'bid' ? step >= 0 : step <= 0) return false;
  }
  return true;
}
