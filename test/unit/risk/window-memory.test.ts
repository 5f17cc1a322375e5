import { expect, it } from 'vitest';
import { eventId, marketId } from '../../../src/domain/ids.js';
import { micros, money, shares } from '../../../src/domain/units.js';
import { fillsCountMs, WindowMemory } from '../../../src/risk/window-memory.js';
import type { CountedFill } from '../../../src/risk/windows.js';

const fill = (at: number): CountedFill => ({
  at: micros(at),
  eventId: eventId(873),
  marketId: marketId(2231),
  side: 'ask',
  position: 'short',
  shares: shares(100),
  amount: money(1),
});
const count = (market: number) => ({
  marketId: marketId(market),
  through: micros(5),
  fills: 1,
  shares: 1,
  gained: 0,
});

it('remembers what may count for so long, and the newest word of a market', () => {
  const memory = new WindowMemory(1);
  for (const at of [1_000, 1_500, 2_200]) memory.note({ kind: 'fill', fill: fill(at) });
  memory.note({ kind: 'mark-out', count: count(1) });
  memory.note({ kind: 'mark-out', count: { ...count(1), fills: 0 } });
  expect(memory.windows(micros(2_500))).toEqual({
    fills: [fill(2_200)],
    markOuts: [{ ...count(1), fills: 0 }],
  });
});

it('is the same when its own news is noted again', () => {
  const [memory, again] = [new WindowMemory(1), new WindowMemory(1)];
  memory.note({ kind: 'fill', fill: fill(1_000) });
  memory.note({ kind: 'mark-out', count: count(1) });
  for (const news of memory.news(micros(1_500))) again.note(news);
  expect(again.windows(micros(1_500))).toEqual(memory.windows(micros(1_500)));
});

it('forgets the oldest beyond so many, of fills and of markets', () => {
  const memory = new WindowMemory(1_000_000);
  for (let at = 1; at <= 50_000; at += 1) memory.note({ kind: 'fill', fill: fill(at) });
  for (let market = 1; market <= 10_001; market += 1) memory.note({ kind: 'mark-out', count: count(market) });
  const { fills, markOuts } = memory.windows(micros(50_000));
  expect(fills.length).toBeLessThanOrEqual(20_000);
  expect([fills.at(-1)?.at, markOuts.length, markOuts[0]?.marketId]).toEqual([50_000, 10_000, 2]);
});

it('keeps fills for the longest window, and an hour longer than the last horizon', () => {
  const limits = (windowMs: number, horizonMs: number) =>
    ({ fillBreaker: { windowMs }, markOut: { horizonMs } }) as Parameters<typeof fillsCountMs>[0][number];
  expect(fillsCountMs([limits(10, 5), limits(10, 7)])).toBe(3_600_007);
  expect(fillsCountMs([limits(9_000_000, 5)])).toBe(9_000_000);
});
