import { describe, expect, it } from 'vitest';
import { LastSide, type RecordedSide } from '../../../../src/exchange/matching/recorded-flow.js';

const TICKS = Int32Array.of(50, 49, 50, 49, 48);
const SHARES = Float64Array.of(100, 200, 100, 300, 400);
const line = (from: number, to: number, changes: Partial<RecordedSide> = {}): RecordedSide => ({
  ticks: TICKS,
  shares: SHARES,
  from,
  to,
  ...changes,
});

describe('the last line of a side', () => {
  it('has the levels of a line with the same ticks, whatever their sizes', () => {
    const last = new LastSide(5);
    last.take(line(0, 2));
    expect(last.isOfLevels(line(2, 4))).toBe(true);
    expect([last.resize(0, 100), last.resize(1, 300), last.resize(1, 300)]).toEqual([false, true, false]);
  });

  it('has other levels than a line with more, fewer or other ticks, or one that is cut', () => {
    const last = new LastSide(5);
    last.take(line(0, 2));
    expect(last.isOfLevels(line(2, 5))).toBe(false);
    expect(last.isOfLevels(line(0, 1))).toBe(false);
    expect(last.isOfLevels(line(3, 5))).toBe(false);
    expect(last.isOfLevels(line(0, 2, { isCut: true }))).toBe(false);
  });

  it('is not known once it is forgotten, or when it is longer than can be remembered', () => {
    const last = new LastSide(2);
    last.take(line(0, 2));
    last.forget();
    expect(last.isOfLevels(line(0, 2))).toBe(false);
    last.take(line(2, 5));
    expect(last.isOfLevels(line(2, 5))).toBe(false);
  });
});
