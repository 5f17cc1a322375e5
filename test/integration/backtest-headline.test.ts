/** One headline: what the screen, the report, a sweep and a comparison say is one number. */
import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../src/analytics/comparison.js';
import type { BacktestResult } from '../../src/runs/backtest/run-backtest.js';
import { fixedQuotes } from '../support/backtest/fixed-quotes.js';
import { type Level, linesOfMarket } from '../support/tape/neutral-lines.js';

const M = linesOfMarket(3001);
const ASKS: readonly Level[] = [
  [0.52, 100],
  [0.53, 50],
];
const LATER: readonly Level[] = [
  [0.52, 100],
  [0.53, 51],
];
const begun = (bids: readonly Level[], asks = ASKS) => [
  M.book(0, bids, asks),
  M.book(500, bids, [...asks.slice(0, -1), [asks.at(-1)![0], 77]]),
  M.book(1_000, bids, asks),
];

/** 500 are bought at 0.48; then others show one share a level, and what stood below is not shown any more. */
const UNSEEN = [
  ...begun([
    [0.48, 100],
    [0.47, 400],
  ]),
  M.trade(5_000, 0.48, 600, 'ask'),
  M.book(
    5_000,
    [
      [0.47, 400],
      [0.46, 400],
    ],
    ASKS,
  ),
  ...[6_000, 9_000].map((t) =>
    M.book(
      t,
      [
        [0.5, 1],
        [0.49, 1],
      ],
      t === 6_000 ? ASKS : LATER,
    ),
  ),
];

/** Bought at 0.48 and, as short shares, sold at 0.52. */
const PAIRED = [
  ...begun([
    [0.48, 100],
    [0.47, 50],
  ]),
  M.trade(5_000, 0.48, 110, 'ask'),
  M.book(5_000, [[0.47, 50]], ASKS),
  M.trade(8_000, 0.52, 110, 'bid'),
  M.book(8_000, [[0.47, 50]], [[0.53, 50]]),
  M.book(20_000, [[0.4, 50]], [[0.6, 50]]),
];

const EMPTY = [
  ...begun([
    [0.48, 100],
    [0.47, 50],
  ]),
  M.trade(5_000, 0.48, 110, 'ask'),
  M.book(5_000, [[0.47, 4]], ASKS),
  M.book(10_000, [], ASKS),
  M.book(20_000, [], LATER),
];

const FEES =
  "exchange={ fees: { play_money: { taker: '0.01', maker: '-0.002' } }, accounts: [{ id: 1, username: a, email: 'a@b.org', publicKey: x, privateKey: y, balances: { OOM: '1000' } }], events: [{ id: 1, title: x, markets: [{ id: 11, title: y }] }] }";

function expectOneHeadline({ scenarios, analyses, headline }: BacktestResult): void {
  expect(scenarios.map(({ profit }) => profit)).toEqual(analyses.map(({ total }) => total.profit.executable));
  const { scenario, profit } = headlineOf(analyses, 'pessimistic');
  expect({ scenario, profit }).toEqual({ scenario: headline.scenario, profit: headline.profit });
}

describe('what is still held at the end', () => {
  it('is worth what others show, not what they showed before it fell out of sight', async () => {
    const result = await fixedQuotes(UNSEEN, 500, 'backtest.depth=2');
    expectOneHeadline(result);
    expect(result.headline.profit).toBeCloseTo(0.5 + 0.49 - 500 * 0.48, 9);
  });

  it('is sold level by level, less the fee of taking', async () => {
    const result = await fixedQuotes(UNSEEN, 500, 'backtest.depth=2', FEES);
    expectOneHeadline(result);
    expect(result.headline.profit).toBeCloseTo(0.99 - 2 * 0.01 - 500 * 0.478, 9);
  });

  it('counts one for a pair of long and short, whatever the book pays', async () => {
    const result = await fixedQuotes(PAIRED, 10, 'quoting.heldFirst=false');
    expectOneHeadline(result);
    expect(result.headline.profit).toBeCloseTo(10 * (0.52 - 0.48), 9);
  });

  it('is worth nothing where nobody bids, and is said all the same', async () => {
    const result = await fixedQuotes(EMPTY, 10);
    expectOneHeadline(result);
    expect(result.headline.profit).toBeCloseTo(-4.8, 9);
    expect(result.ends).toEqual([
      'not sold at the end, counted at what the book would pay: 10.00 shares at 0.00 (pessimistic), 10.00 shares at 0.00 (expected), 10.00 shares at 0.00 (optimistic)',
    ]);
  });
});
