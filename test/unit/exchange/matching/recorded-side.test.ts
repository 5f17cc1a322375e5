import { describe, expect, it } from 'vitest';
import { LastSide, type RecordedSide } from '../../../../src/exchange/matching/recorded-flow.js';

const TICKS = Int32Array.of(50, 49, 48, 47);
const SHARES = Float64Array.of(100, 200, 300, 400);
const line = (changes: Partial<RecordedSide> = {}): RecordedSide => ({
  ticks: TICKS,
  shares: SHARES,
  from: 0,
  to: 2,
  ...changes,
});

describe('the last line of a side', () => {
  it('is repeated by a line that names where it stands', () => {
    const last = new LastSide(5);
    last.take(line());
    expect(last.isRepeatedBy(line({ from: 2, to: 4, since: 0 }))).toBe(true);
  });

  it('is not repeated by one that names another place, other columns or none', () => {
    const last = new LastSide(5);
    last.take(line());
    expect(last.isRepeatedBy(line({ since: 2 }))).toBe(false);
    expect(last.isRepeatedBy(line({ ticks: TICKS.slice(), since: 0 }))).toBe(false);
    expect(last.isRepeatedBy(line({ since: -1 }))).toBe(false);
    expect(last.isRepeatedBy(line())).toBe(false);
  });

  it('stands where the newest line does that repeated it', () => {
    const last = new LastSide(5);
    last.take(line());
    last.stand(line({ from: 2, to: 4 }));
    expect(last.isRepeatedBy(line({ since: 0 }))).toBe(false);
    expect(last.isRepeatedBy(line({ since: 2 }))).toBe(true);
  });

  it('is repeated by nothing once it is forgotten', () => {
    const last = new LastSide(5);
    last.take(line());
    last.forget();
    expect(last.isRepeatedBy(line({ since: 0 }))).toBe(false);
  });
});
