/** Book levels of both sources: realtime top-N and REST. */
import type { Levels } from '../../domain/inputs.js';
import type { PriceUnits, Shares } from '../../domain/units.js';
import type { Side } from '../../domain/vocabulary.js';
import { readPrice, readShares } from '../decimals.js';
import { PlacementError } from './placed.js';

interface WireLevel {
  readonly price: number;
  readonly total_shares: number;
}

/**
 * Levels best first. Shares finer than 0.01 are floored; a level that is empty then is left out.
 * @throws PlacementError when prices are not strictly from best to worst
 */
export function readLevels(side: Side, levels: readonly WireLevel[]): Levels {
  const prices: PriceUnits[] = [];
  const shares: Shares[] = [];
  let previous: number = side === 'bid' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const level of levels) {
    const price = readPrice(level.price, side);
    if (side === 'bid' ? price >= previous : price <= previous)
      throw new PlacementError(`${side}: levels out of order`);
    previous = price;
    const amount = readShares(level.total_shares, side, 'floor');
    if (amount === 0) continue;
    prices.push(price);
    shares.push(amount);
  }
  return { prices, shares };
}
