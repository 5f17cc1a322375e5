/** What a backtest says on the screen is what its report says, whatever was recorded. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../../src/analytics/comparison.js';
import { runBacktest } from '../../../../src/runs/backtest/run-backtest.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { type Level, linesOfMarket, recordingOfText } from '../../../support/tape/neutral-lines.js';
import { ROOT } from '../../../support/project/small-house.js';

const FIXED = fileURLToPath(new URL('../../../support/strategies/fixed-prices.ts', import.meta.url));
const EVERY_MS = 700;

const levels = (from: number, step: number): fc.Arbitrary<readonly Level[]> =>
  fc
    .array(fc.record({ gap: fc.integer({ min: 1, max: 2 }), shares: fc.integer({ min: 1, max: 60 }) }), {
      maxLength: 4,
    })
    .map((gaps) => {
      let tick = from;
      return gaps.map(({ gap, shares }) => [(tick += gap * step) / 100, shares] as const);
    });

const moment = fc.record({
  market: fc.constantFrom(3001, 3002),
  book: fc
    .integer({ min: 45, max: 55 })
    .chain((middle) => fc.record({ bids: levels(middle, -1), asks: levels(middle, 1) })),
  trade: fc.option(
    fc.record({
      price: fc.integer({ min: 44, max: 56 }).map((tick) => tick / 100),
      shares: fc.integer({ min: 1, max: 90 }),
      side: fc.constantFrom('bid' as const, 'ask' as const),
    }),
  ),
});

const recording = fc
  .tuple(
    fc.array(moment, { minLength: 4, maxLength: 30 }),
    fc.constantFrom(null, 'long' as const, 'short' as const),
  )
  .map(([moments, resolution]) => {
    const lines = moments.flatMap(({ market, book, trade }, at) => {
      const told = linesOfMarket(market);
      const t = at * EVERY_MS;
      const traded = trade === null ? [] : [told.trade(t, trade.price, trade.shares, trade.side)];
      return [...traded, told.book(t, book.bids, book.asks)];
    });
    const end = moments.length * EVERY_MS;
    return resolution === null ? lines : [...lines, linesOfMarket(3001).resolved(end, resolution)];
  });

describe('the headline', () => {
  it('is one number, with what is still held at what the book would pay for it', async () => {
    const setting = fc.record({
      heldFirst: fc.boolean(),
      depth: fc.constantFrom(1, 2, 5),
      shares: fc.integer({ min: 1, max: 80 }),
    });
    const loaded = loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, [
      'backtest.markets=recorded',
      'backtest.balance=100000',
      `instances.0.strategy=${FIXED}`,
      'instances.0.params={ bid: 0.49, ask: 0.51 }',
      'instances.0.limits={ maxPositionShares: 1000, maxEventLoss: 1000 }',
    ]);
    let held = 0;
    await fc.assert(
      fc.asyncProperty(recording, setting, async (lines, { heldFirst, depth, shares }) => {
        const { source, settings } = loaded;
        const { quoting, backtest, instances } = settings;
        const result = await runBacktest({
          source,
          settings: {
            ...settings,
            instances: instances.map((one) => ({ ...one, params: { ...one.params, shares } })),
            quoting: { ...quoting, heldFirst },
            backtest: { ...backtest!, depth },
          },
          recordings: [recordingOfText(lines.join('\n'))],
          analyse: true,
        });
        const { scenarios, analyses, headline } = result;
        held += scenarios.filter(({ openShares }) => openShares > 0).length;
        expect(analyses.map(({ total }) => total.profit.executable)).toEqual(
          scenarios.map(({ profit }) => profit),
        );
        expect(headlineOf(analyses, 'pessimistic')).toMatchObject({
          scenario: headline.scenario,
          profit: headline.profit,
        });
      }),
      // All twelve, however busy the machine is: the count below needs them.
      { numRuns: 12, interruptAfterTimeLimit: 100_000 },
    );
    expect(held).toBeGreaterThan(0);
  }, 120_000);
});
