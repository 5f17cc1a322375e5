/** Where our orders stood in their queues when they were filled, as a report says it. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fixedQuotes } from '../support/backtest/fixed-quotes.js';
import { type Level, linesOfMarket } from '../support/tape/neutral-lines.js';

const BIDS: readonly Level[] = [
  [0.48, 100],
  [0.47, 50],
];
const ASKS: readonly Level[] = [
  [0.52, 100],
  [0.53, 50],
];
const GROWING = fileURLToPath(new URL('../support/strategies/growing.ts', import.meta.url));

const begun = (market: number) => {
  const { book } = linesOfMarket(market);
  return [0, 500, 1_000].map((t) =>
    book(t, BIDS, [
      [0.52, 100],
      [0.53, t === 500 ? 51 : 50],
    ]),
  );
};
const sorted = (lines: readonly string[]): readonly string[] =>
  lines.toSorted((a, b) => (JSON.parse(a) as { t: number }).t - (JSON.parse(b) as { t: number }).t);
const soldThrough = (market: number) => {
  const { trade, book } = linesOfMarket(market);
  return [trade(5_000, 0.48, 105, 'ask'), book(5_000, [[0.47, 50]], ASKS), book(9_000, [[0.46, 50]], ASKS)];
};

describe('the queue that others made ahead of us', () => {
  it('is known of every market when prints reach several at one time', async () => {
    const lines = sorted([3001, 3002].flatMap((market) => [...begun(market), ...soldThrough(market)]));
    const { analyses } = await fixedQuotes(lines, 10);
    expect(analyses[0]!.markets.map(({ queue }) => queue)).toEqual([
      expect.objectContaining({ fills: 1, meanAhead: 100 }),
      expect.objectContaining({ fills: 1, meanAhead: 100 }),
    ]);
  });

  it('is known when a market tells prints and books twice at one time', async () => {
    const { trade, book } = linesOfMarket(3001);
    const lines = [
      ...begun(3001),
      trade(5_000, 0.48, 50, 'ask'),
      book(
        5_000,
        [
          [0.48, 50],
          [0.47, 50],
        ],
        ASKS,
      ),
      trade(5_000, 0.48, 55, 'ask'),
      book(5_000, [[0.47, 50]], ASKS),
      book(9_000, BIDS, ASKS),
    ];
    const { analyses } = await fixedQuotes(lines, 10);
    expect(analyses[0]!.markets[0]!.queue).toMatchObject({ fills: 1, meanAhead: 50, meanRelative: 1 });
  });

  it('has none of our own orders in it', async () => {
    const { trade, book } = linesOfMarket(3001);
    const still = Array.from({ length: 10 }, (_, at) =>
      book(at * 500, BIDS, [
        [0.52, 100],
        [0.53, 50 + (at % 2)],
      ]),
    );
    const lines = [
      ...still,
      trade(5_000, 0.48, 200, 'ask'),
      book(5_000, [[0.47, 50]], ASKS),
      book(9_000, BIDS, ASKS),
    ];
    const { analyses } = await fixedQuotes(lines, 20, `instances.0.strategy=${GROWING}`);
    const [pessimistic, , optimistic] = analyses.map(({ markets }) => markets[0]!.queue);
    expect(pessimistic).toMatchObject({ fills: 2, meanAhead: 100, meanRelative: 1 });
    expect(optimistic).toMatchObject({ fills: 2, meanAhead: 0 });
  });
});
