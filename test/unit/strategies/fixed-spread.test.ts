import { bookOf, inventoryOf, marketOf } from 'oddsmith/sdk/testing';
import { describe, expect, it } from 'vitest';
import type { QuoteIntent, QuoteLevel } from '../../../src/domain/intent.js';
import type { ContextWithoutInstance } from '../../../src/core/strategy/context.js';
import fixedSpread from '../../../strategies/fixed-spread.js';
import { contextOf, instanceOf } from '../../support/bot/strategy-context.js';

function quote(
  parameters: Readonly<Record<string, unknown>>,
  context: Partial<ContextWithoutInstance> = {},
): QuoteIntent {
  const decision = instanceOf(fixedSpread, parameters).decide(contextOf(context));
  if (!decision.ok) throw new Error(decision.fault.text);
  return decision.intents[0]!;
}
const levels = (side: readonly QuoteLevel[]): readonly (readonly [number, number])[] =>
  side.map(({ price, shares }) => [price, shares / 100]);
const fairAt = (p: number, ageMs = 0) => ({ fair: { p, ageMs, confidence: 1 } });

describe('fixed-spread', () => {
  it('quotes both sides at the half-spread around fair', () => {
    const { bids, asks } = quote({ halfSpread: 0.02 }, fairAt(0.5));
    expect([levels(bids), levels(asks)]).toEqual([[[48, 10]], [[52, 10]]]);
  });

  it('rounds away from fair', () => {
    const { bids, asks } = quote({ halfSpread: 0.02 }, fairAt(0.505));
    expect([levels(bids), levels(asks)]).toEqual([[[48, 10]], [[53, 10]]]);
  });

  it('stacks levels outwards', () => {
    const { bids, asks } = quote({ halfSpread: 0.02, levels: 3, levelGap: 0.02 });
    expect(levels(bids)).toEqual([
      [48, 10],
      [46, 10],
      [44, 10],
    ]);
    expect(levels(asks)).toEqual([
      [52, 10],
      [54, 10],
      [56, 10],
    ]);
  });

  it('keeps the distance between levels when the first has to stay passive', () => {
    const { bids, asks } = quote({ levels: 2, levelGap: 0.02 }, { ...fairAt(0.6), book: bookOf(0.4, 0.5) });
    expect(levels(bids)).toEqual([
      [49, 10],
      [47, 10],
    ]);
    expect(levels(asks)).toEqual([
      [62, 10],
      [64, 10],
    ]);
  });

  it('quotes the levels that are on the grid', () => {
    const { bids, asks } = quote({ levels: 5, levelGap: 0.01 }, fairAt(0.04));
    expect(levels(bids)).toEqual([
      [2, 10],
      [1, 10],
    ]);
    expect(asks).toHaveLength(5);
    expect(quote({ halfSpread: 0.05 }, fairAt(0.03)).bids).toEqual([]);
  });

  it('cuts the level on which the bound of inventory is reached and leaves out the rest', () => {
    const parameters = { levels: 3, shares: 10, maxInventory: 100 };
    expect(levels(quote(parameters, { inventory: inventoryOf(85) }).bids)).toEqual([
      [48, 10],
      [47, 5],
    ]);
    expect(levels(quote(parameters, { inventory: inventoryOf(-95) }).asks)).toEqual([[52, 5]]);
  });

  it.each([100, 150])('stops buying at the bound and goes on selling: %s net shares', (net) => {
    const { bids, asks } = quote({ levels: 2, maxInventory: 100 }, { inventory: inventoryOf(net) });
    expect([bids.length, asks.length]).toEqual([0, 2]);
  });

  it.each([-100, -150])('stops selling at the bound and goes on buying: %s net shares', (net) => {
    const { bids, asks } = quote({ levels: 2, maxInventory: 100 }, { inventory: inventoryOf(net) });
    expect([bids.length, asks.length]).toEqual([2, 0]);
  });

  it('leaves out what would not reach the least amount', () => {
    const market = marketOf({ minAmount: 1 });
    const inventory = inventoryOf(98.5);
    expect(quote({ maxInventory: 100 }, { market, inventory }).bids).toEqual([]);
    expect(levels(quote({ maxInventory: 101 }, { market, inventory }).bids)).toEqual([[48, 2.5]]);
  });

  it('quotes nothing without a fair value or with one that is too old', () => {
    expect(quote({}, { fair: null })).toMatchObject({ bids: [], asks: [] });
    expect(quote({ maxFairAgeMs: 1_000 }, fairAt(0.5, 1_001))).toMatchObject({ bids: [], asks: [] });
    expect(quote({ maxFairAgeMs: 1_000 }, fairAt(0.5, 1_000)).bids).toHaveLength(1);
  });

  it('explains each price by steps that add up to it', () => {
    const { bids } = quote({ levels: 2 }, { ...fairAt(0.6), book: bookOf(0.4, 0.5) });
    expect(bids[1]?.reason.map(({ label }) => label)).toEqual(['fair', 'half-spread', 'level', 'passive']);
    expect(bids[1]?.reason.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(0.48, 9);
  });

  it('is stopped by a fair value that is no number', () => {
    const decision = instanceOf(fixedSpread).decide(contextOf(fairAt(NaN)));
    expect(decision).toMatchObject({ ok: false, fault: { code: 'not-a-number' } });
  });
});
