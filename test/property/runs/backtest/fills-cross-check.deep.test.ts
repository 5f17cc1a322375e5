/** Fills of a backtest against what the recording says traded, counted without any of their code. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import type { RecordedLine } from '../../../../src/domain/recorded.js';
import {
  openRecording,
  parseNeutral,
  readNeutralRecording,
  type RecordingSource,
} from '../../../../src/storage/index.js';
import { recordingOfText, writeNeutralLine } from '../../../support/tape/neutral-lines.js';
import {
  filledUnderScenarios,
  type RestingOrder,
  tradedAtOrThrough,
} from '../../../support/backtest/resting-order.js';
import { ROOT } from '../../../support/project/small-house.js';

const DATA = process.env['MARKET_DATA_DIR'] ?? join(ROOT, '..', 'shared', 'data');

async function expectHonest(source: RecordingSource, lines: readonly RecordedLine[], order: RestingOrder) {
  const [pessimistic, expected, optimistic] = await filledUnderScenarios(source, order);
  expect(pessimistic).toBeLessThanOrEqual(tradedAtOrThrough(lines, order));
  expect(pessimistic).toBeLessThanOrEqual(expected!);
  expect(expected).toBeLessThanOrEqual(optimistic!);
  return pessimistic!;
}

const levels = (from: number, step: number) =>
  fc
    .array(fc.record({ gap: fc.integer({ min: 1, max: 2 }), shares: fc.integer({ min: 1, max: 400 }) }), {
      maxLength: 4,
    })
    .map((gaps) => {
      let tick = from;
      const prices: number[] = [];
      for (const { gap } of gaps) prices.push((tick += gap * step) * 100);
      return { prices, shares: gaps.map(({ shares }) => shares) };
    });

const book = fc
  .integer({ min: 40, max: 60 })
  .chain((middle) => fc.record({ bids: levels(middle, -1), asks: levels(middle, 1) }));

const moment = fc.record({
  book,
  trades: fc.array(
    fc.record({
      price: fc.integer({ min: 35, max: 65 }).map((tick) => tick * 100),
      shares: fc.integer({ min: 1, max: 300 }),
      takerSide: fc.constantFrom('bid', 'ask', null),
    }),
    { maxLength: 2 },
  ),
});

const recording = fc.array(moment, { minLength: 2, maxLength: 40 }).map((moments) => {
  const at = (index: number) => 1_767_614_400_000_000 + index * 1_000;
  const head = { eventId: '1', marketId: '2' };
  return moments.flatMap(({ book: found, trades }, index) => [
    ...trades.map((trade) => ({ kind: 'trade', at: at(index), ...head, ...trade })),
    { kind: 'book', at: at(index), ...head, ...found },
  ]) as unknown as RecordedLine[];
});

describe('an order that rests', () => {
  it('is filled by at most what traded at its price or through it, and by more the more is believed', async () => {
    const order = fc.record({
      marketId: fc.constant(marketId(2)),
      side: fc.constantFrom('bid' as const, 'ask' as const),
      price: fc.integer({ min: 38, max: 62 }).map((tick) => tick * 100),
      shares: fc.integer({ min: 1, max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(recording, order, async (lines, resting) => {
        const text = lines.map(writeNeutralLine).join('\n');
        await expectHonest(recordingOfText(text), parseNeutral(text, 'property'), resting);
      }),
      { numRuns: 400 },
    );
  });
});

/** Prices at which much traded below, in the middle and above: there an order that rests is filled in part. */
function traded(lines: readonly RecordedLine[], id: string): readonly number[] {
  const prices = lines.flatMap((line) => (line.kind === 'trade' && line.marketId === id ? [line.price] : []));
  const sorted = prices.toSorted((a, b) => a - b);
  return [...new Set([0.1, 0.5, 0.9].flatMap((share) => sorted[Math.floor(share * sorted.length)] ?? []))];
}

describe.skipIf(!existsSync(DATA))(`the same on ${DATA} (skipped where it is absent)`, () => {
  const files = ['kalshi-gold15m', 'betfair-tick001', 'polymarket-parallax'].flatMap((folder) => {
    const path = join(DATA, folder);
    return existsSync(path)
      ? readdirSync(path)
          .filter((name) => name.endsWith('.ndjson.gz'))
          .map((name) => join(path, name))
      : [];
  });

  it.each(files)('%s', async (file) => {
    const source = await openRecording(file);
    const lines = readNeutralRecording(file);
    let filled = 0;
    const busiest = source.markets.toSorted((a, b) => b.trades - a.trades).slice(0, 3);
    for (const { marketId: id } of busiest)
      for (const price of traded(lines, id))
        for (const side of ['bid', 'ask'] as const)
          filled += await expectHonest(source, lines, { marketId: id, side, price, shares: 50_000 });
    expect(filled > 0).toBe(source.markets.some(({ trades }) => trades > 0));
  });
});
