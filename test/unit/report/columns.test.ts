import { describe, expect, it } from 'vitest';
import { align, withoutPauses } from '../../../src/report/page/columns.js';

describe('series on one line of times', () => {
  const series = { startedAt: 0, widthMicros: 1e6, bucket: [0, 5, 6], min: [0, -3, -2], max: [0, 0, 0] };
  const fall = { ...series, last: [0, -1, 0] };

  it('hold their last value until the next one', () => {
    expect(align([fall], 8e6)).toEqual({ times: [0, 5, 6, 8], values: [[0, -1, 0, 0]] });
  });

  it('show an extreme no longer than its bucket', () => {
    const { times, values } = align([fall], 8e6, ['min']);
    expect(times).toEqual([0, 1, 5, 6, 7, 8]);
    expect(values).toEqual([[0, 0, -3, -2, 0, 0]]);
  });
});

describe('times without their pauses', () => {
  const from = Date.UTC(2026, 0, 5, 12) / 1_000;

  it('stand for themselves to the bit while nothing is cut out: 12:05 is not the minute before', () => {
    const times = Array.from({ length: 2_000 }, (_, index) => from + index * 0.3037);
    const { real } = withoutPauses(times);
    const minutes = Array.from({ length: 10 }, (_, index) => from + index * 60);
    expect(minutes.map(real)).toEqual(minutes);
  });

  it('are told again where a pause was cut out', () => {
    const { shown, real } = withoutPauses([from, from + 60, from + 86_460]);
    expect(shown).toEqual([from, from + 60, from + 180]);
    expect(real(from + 200)).toBe(from + 86_480);
  });
});
