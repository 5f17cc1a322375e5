import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/runs/backtest/run-backtest.js';
import { marketId } from '../../src/domain/ids.js';
import { loadBotSettings } from '../../src/settings/index.js';
import { openRecording } from '../../src/storage/index.js';
import { type Level, linesOfMarket, recordingOf } from '../support/tape/neutral-lines.js';
import { filledUnderScenarios } from '../support/backtest/resting-order.js';
import { ROOT } from '../support/project/small-house.js';

const { book, trade } = linesOfMarket(3001);
const ASK: readonly Level[] = [[0.6, 100]];
const OURS = { marketId: marketId(3001), side: 'bid', price: 5_000, shares: 3_000 } as const;

/** 100 stand before our bid at 0.5; better bids come, and while they stand those 100 vanish; then 60 sell there. */
const VANISHED = [
  book(0, [[0.5, 100]], ASK),
  book(
    1_000,
    [
      [0.52, 10],
      [0.51, 10],
      [0.5, 100],
    ],
    ASK,
  ),
  book(
    2_000,
    [
      [0.52, 10],
      [0.51, 10],
    ],
    ASK,
  ),
  trade(3_000, 0.5, 60, 'ask'),
];

describe('the depth of a backtest', () => {
  it('leaves what stood ahead of an order there once its level is out of sight', async () => {
    const source = await openRecording(recordingOf(VANISHED));
    const [pessimistic, expected, optimistic] = await filledUnderScenarios(source, OURS, 2);
    expect([pessimistic, expected]).toEqual([0, 0]);
    expect(optimistic).toBe(3_000);
  });

  it('believes that they are gone where the recording goes deep enough to show it', async () => {
    const source = await openRecording(recordingOf(VANISHED));
    expect(await filledUnderScenarios(source, OURS, 3)).toEqual([3_000, 3_000, 3_000]);
  });

  it('believes what a level says when it comes into sight again', async () => {
    const back = [...VANISHED.slice(0, 3), book(2_500, [[0.5, 20]], ASK), trade(3_000, 0.5, 60, 'ask')];
    const source = await openRecording(recordingOf(back));
    const [pessimistic] = await filledUnderScenarios(source, OURS, 2);
    expect(pessimistic).toBe(3_000);
  });

  it.each([
    [2, 2],
    [5, 5],
    [7, 5],
  ])(
    'of %i shows the bot %i of seven recorded levels: never more than the venue would',
    async (depth, shown) => {
      const levels = (best: number, step: number): Level[] =>
        Array.from({ length: 7 }, (_, at) => [Number((best + at * step).toFixed(2)), 50]);
      const moving = Array.from({ length: 20 }, (_, at) =>
        book(at * 1_000, levels(0.5 - (at % 2) / 100, -0.01), levels(0.6, 0.01)),
      );
      const seen: number[] = [];
      const overrides = [
        `backtest.recordings=["${recordingOf(moving)}"]`,
        `backtest.depth=${depth}`,
        'instances.0.params.halfSpread=0.3',
      ];
      const { setup } = await runBacktest({
        ...loadBotSettings(join(ROOT, 'config/backtest.yaml'), {}, overrides),
        watch: () => ({ looked: ({ context }) => void seen.push(context.book.bids.length) }),
      });
      expect(setup.markets[0]!.depth).toBe(depth);
      expect(Math.max(...seen)).toBe(shown);
    },
  );
});
