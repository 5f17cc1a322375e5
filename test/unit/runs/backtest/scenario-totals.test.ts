import { describe, expect, it } from 'vitest';
import { endLines, type ScenarioTotals } from '../../../../src/runs/backtest/scenario-totals.js';

const CLEAN: ScenarioTotals = {
  scenario: 'pessimistic',
  outcome: 'clean',
  fills: 1,
  shares: 1,
  fees: 0,
  profit: 1,
  openValue: 0,
  openShares: 0,
  inputs: 1,
  decisions: { count: 0, hash: '' },
};

describe('what is said of how scenarios ended', () => {
  it('is nothing when all ended clean and flat', () => {
    expect(endLines([CLEAN])).toEqual([]);
  });

  it('is what is still held and what did not end clean, by scenario', () => {
    const held = { ...CLEAN, openShares: 5, openValue: 2.5 };
    const stuck = { ...CLEAN, scenario: 'optimistic', outcome: 'orders-may-remain' } as const;
    expect(endLines([held, stuck])).toEqual([
      'the run did not end clean: orders-may-remain (optimistic)',
      'not sold at the end, counted at what the book would pay: 5.00 shares at 2.50 (pessimistic)',
    ]);
  });

  it('is what is still held where nobody would pay anything for it', () => {
    const held = { ...CLEAN, openShares: 10 };
    expect(endLines([held])).toEqual([
      'not sold at the end, counted at what the book would pay: 10.00 shares at 0.00 (pessimistic)',
    ]);
  });
});
