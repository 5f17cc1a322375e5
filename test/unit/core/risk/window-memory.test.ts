import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { micros, money, shares } from '../../../../src/domain/units.js';
import { fillsCountMs, WindowMemory, type CountedFill } from '../../../../src/core/risk/guard-windows.js';

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
  expect([fills.at(-1)?.at, markOuts.length, markOuts[0]?.marketId]).toEqual([50_000, 10_000, '2']);
});

it('keeps fills for the longest window, and an hour longer than the last horizon', () => {
  const limits = (windowMs: number, horizonMs: number) =>
    ({ fillBreaker: { windowMs }, markOut: { horizonMs } }) as Parameters<typeof fillsCountMs>[0][number];
  expect(fillsCountMs([limits(10, 5), limits(10, 7)])).toBe(3_600_007);
  expect(fillsCountMs([limits(9_000_000, 5)])).toBe(9_000_000);
});

describe('more fills than are kept one by one', () => {
  const sideOf = (at: number): Partial<CountedFill> =>
    at % 3 === 0 ? { side: 'bid', position: 'long' } : { side: 'ask', position: 'long' };
  const noted = (memory: WindowMemory, from: number, to: number): void => {
    for (let at = from; at < to; at += 1)
      memory.note({ kind: 'fill', fill: { ...fill(at * 500), ...sideOf(at) } });
  };
  const sumOf = (fills: readonly CountedFill[]) => {
    const sums = { fills: 0, bid: 0, ask: 0, amount: 0 };
    for (const { fills: together = 1, side, shares: filled, amount } of fills) {
      sums.fills += together;
      sums[side] += filled;
      sums.amount += amount;
    }
    return sums;
  };

  it('are put together, and none is forgotten', () => {
    const memory = new WindowMemory(3_600_000);
    noted(memory, 0, 90_000);
    const { fills } = memory.windows(micros(0));
    expect(fills.length).toBeLessThanOrEqual(20_000);
    expect(sumOf(fills)).toEqual({ fills: 90_000, bid: 3_000_000, ask: 6_000_000, amount: 90_000 });
    const times = fills.map(({ at }) => at);
    expect([times, times.at(-1)]).toEqual([[...times].sort((one, other) => one - other), 89_999 * 500]);
    expect(fills.filter(({ fills: together = 1 }) => together === 1).length).toBeGreaterThan(5_000);
  });

  it('those that were judged first, and apart, so that the others are judged once', () => {
    const memory = new WindowMemory(3_600_000);
    noted(memory, 0, 15_000);
    const through = micros(14_000 * 500);
    memory.note({ kind: 'mark-out', count: { ...count(2231), through } });
    noted(memory, 15_000, 20_001);
    const left = memory.windows(micros(0)).fills.filter(({ at }) => at > through);
    expect(left.map(({ at }) => at)).toEqual(Array.from({ length: 6_000 }, (_, one) => (14_001 + one) * 500));
    expect(sumOf(memory.windows(micros(0)).fills).fills).toBe(20_001);
  });

  it('a price that was told better goes with its fill, and is none itself', () => {
    const memory = new WindowMemory(3_600_000);
    const dearer = { ...fill(1), shares: shares(0), amount: money(-7) };
    for (let one = 0; one <= 20_000; one += 1)
      memory.note({ kind: 'fill', fill: one % 2 === 0 ? fill(1) : dearer });
    expect(memory.windows(micros(1)).fills).toEqual([
      { ...fill(1), shares: shares(1_000_100), amount: money(10_001 - 70_000), fills: 10_001 },
    ]);
  });
});
