import { describe, expect, it } from 'vitest';
import { withoutPauses } from '../../../src/report/page/columns.js';

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
