import { describe, expect, it } from 'vitest';
import { OthersSide } from '../../../../src/storage/tape-market/market-reading.js';
import type { Levels } from '../../../../src/domain/levels.js';
import type { PriceUnits, Shares } from '../../../../src/domain/units.js';

const shown = (...levels: readonly (readonly [number, number])[]): Levels => ({
  prices: levels.map(([price]) => price as PriceUnits),
  shares: levels.map(([, shares]) => shares as Shares),
});
const NONE: ReadonlyMap<number, number> = new Map();
const levels = (side: OthersSide) => side.levels.map(({ price, shares }) => [price, shares]);

describe('one side without our own shares', () => {
  it('lacks what is ours, and the level where nobody else stands', () => {
    const bids = new OthersSide('bid');
    bids.show(shown([4_800, 100], [4_700, 250]), new Map([[4_800, 100], [4_700, 50]]), 5); // prettier-ignore
    expect(levels(bids)).toEqual([[4_700, 200]]);
  });

  it('never holds less than nothing', () => {
    const bids = new OthersSide('bid');
    bids.show(shown([4_800, 30]), new Map([[4_800, 100]]), 5);
    expect(levels(bids)).toEqual([]);
  });

  it('keeps a level that ours pushed out of sight', () => {
    const asks = new OthersSide('ask');
    asks.show(shown([5_300, 10], [5_400, 20]), NONE, 2);
    asks.show(shown([5_200, 7], [5_300, 10]), new Map([[5_200, 7]]), 2);
    expect(levels(asks)).toEqual([
      [5_300, 10],
      [5_400, 20],
    ]);
  });

  it('loses the levels behind the last one of a side that is shown whole', () => {
    const asks = new OthersSide('ask');
    asks.show(shown([5_300, 10], [5_400, 20]), NONE, 3);
    asks.show(shown([5_300, 10]), NONE, 3);
    expect(levels(asks)).toEqual([[5_300, 10]]);
  });

  it('holds what we took from it until it grows', () => {
    const asks = new OthersSide('ask');
    asks.show(shown([5_300, 100]), NONE, 5);
    asks.take(5_300 as PriceUnits, 30 as Shares);
    asks.show(shown([5_300, 70]), NONE, 5);
    expect(levels(asks)).toEqual([[5_300, 100]]);
    asks.show(shown([5_300, 60]), NONE, 5);
    expect(levels(asks)).toEqual([[5_300, 90]]);
    asks.show(shown([5_300, 80]), NONE, 5);
    expect(levels(asks)).toEqual([[5_300, 80]]);
  });

  it('tells of each level what it was and what it is, best first', () => {
    const bids = new OthersSide('bid');
    bids.show(shown([4_700, 100]), NONE, 5);
    expect(bids.show(shown([4_800, 5], [4_700, 60]), NONE, 5)).toEqual([
      { price: 4_800, before: 0, after: 5 },
      { price: 4_700, before: 100, after: 60 },
    ]);
  });
});
